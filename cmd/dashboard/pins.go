package main

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"dashboard/config"
	"dashboard/control"
	"dashboard/control/power"
	"dashboard/control/presence"
	"dashboard/fb/board"
	"dashboard/widgets/kit"

	"periph.io/x/conn/v3/gpio"
)

// maxButtons bounds the buttons of one view: a board's header has 28 lines.
const maxButtons = 28

// A button is one on a line of the board, and what it does.
type button struct {
	GPIO    int         `yaml:"gpio" required:"true" min:"0" max:"1023"`
	Pull    string      `yaml:"pull" default:"up" enum:"up,down"`
	OnPress *kit.Action `yaml:"on_press"`
	OnHold  *kit.Action `yaml:"on_hold"`
}

// readButtons reads the buttons that are written at a node.
func readButtons(n *config.Node, r *config.Report) []button {
	if n.Kind() == config.Null {
		return nil
	}
	if n.Kind() != config.List || n.Len() > maxButtons {
		r.Errorf(n, "must be a list of at most %d buttons, such as [{gpio: 27, on_press: {page: next}}]", maxButtons)
		return nil
	}
	var all []button
	for _, item := range n.Items() {
		var b button
		if item.Decode(&b, r, nil) {
			all = append(all, b)
		}
		for _, a := range []*kit.Action{b.OnPress, b.OnHold} {
			if a != nil && a.Toggle {
				r.Errorf(item, "toggle is about a widget's own entity: write {action: light.toggle, entity: light.hall}")
			}
		}
	}
	return all
}

// line is the line of the board that tells whether somebody is there; nil for none.
func (d display) line() *power.Line {
	if d.settings == nil || d.settings.Presence == nil {
		return nil
	}
	return d.settings.Presence.Line
}

// pins are the lines of the board that a view watches. The zero value watches none.
type pins struct {
	open func(number int, pull gpio.Pull) (gpio.PinIn, error) // nil is the board's

	mu      sync.Mutex // guards what follows
	line    *power.Line
	buttons []button
	sensor  *presence.Sensor // nil for none
	end     context.CancelFunc
	running sync.WaitGroup
}

// present reports whether the sensor tells of somebody. One that is missing does.
func (p *pins) present() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sensor == nil || p.sensor.Present()
}

// follow watches what a scene has. What is as it was goes on.
func (p *pins) follow(v *view, d display) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if reflect.DeepEqual(p.line, d.line()) && reflect.DeepEqual(p.buttons, d.buttons) {
		return
	}
	p.stop()
	p.line, p.buttons = d.line(), d.buttons
	var ctx context.Context
	ctx, p.end = context.WithCancel(context.Background())
	if l := p.line; l != nil {
		s := &presence.Sensor{Open: p.opener(l.GPIO, l.Pull), Low: l.Low, MinOn: time.Duration(l.MinOn), Changed: v.power.Look, Failed: v.lineFailed}
		p.sensor = s
		p.running.Go(func() { s.Run(ctx) })
	}
	for _, b := range p.buttons {
		one := &presence.Button{
			Open: p.opener(b.GPIO, b.Pull), Low: b.Pull == "up", Failed: v.lineFailed,
			Press: func() { v.pressed(b.GPIO, b.OnPress) }, Hold: func() { v.pressed(b.GPIO, b.OnHold) },
		}
		p.running.Go(func() { one.Run(ctx) })
	}
}

var pulls = map[string]gpio.Pull{"up": gpio.PullUp, "down": gpio.PullDown, "none": gpio.Float}

func (p *pins) opener(number int, pull string) presence.Opener {
	open := p.open
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

// stop ends what is watched. mu is held.
func (p *pins) stop() {
	if p.end != nil {
		p.end()
		p.running.Wait()
	}
	p.end, p.sensor = nil, nil
}

// close ends what is watched.
func (p *pins) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop()
}

func (v *view) lineFailed(err error) {
	v.log.Warn("a line of the board cannot be read; it is tried again", "error", err)
}

// pressed does what a button is for. It is a sign of somebody; one that wakes the screen does nothing else.
func (v *view) pressed(number int, a *kit.Action) {
	if v.power.Touch() || a == nil {
		return
	}
	v.wish(control.Caller{Via: "gpio", From: fmt.Sprintf("GPIO%d", number), Local: true}, plainAction(kit.Wish{Action: a}).Do)
}
