package main

import (
	"context"
	"image"
	"time"

	"dashboard/control/power"
	"dashboard/netstream"
	"dashboard/render"
)

// newOwner returns who switches the screens of a view.
func (v *view) newOwner() *power.Owner {
	o := power.NewOwner()
	o.Before, o.Log = v.renew, v.log
	o.Lit = func(level, warmth float64) { v.stream.SetLight(netstream.LightOf(level, warmth)) }
	o.Switched = func(on bool) { v.stream.Dark(!on) }
	return o
}

// renew has the frame be of now, if that does not take too long: the screen goes on with it.
func (v *view) renew(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	for range 2 { // the second is done when the pass after the first has ended
		_ = v.loop.Do(ctx, func(*render.Renderer) {}) // too late: the screen goes on with the older frame
	}
}

// renewTime bounds how long a screen stays off for its picture.
const renewTime = 500 * time.Millisecond

// switches makes the view's screens follow a scene.
func (v *view) switches(sc *scene) {
	d := sc.display
	v.outs.SwitchBy(d.settings)
	v.pins.follow(v, d)
	v.switched.Store(d.settings != nil)
	v.power.Configure(power.RulesOf(d.settings, d.sensed()), v.senses(d))
}

// senses tell of the view what decides whether its screen is on.
func (v *view) senses(d display) func(time.Time) (power.Senses, time.Time) {
	return func(now time.Time) (power.Senses, time.Time) {
		s := power.Senses{When: true, Notice: v.calledAwake(), Trigger: v.pages.Awake(), Night: v.mode() == "night"}
		switch {
		case d.line() != nil:
			s.Present = v.pins.present()
		case d.presence == nil:
			s.Present = !v.touchable() // a sensor that is missing switches nothing off
		}
		if d.when == nil && d.presence == nil && d.schedule == nil {
			return s, time.Time{}
		}
		t := render.NewTick(now, image.Pt(1, 1))
		if d.when != nil {
			holds, _ := d.when.At(t)
			s.When = holds || !v.themes.timeSet()
		}
		if d.presence != nil {
			holds, known := d.presence.At(t)
			s.Present = holds || !known // there is no line, then
		}
		if v.themes.timeSet() {
			s.Entry = d.entry(t)
		}
		_, next := t.Reported()
		return s, next
	}
}

// entry is the first entry of the brightness' schedule whose condition holds, from 1; 0 for none. All are asked: each has the moment known
// at which it may change.
func (d display) entry(t render.Tick) int {
	first := 0
	for i, c := range d.schedule {
		if holds, _ := c.At(t); holds && first == 0 {
			first = i + 1
		}
	}
	return first
}

// calledAwake is until when a notification, or the wall's sign, wants the screen on.
func (v *view) calledAwake() time.Time {
	until := v.board.Awake()
	if named := time.Unix(0, v.named.Load()); named.After(until) {
		return named
	}
	return until
}

// lookAtScreen has the owner of the screens look again, if a pass may have changed anything for them.
func (v *view) lookAtScreen() {
	if v.switched.Load() || !v.power.On() {
		v.power.Look()
	}
}

// elsewhere reports whether a view whose screen is off is seen all the same: by listeners, in files and uploads; or is to be
// painted for a notification, or a page that may switch the screen on: its trigger is looked at while it is painted.
func (v *view) elsewhere() bool {
	return v.outs.Kept() || v.wanted() || v.board.Calls() || v.pages.Wakes()
}
