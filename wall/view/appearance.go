package view

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"dashboard/theme/sun"
	"dashboard/wall/scene"
)

// An appearance decides which theme is active: the sun's, or one chosen by hand.
type appearance struct {
	holder   *sun.Holder
	log      *slog.Logger
	Now      func() time.Time                // the clock; time.Now outside tests
	activate func(ctx context.Context) error // puts the theme of the moment on the wall
	poke     chan struct{}                   // capacity 1: something changed, look again
	TimeSet  func() bool                     // now can be believed
}

// MaxNap bounds how long a set clock or a resumed machine goes unnoticed.
const MaxNap = time.Minute

// NewAppearance returns an appearance that calls activate when the theme may be another one.
func NewAppearance(log *slog.Logger, activate func(context.Context) error, timeSet func() bool) *appearance {
	return &appearance{holder: sun.NewHolder(nil, sun.Day), log: log, Now: time.Now, activate: activate, poke: make(chan struct{}, 1), TimeSet: timeSet}
}

// Adopt takes over a configuration, and returns the mode to show now. A hold continues. start is the default mode.
func (a *appearance) Adopt(g *scene.Generation, single bool, start sun.Mode, now time.Time) sun.Mode {
	c := g.Conf
	switch {
	case single:
		a.holder.Reconfigure(nil, sun.Day)
		return sun.Day
	case c.Appearance == nil:
		a.holder.Reconfigure(g.Schedule(), start)
		return a.at(now, start)
	}
	schedule := g.Schedule()
	a.holder.Reconfigure(schedule, sun.Mode(c.Appearance.Default))
	switch {
	case schedule != nil:
		a.log.Info(schedule.Describe(now, g.Region.Zone))
	case g.Region.Where != nil:
		a.log.Info("the theme is the default one until the location is found", "location", g.Region.Where.Name)
	case !c.Appearance.HTTPControl:
		a.log.Warn("the theme never changes: conf.yaml has no location, and http_control is off")
	}
	a.Look()
	return a.at(now, sun.Mode(c.Appearance.Default))
}

// at is the mode at now, or instead if only the sun decides and the time is unknown.
func (a *appearance) at(now time.Time, instead sun.Mode) sun.Mode {
	st := a.holder.At(now)
	if st.FollowingSun && !a.TimeSet() {
		return instead
	}
	return st.Mode
}

// Look has run look at the mode again.
func (a *appearance) Look() {
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
		now := a.Now() // before that: a change during it is then due at once
		if err := a.activate(ctx); err != nil && !errors.Is(err, context.Canceled) {
			a.log.Error("theme not changed", "error", err)
		}
		timer.Reset(Nap(a.holder.Wake(now), a.Now()))
	}
}

// Nap is the time until the next look.
func Nap(wake, now time.Time) time.Duration {
	if wake.IsZero() {
		return MaxNap
	}
	return min(MaxNap, max(0, wake.Sub(now)))
}
