package view

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/control"
	"dashboard/control/power"
	"dashboard/control/presence"
	"dashboard/fb/board"
	"dashboard/wall/scene"

	"periph.io/x/conn/v3/gpio"
)

// pins contains the GPIO lines of the board that a view watches. The zero value watches no line.
type pins struct {
	Open func(number int, pull gpio.Pull) (gpio.PinIn, error) // opens a line of the board; nil for the usual function

	changing sync.Mutex // held while the lines change. It guards the fields below
	Line     *power.Line
	Buttons  []scene.Button
	end      context.CancelFunc
	running  sync.WaitGroup

	sensor atomic.Pointer[presence.Sensor] // motion sensor, or nil. It needs no lock, because a press that reads it must not wait for follow
}

// present reports whether the sensor detects a person. If there is no sensor, present returns true.
func (p *pins) present() bool {
	s := p.sensor.Load()
	return s == nil || s.Present()
}

// follow watches the lines that a scene configures. If the lines have not changed, it does nothing.
func (p *pins) follow(v *View, d scene.Display) {
	p.changing.Lock()
	defer p.changing.Unlock()
	if reflect.DeepEqual(p.Line, d.Line()) && reflect.DeepEqual(p.Buttons, d.Buttons) {
		return
	}
	p.stop()
	p.Line, p.Buttons = d.Line(), d.Buttons
	var ctx context.Context
	ctx, p.end = context.WithCancel(context.Background())
	if l := p.Line; l != nil {
		s := &presence.Sensor{Open: p.opener(l.GPIO, l.Pull), Low: l.Low, MinOn: time.Duration(l.MinOn), Changed: v.Power.Look, Failed: v.lineFailed}
		p.sensor.Store(s)
		p.running.Go(func() { s.Run(ctx) })
	}
	for _, b := range p.Buttons {
		one := &presence.Button{
			Open: p.opener(b.GPIO, b.Pull), Low: b.Pull == "up", Failed: v.lineFailed,
			Press: func() { v.pressed(b.GPIO, b.OnPress) }, Hold: func() { v.pressed(b.GPIO, b.OnHold) },
		}
		p.running.Go(func() { one.Run(ctx) })
	}
}

var pulls = map[string]gpio.Pull{"up": gpio.PullUp, "down": gpio.PullDown, "none": gpio.Float}

func (p *pins) opener(number int, pull string) presence.Opener {
	open := p.Open
	if open == nil {
		open = func(number int, pull gpio.Pull) (gpio.PinIn, error) {
			line, err := board.Open(number, pull, "dashboard")
			if err != nil {
				return nil, err
			}
			return line, nil
		}
	}
	return func() (gpio.PinIn, error) { return open(number, pulls[pull]) }
}

// stop ends the watching. The caller must hold `changing`.
func (p *pins) stop() {
	if p.end != nil {
		p.end()
		p.running.Wait()
	}
	p.end = nil
	p.sensor.Store(nil)
}

// Close ends the watching of all lines.
func (p *pins) Close() {
	p.changing.Lock()
	defer p.changing.Unlock()
	p.stop()
}

func (v *View) lineFailed(err error) {
	v.Log.Warn("a line of the board cannot be read; it is tried again", "error", err)
}

// pressed() runs the action of a button. A press counts as presence. If the press switches the screen on, it has no other effect.
func (v *View) pressed(number int, a *control.Action) {
	if v.Power.Touch() || a == nil {
		return
	}
	v.ask(control.Caller{Via: "gpio", From: fmt.Sprintf("GPIO%d", number)}, *a)
}
