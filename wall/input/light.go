// Package input counts dropped actions at screens, and adjusts screens to the light in the room.
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
	// lightAgain is the interval at which a missing light sensor is searched.
	lightAgain = time.Minute
	// lightSound is the time after which a sensor that works counts as reliable again. Otherwise, each failure of a sensor with a loose
	// wire would be logged.
	lightSound = 10 * time.Minute
)

// RoomLight adjusts screens to the light in the room.
type RoomLight struct {
	Log     *slog.Logger
	Dir     string                // folder with the light sensors, usually light.Dir
	Screens func() []*power.Owner // returns the owners of the screens of all views
}

// Run adjusts the screens that follow the light in the room, until ctx ends. If there is no sensor, the brightness stays the same, and the
// problem is logged once.
func (r *RoomLight) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var at lightSensor
	var f light.Follower
	told := false
	var failed time.Time // time of the last failure
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
		r.lighten(share) // a view that has just started to follow the light needs a value now
	}
}

// A lightSensor reads a light sensor of the kernel, which may hang. The zero value first searches for a sensor.
type lightSensor struct {
	guard power.Guard
	found *light.Sensor // nil while no sensor is found
}

// lux returns the light in the room from the sensor in dir.
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
		return 0, err // lux may still be written by a read that hangs
	}
	l.found = now
	return lux, nil
}

// changed returns the last time at which the brightness of a screen has changed. This time is needed because a screen lights the room
// too.
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
