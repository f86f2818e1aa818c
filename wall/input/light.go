// Package input follows what people do at a screen and how light the room is.
package input

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"dashboard/control/light"
	"dashboard/control/power"
)

const (
	// lightAgain is the time between two searches for a missing light sensor.
	lightAgain = time.Minute
	// lightSound is the time after which a working sensor counts as reliable again, because a sensor with a loose wire
	// fails now and then.
	lightSound = 10 * time.Minute
)

// RoomLight has screens follow the light in the room.
type RoomLight struct {
	Log     *slog.Logger
	Dir     string                // of light sensors: light.Dir
	Screens func() []*power.Owner // of all views
}

// Run adapts the screens that follow the light in the room, until ctx ends. A missing sensor leaves their brightness
// unchanged, and is logged once.
func (r *RoomLight) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var at lightSensor
	var f light.Follower
	told := false
	var failed time.Time // the last time
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		timer.Reset(light.Interval)
		if !r.wanted() {
			continue
		}
		lux, err := at.lux(ctx, r.Dir)
		if err != nil && ctx.Err() == nil {
			if !told {
				r.Log.Warn("the light in the room is not known: brightness stays as it is", "error", err)
			}
			told, failed = true, time.Now()
			timer.Reset(lightAgain)
			continue
		}
		told = told && time.Since(failed) < lightSound
		f.Ignore(r.changed())
		share, _ := f.Step(time.Now(), lux)
		r.lighten(share) // a view that has just begun to follow gets the present value
	}
}

// A lightSensor is the kernel's, which may not answer. The zero value looks for it.
type lightSensor struct {
	guard power.Guard
	found *light.Sensor // nil: it is looked for
}

// lux is the light in the room by the sensor in a folder that is light.Dir.
func (l *lightSensor) lux(ctx context.Context, dir string) (float64, error) {
	was := l.found
	var now *light.Sensor
	var lux float64
	l.found = nil
	err := l.guard.Do(ctx, "light", power.Patience, func() (err error) {
		if now = was; now == nil {
			if now, err = light.Find(dir); err != nil {
				return err
			}
		}
		lux, err = now.Lux()
		return err
	})
	if err != nil {
		return 0, err // a hanging read keeps writing lux
	}
	l.found = now
	return lux, nil
}

// changed is when a screen was switched or became brighter or darker last: it lights the room, too.
func (r *RoomLight) changed() (last time.Time) {
	for _, o := range r.Screens() {
		if at := o.Changed(); at.After(last) {
			last = at
		}
	}
	return last
}

// wanted reports whether the brightness of any screen follows the light.
func (r *RoomLight) wanted() bool {
	return slices.ContainsFunc(r.Screens(), (*power.Owner).Follows)
}

func (r *RoomLight) lighten(share float64) {
	for _, o := range r.Screens() {
		o.Light(share)
	}
}
