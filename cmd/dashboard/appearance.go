package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"dashboard/theme/sun"
)

// An appearance decides which theme is active: the sun's, or one chosen by hand.
type appearance struct {
	holder   *sun.Holder
	log      *slog.Logger
	now      func() time.Time                // the clock; time.Now outside tests
	activate func(ctx context.Context) error // puts the theme of the moment on the wall
	poke     chan struct{}                   // capacity 1: something changed, look again
	timeSet  func() bool                     // now can be believed
}

// maxNap bounds how long a set clock or a resumed machine goes unnoticed.
const maxNap = time.Minute

func newAppearance(log *slog.Logger, activate func(context.Context) error, timeSet func() bool) *appearance {
	return &appearance{holder: sun.NewHolder(nil, sun.Day), log: log, now: time.Now, activate: activate, poke: make(chan struct{}, 1), timeSet: timeSet}
}

// adopt takes over what a configuration says, and returns the mode to show now. A hold goes on.
// start is the mode where nobody says more.
func (a *appearance) adopt(g *generation, single bool, start sun.Mode, now time.Time) sun.Mode {
	c := g.conf
	switch {
	case single:
		a.holder.Reconfigure(nil, sun.Day)
		return sun.Day
	case c.Appearance == nil:
		a.holder.Reconfigure(g.schedule(), start)
		return a.at(now, start)
	}
	schedule := g.schedule()
	a.holder.Reconfigure(schedule, sun.Mode(c.Appearance.Default))
	switch {
	case schedule != nil:
		a.log.Info(schedule.Describe(now, g.region.zone))
	case g.region.where != nil:
		a.log.Info("the theme is the default one until the location is found", "location", g.region.where.Name)
	case !c.Appearance.HTTPControl:
		a.log.Warn("the theme never changes: conf.yaml has no location, and http_control is off")
	}
	a.look()
	return a.at(now, sun.Mode(c.Appearance.Default))
}

// at is the mode at now, or instead where only the sun says it and the time is not known.
func (a *appearance) at(now time.Time, instead sun.Mode) sun.Mode {
	st := a.holder.At(now)
	if st.FollowingSun && !a.timeSet() {
		return instead
	}
	return st.Mode
}

// look has run look at the mode again.
func (a *appearance) look() {
	select {
	case a.poke <- struct{}{}:
	default:
	}
}

// run shows the theme of the moment until ctx ends: at the second at which it changes.
func (a *appearance) run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-a.poke:
		case <-timer.C:
		}
		now := a.now() // before that: a change during it is then due at once
		if err := a.activate(ctx); err != nil && !errors.Is(err, context.Canceled) {
			a.log.Error("theme not changed", "error", err)
		}
		timer.Reset(nap(a.holder.Wake(now), a.now()))
	}
}

// nap is the time until the next look.
func nap(wake, now time.Time) time.Duration {
	if wake.IsZero() {
		return maxNap
	}
	return min(maxNap, max(0, wake.Sub(now)))
}
