// Package presence watches inputs of a board: presence sensors and buttons.
package presence

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/gpio"
)

const (
	// MinOn is the default minimum length of a sensor's pulse. Radio interference causes shorter pulses in cheap sensors.
	MinOn = 200 * time.Millisecond
	// HoldTime is the time for which a button must be pressed for a long press.
	HoldTime = 800 * time.Millisecond
	// `again` is the time between two attempts to open a line.
	again = 10 * time.Second
	// `sound` is the time after which a line that works again counts as repaired. It is long, because a loose wire works and fails
	// repeatedly.
	sound = 10 * time.Minute
	// maxTold is the maximum number of different reasons that are logged.
	maxTold = 8
)

// An Opener opens an input line. It is called again until it succeeds.
type Opener func() (gpio.PinIn, error)

// A Sensor is a presence sensor on an input line.
type Sensor struct {
	Open    Opener
	Low     bool          // whether a low level means presence
	MinOn   time.Duration // minimum length of a pulse
	Changed func()        // called after each change; must not block
	// Failed is called once for each reason why the line cannot be used. After the line has worked for ten minutes, the next failure is
	// reported again. If Failed is nil, the reasons are ignored.
	Failed func(error)

	state atomic.Uint32 // unknown, absent or present
}

// The states of a sensor.
const (
	unknown = iota
	absent
	present
)

// Present reports whether a person is present. A sensor that cannot be read counts as presence.
func (s *Sensor) Present() bool { return s.state.Load() != absent }

func (s *Sensor) set(state uint32) {
	if s.state.Swap(state) != state {
		s.Changed()
	}
}

// Run watches the sensor until ctx ends.
func (s *Sensor) Run(ctx context.Context) {
	watch(ctx, s.Open, s.Failed, func(p gpio.PinIn) {
		for ctx.Err() == nil && alive(p) {
			if s.there(p) {
				s.set(present)
			} else if ctx.Err() == nil && alive(p) {
				s.set(absent)
			}
			p.WaitForEdge(-1)
		}
		s.set(unknown)
	})
}

// there() reports whether the sensor shows presence. If no presence was recorded before, only presence for at least MinOn counts.
func (s *Sensor) there(p gpio.PinIn) bool {
	high := func() bool { return bool(p.Read()) != s.Low }
	if s.state.Load() == present || !high() {
		return high()
	}
	for until := time.Now().Add(s.MinOn); ; {
		left := time.Until(until)
		if left <= 0 {
			return high()
		}
		if p.WaitForEdge(left) && !high() || !alive(p) {
			return false
		}
	}
}

// A Button is a button on an input line. It connects the line to ground or to the supply.
type Button struct {
	Open   Opener
	Low    bool        // whether a low level means that the button is pressed
	Press  func()      // called when the button is released before HoldTime
	Hold   func()      // called when the button was pressed for HoldTime
	Failed func(error) // see Sensor.Failed
}

// Run watches the button until ctx ends.
func (b *Button) Run(ctx context.Context) {
	watch(ctx, b.Open, b.Failed, func(p gpio.PinIn) {
		down := func() bool { return bool(p.Read()) != b.Low }
		was := down() // a button that is already pressed at the start is stuck, or was pressed for another reason
		for ctx.Err() == nil && alive(p) {
			if is := down(); is != was {
				if was = is; is {
					was = b.pressed(p, down)
				}
				continue
			}
			p.WaitForEdge(-1)
		}
	})
}

// pressed() handles a button that has just been pressed. It returns whether the button is still pressed.
func (b *Button) pressed(p gpio.PinIn, down func() bool) bool {
	until := time.Now().Add(HoldTime)
	for down() {
		left := time.Until(until)
		if left <= 0 {
			b.Hold()
			return true
		}
		p.WaitForEdge(left)
		if !alive(p) {
			return false
		}
	}
	b.Press()
	return false
}

// alive reports whether a line can still be read.
func alive(p gpio.PinIn) bool { return lost(p) == nil }

// watch opens a line and calls the function `use` with it. If the line fails, it opens the line again. It returns when ctx ends.
func watch(ctx context.Context, open Opener, failed func(error), use func(gpio.PinIn)) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var told []string
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		p, err := open()
		if err == nil {
			since := time.Now()
			stop := context.AfterFunc(ctx, func() { _ = p.Halt() })
			use(p)
			err = lost(p)
			if stop() {
				_ = p.Halt()
			}
			if time.Since(since) >= sound {
				told = nil
			}
		}
		if err != nil && ctx.Err() == nil && failed != nil && len(told) < maxTold && !slices.Contains(told, err.Error()) {
			told = append(told, err.Error())
			failed(err)
		}
		timer.Reset(again)
	}
}

// lost() returns the reason why a line can no longer be read, or nil.
func lost(p gpio.PinIn) error {
	if e, ok := p.(interface{ Err() error }); ok {
		return e.Err()
	}
	return nil
}
