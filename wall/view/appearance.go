package view

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"dashboard/theme/sun"
	"dashboard/wall/scene"
)

// An appearance decides which theme a view shows. The theme depends on the sun until a person selects a theme.
type appearance struct {
	holder   *sun.Holder
	log      *slog.Logger
	Now      func() time.Time                // returns the current time; only tests replace time.Now
	activate func(ctx context.Context) error // shows the theme that is due
	poke     chan struct{}                   // has the capacity 1. A value requests another check
	TimeSet  func() bool                     // reports whether the clock of the machine is set
}

// MaxNap is the maximum time between two checks of the theme. If the clock is changed or the
// machine is suspended, the theme is late by at most this time.
const MaxNap = time.Minute

// NewAppearance returns an appearance. The appearance calls `activate` when another theme may be due.
func NewAppearance(log *slog.Logger, activate func(context.Context) error, timeSet func() bool) *appearance {
	return &appearance{holder: sun.NewHolder(nil, sun.Day), log: log, Now: time.Now, activate: activate, poke: make(chan struct{}, 1), TimeSet: timeSet}
}

// Adopt applies a configuration and returns the current mode. A theme that a person has selected remains. While the position of the sun
// is not known, the mode is appearance.default, or `start` if conf.yaml has no key `appearance`. If `single` is true, there is only one
// theme, and the mode is day.
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

// at() returns the mode at the time `now`, or `instead` if the mode depends on the sun but the clock is not set.
func (a *appearance) at(now time.Time, instead sun.Mode) sun.Mode {
	st := a.holder.At(now)
	if st.FollowingSun && !a.TimeSet() {
		return instead
	}
	return st.Mode
}

// Look requests another check of the theme.
func (a *appearance) Look() {
	select {
	case a.poke <- struct{}{}:
	default:
	}
}

// run shows the theme that is due, until ctx ends. It changes the theme in the second in which the change is due.
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
		now := a.Now() // read the time before the check, so that a change that becomes due during the check is not missed
		if err := a.activate(ctx); err != nil && !errors.Is(err, context.Canceled) {
			a.log.Error("theme not changed", "error", err)
		}
		timer.Reset(Nap(a.holder.Wake(now), a.Now()))
	}
}

// Nap returns the time until the next check of the theme. `wake` is the time of the next change, or zero if it is not known.
func Nap(wake, now time.Time) time.Duration {
	if wake.IsZero() {
		return MaxNap
	}
	return min(MaxNap, max(0, wake.Sub(now)))
}
