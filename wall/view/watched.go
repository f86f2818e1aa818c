package view

import (
	"context"
	"image"
	"time"

	"dashboard/config"
	"dashboard/control/power"
	"dashboard/netstream"
	"dashboard/render"
	"dashboard/wall/scene"
)

// newOwner returns the owner of the screens of a view.
func (v *View) newOwner() *power.Owner {
	o := power.NewOwner()
	o.Before, o.Log = v.renew, v.Log
	o.Lit = func(level, warmth float64) { v.Stream.SetLight(netstream.LightOf(level, warmth)) }
	o.Room = v.lit
	o.Switched = func(on bool) { v.Stream.Dark(!on) }
	return o
}

// renew paints the current frame, within a limited time. The screen is then switched on with it.
func (v *View) renew(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	for range 2 { // the second call returns after the pass after the first has ended
		_ = v.Loop.Do(ctx, func(*render.Renderer) {}) // if it is too late, the screen is switched on with the older frame
	}
}

// renewTime is the maximum time that a screen stays off to wait for its picture.
const renewTime = 500 * time.Millisecond

// Switches applies the display settings of a scene to the view's screens.
func (v *View) Switches(sc *scene.Scene) {
	d := sc.Display
	v.Outs.SwitchBy(d.Settings)
	v.Pins.follow(v, d)
	v.switched.Store(d.Settings != nil)
	v.Power.Configure(power.RulesOf(d.Settings, d.Sensed()), v.senses(d))
}

// senses returns a function that returns the inputs which decide whether the view's screen is on.
func (v *View) senses(d scene.Display) func(time.Time) (power.Senses, time.Time) {
	return func(now time.Time) (power.Senses, time.Time) {
		s := power.Senses{When: true, Notice: v.calledAwake(), Trigger: v.Pages.Awake(), Night: v.Mode() == "night"}
		switch {
		case d.Line() != nil:
			s.Present = v.Pins.present()
		case d.Presence == nil:
			s.Present = !v.Touchable() // a missing sensor does not switch the screen off
		}
		if d.When == nil && d.Presence == nil && d.Schedule == nil {
			v.sees(s.Present)
			return s, time.Time{}
		}
		t := render.NewTick(now, image.Pt(1, 1))
		if d.When != nil {
			holds, _ := d.When.At(t)
			s.When = holds || !v.Themes.TimeSet()
		}
		if d.Presence != nil {
			holds, known := d.Presence.At(t)
			s.Present = holds || !known // there is no line in this case
		}
		v.sees(s.Present)
		if v.Themes.TimeSet() {
			s.Entry = d.Entry(t)
		}
		_, next := t.Reported()
		return s, next
	}
}

// darkRoom is the share of light in the room below which a wall may show the red night view.
const darkRoom = 0.01

// lit tells the widgets whether the room is dark.
func (v *View) lit(share float64) {
	if dark := share < darkRoom; v.Dim != nil && v.Dim.Swap(dark) != dark {
		v.Loop.Wake()
	}
}

// sees tells the widgets whether a person is near.
func (v *View) sees(present bool) {
	v.near.Store(present)
	if v.Away != nil && v.Away.Swap(!present) == present {
		v.Loop.Wake()
	}
}

// Near reports whether a sensor detects a person. It returns false if there is no sensor.
func (v *View) Near() bool { return v.near.Load() }

// calledAwake returns the time until which a notification or the wall's sign keeps the screen on.
func (v *View) calledAwake() time.Time {
	until := v.Board.Awake()
	if named := time.Unix(0, v.named.Load()); named.After(until) {
		return named
	}
	return until
}

// lookAtScreen makes the owner of the screens decide again, if the pass may have changed its inputs.
func (v *View) lookAtScreen() {
	if v.switched.Load() || !v.Power.On() {
		v.Power.Look()
	}
}

// elsewhere reports whether a view whose screen is off must still be painted. It has other viewers such as stream clients, files
// and uploads. Or a notification or a page may switch the screen on, because its trigger is evaluated while it is painted.
func (v *View) elsewhere() bool {
	return v.Outs.Kept() || v.wanted() || v.Board.Calls() || v.Pages.Wakes()
}

const (
	// Lingers is the time for which a view without viewers continues to be painted after a request, so that remote screens with
	// occasional requests find a current frame.
	Lingers = time.Minute
	// FirstFrame is the maximum time that a request waits for the frame of a view that was not painted.
	FirstFrame = 2 * time.Second
)

// Launch runs a view until ctx ends or the view is closed.
func (v *View) Launch(ctx context.Context) {
	ctx, v.End = context.WithCancel(ctx)
	v.Ended = make(chan struct{})
	go func() {
		defer close(v.Ended)
		v.run(ctx)
	}()
}

// Watched reports whether the view has a viewer: an output other than a stream, or a client. Notifications of main also expire
// without viewers.
func (v *View) Watched() bool {
	if !v.Power.On() {
		return v.elsewhere()
	}
	return v.Outs.Shown() || v.wanted() || v.Name == config.MainView && v.Board.Runs()
}

// wanted reports whether a client waits for frames, or has requested one within Lingers.
func (v *View) wanted() bool {
	return v.Stream.Watched() || time.Since(v.Started)-time.Duration(v.Asked.Load()) < Lingers
}

// wantsPaint reports whether the next pass must paint, for viewers or because main has a new tree without a frame. Only the loop
// may call it.
func (v *View) wantsPaint() bool {
	v.paints = v.Power.On() && v.owes.Swap(false) || v.Watched()
	if !v.paints {
		v.behind.Store(true)
	}
	return v.paints
}

// owe requests a frame of main, even if there are no viewers.
func (v *View) owe() { v.owes.Store(v.Name == config.MainView) }

// Look records a request for the view. If the view was not painted, Look waits for a new frame, for at most FirstFrame.
func (v *View) Look() {
	v.Asked.Store(int64(time.Since(v.Started)))
	if !v.behind.Load() && len(v.catching) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), FirstFrame)
	defer cancel()
	release, err := v.catching.Acquire(ctx) // the holder waits for the same frame
	if err != nil {
		return
	}
	defer release()
	if v.behind.Load() {
		v.awaitFrame(ctx)
	}
}

// awaitFrame waits until the loop has painted the pending changes and the stream has the frame.
func (v *View) awaitFrame(ctx context.Context) {
	published := v.Stream.Subscribe()
	defer published.Close()
	select {
	case <-published.C(): // the current frame
	default:
	}
	before := v.Loop.Stats().Frames
	for range 2 { // the second call returns after the pass after the first has ended
		if v.Loop.Do(ctx, func(*render.Renderer) {}) != nil {
			return // too late, so the older frame or none is used
		}
	}
	if v.Loop.Stats().Frames == before {
		return // nothing has changed
	}
	select {
	case <-published.C():
	case <-ctx.Done():
	}
}
