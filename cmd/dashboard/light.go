package main

import (
	"context"
	"time"

	"dashboard/control/light"
	"dashboard/control/power"
)

const (
	// lightAgain is the time between two looks for a light sensor that is not there.
	lightAgain = time.Minute
	// lightSound is how long a sensor works that counts as well again: one with a loose wire fails now and then.
	lightSound = 10 * time.Minute
)

// runLight has the screens follow the light in the room whose brightness is to, until ctx ends. A sensor that goes leaves them as they
// are, and is told once.
func (s *service) runLight(ctx context.Context) {
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
		if !s.wantsLight() {
			continue
		}
		lux, err := at.lux(ctx, s.sensors)
		if err != nil && ctx.Err() == nil {
			if !told {
				s.log.Warn("the light in the room is not known: brightness stays as it is", "error", err)
			}
			told, failed = true, time.Now()
			timer.Reset(lightAgain)
			continue
		}
		told = told && time.Since(failed) < lightSound
		f.Ignore(s.screensChanged())
		share, _ := f.Step(time.Now(), lux)
		s.lighten(share) // a view that has just begun to follow is told what there is
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
		return 0, err // what hangs goes on writing lux
	}
	l.found = now
	return lux, nil
}

// screensChanged is when a screen was switched or became brighter or darker last: it lights the room, too.
func (s *service) screensChanged() (last time.Time) {
	for _, v := range s.all() {
		if at := v.power.Changed(); at.After(last) {
			last = at
		}
	}
	return last
}

// wantsLight reports whether any view's brightness follows the light.
func (s *service) wantsLight() bool {
	for _, v := range s.all() {
		if v.power.Follows() {
			return true
		}
	}
	return false
}

func (s *service) lighten(share float64) {
	for _, v := range s.all() {
		v.power.Light(share)
	}
}
