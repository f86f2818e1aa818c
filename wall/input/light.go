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
	// lightAgain is the time until the next search for a missing light sensor.
	lightAgain = time.Minute
	// lightSound is the time without a failure after which the next failure of a sensor is logged
	// again. If this time were shorter, a sensor with a loose wire would fill the log.
	lightSound = 10 * time.Minute
)

// RoomLight adjusts screens to the light in the room.
type RoomLight struct {
	Log     *slog.Logger
	Dir     string                // folder with the light sensors, usually light.Dir
	Screens func() []*power.Owner // returns the power.Owners of all views, which set the brightness of the screens
}

// Run adjusts the brightness of the screens to the light in the room, until ctx ends. It adjusts only the screens that follow the light.
// If there is no sensor, the brightness does not change, and the problem is logged once.
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
		r.lighten(share) // do this in each pass, because a view that begins to follow the light needs a value at once
	}
}

// A lightSensor reads a light sensor of the kernel. A read may hang, so it has a time limit. The first read searches for a sensor.
type lightSensor struct {
	guard power.Guard
	found *light.Sensor // sensor in use, or nil if a sensor must be searched for
}

// lux returns the light in the room in lux. It reads the sensor in the folder `dir`.
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
		return 0, err // a read that hangs may still write to lux, so do not use it
	}
	l.found = now
	return lux, nil
}

// changed() returns the time at which the brightness of any screen last changed. The sensor's values just after this time are not used,
// because a screen lights the room too.
func (r *RoomLight) changed() (last time.Time) {
	for _, o := range r.Screens() {
		if at := o.Changed(); at.After(last) {
			last = at
		}
	}
	return last
}

// wanted() reports whether the brightness of at least one screen follows the light.
func (r *RoomLight) wanted() bool {
	return slices.ContainsFunc(r.Screens(), (*power.Owner).Follows)
}

func (r *RoomLight) lighten(share float64) {
	for _, o := range r.Screens() {
		o.Light(share)
	}
}
