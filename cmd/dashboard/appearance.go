package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"dashboard/config"
	"dashboard/theme/sun"
)

// An appearance decides which theme is active: the sun's, or one chosen by hand.
type appearance struct {
	holder   *sun.Holder
	log      *slog.Logger
	now      func() time.Time                // the clock; time.Now outside tests
	activate func(ctx context.Context) error // puts the theme of the moment on the wall
	poke     chan struct{}                   // capacity 1: something changed, look again
}

// maxNap bounds how long a set clock or a resumed machine goes unnoticed.
const maxNap = time.Minute

func newAppearance(log *slog.Logger, activate func(context.Context) error) *appearance {
	return &appearance{holder: sun.NewHolder(nil, sun.Day), log: log, now: time.Now, activate: activate, poke: make(chan struct{}, 1)}
}

// adopt takes over what a configuration says, and returns the mode to show now. A hold goes on.
// start is the mode where nobody says more.
func (a *appearance) adopt(c *config.Conf, single bool, start sun.Mode, now time.Time) sun.Mode {
	switch {
	case single:
		a.holder.Reconfigure(nil, sun.Day)
		return sun.Day
	case c.Appearance == nil:
		a.holder.Reconfigure(nil, start)
		return a.holder.At(now).Mode
	}
	schedule := scheduleOf(c.Appearance)
	a.holder.Reconfigure(schedule, sun.Mode(c.Appearance.Default))
	switch {
	case schedule != nil:
		a.log.Info(schedule.Describe(now, time.Local))
	case !c.Appearance.HTTPControl:
		a.log.Warn("the theme never changes: appearance has no latitude and longitude, and http_control is off")
	}
	a.look()
	return a.holder.At(now).Mode
}

// scheduleOf is nil where the configuration names no place.
func scheduleOf(c *config.Appearance) *sun.Schedule {
	if !c.Located() {
		return nil
	}
	return &sun.Schedule{
		Lat: *c.Latitude, Lon: *c.Longitude,
		SunriseOffset: time.Duration(c.Offsets.Sunrise) * time.Minute,
		SunsetOffset:  time.Duration(c.Offsets.Sunset) * time.Minute,
	}
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
