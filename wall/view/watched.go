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

// renew updates the frame to now, if that does not take too long. The screen continues with it.
func (v *View) renew(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	for range 2 { // the second is done when the pass after the first has ended
		_ = v.Loop.Do(ctx, func(*render.Renderer) {}) // too late: the screen continues with the older frame
	}
}

// renewTime bounds how long a screen stays off for its picture.
const renewTime = 500 * time.Millisecond

// Switches makes the view's screens follow a scene.
func (v *View) Switches(sc *scene.Scene) {
	d := sc.Display
	v.Outs.SwitchBy(d.Settings)
	v.Pins.follow(v, d)
	v.switched.Store(d.Settings != nil)
	v.Power.Configure(power.RulesOf(d.Settings, d.Sensed()), v.senses(d))
}

// senses are the states of the view that decide whether its screen is on.
func (v *View) senses(d scene.Display) func(time.Time) (power.Senses, time.Time) {
	return func(now time.Time) (power.Senses, time.Time) {
		s := power.Senses{When: true, Notice: v.calledAwake(), Trigger: v.Pages.Awake(), Night: v.Mode() == "night"}
		switch {
		case d.Line() != nil:
			s.Present = v.Pins.present()
		case d.Presence == nil:
			s.Present = !v.Touchable() // a sensor that is missing switches nothing off
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
			s.Present = holds || !known // there is no line, then
		}
		v.sees(s.Present)
		if v.Themes.TimeSet() {
			s.Entry = d.Entry(t)
		}
		_, next := t.Reported()
		return s, next
	}
}

// darkRoom is the share of light in the room below which a wall may turn red.
const darkRoom = 0.01

// lit has the widgets know whether the room is dark.
func (v *View) lit(share float64) {
	if dark := share < darkRoom; v.Dim != nil && v.Dim.Swap(dark) != dark {
		v.Loop.Wake()
	}
}

// sees has the widgets know whether a person is near.
func (v *View) sees(present bool) {
	v.near.Store(present)
	if v.Away != nil && v.Away.Swap(!present) == present {
		v.Loop.Wake()
	}
}

// Near reports whether a sensor sees a person. Without a sensor nobody is seen.
func (v *View) Near() bool { return v.near.Load() }

// calledAwake is until when a notification, or the wall's sign, keeps the screen on.
func (v *View) calledAwake() time.Time {
	until := v.Board.Awake()
	if named := time.Unix(0, v.named.Load()); named.After(until) {
		return named
	}
	return until
}

// lookAtScreen has the owner of the screens look again, if a pass may have changed anything for them.
func (v *View) lookAtScreen() {
	if v.switched.Load() || !v.Power.On() {
		v.Power.Look()
	}
}

// elsewhere reports whether a view whose screen is off has other viewers: listeners, files and uploads. It also reports
// true for a notification, or a page that may switch the screen on, because its trigger is evaluated while it is
// painted.
func (v *View) elsewhere() bool {
	return v.Outs.Kept() || v.wanted() || v.Board.Calls() || v.Pages.Wakes()
}

const (
	// Lingers is how long a view without viewers continues to be painted after a request, so that remote screens with
	// occasional requests find a frame.
	Lingers = time.Minute
	// FirstFrame bounds how long a request waits for the frame of a view that was not painted.
	FirstFrame = 2 * time.Second
)

// Launch runs a view until ctx ends, or the view is shut.
func (v *View) Launch(ctx context.Context) {
	ctx, v.End = context.WithCancel(ctx)
	v.Ended = make(chan struct{})
	go func() {
		defer close(v.Ended)
		v.run(ctx)
	}()
}

// Watched reports whether the view has a viewer: an output other than a stream, or a client. Notifications of main run
// out without viewers.
func (v *View) Watched() bool {
	if !v.Power.On() {
		return v.elsewhere()
	}
	return v.Outs.Shown() || v.wanted() || v.Name == config.MainView && v.Board.Runs()
}

// wanted reports whether a client listens for frames, or has asked for one within lingers.
func (v *View) wanted() bool {
	return v.Stream.Watched() || time.Since(v.Started)-time.Duration(v.Asked.Load()) < Lingers
}

// wantsPaint reports whether the next pass has to paint: for viewers, or because main owes a frame of a new tree. It
// belongs to the loop.
func (v *View) wantsPaint() bool {
	v.paints = v.Power.On() && v.owes.Swap(false) || v.Watched()
	if !v.paints {
		v.behind.Store(true)
	}
	return v.paints
}

// owe requests one frame of main, with or without viewers.
func (v *View) owe() { v.owes.Store(v.Name == config.MainView) }

// Look notes a request for the view. A view that was not painted is brought up to date, for firstFrame at most.
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

// awaitFrame waits until the loop has painted the pending changes, and the stream has the frame.
func (v *View) awaitFrame(ctx context.Context) {
	published := v.Stream.Subscribe()
	defer published.Close()
	select {
	case <-published.C(): // of what there is
	default:
	}
	before := v.Loop.Stats().Frames
	for range 2 { // the second is done when the pass after the first has ended
		if v.Loop.Do(ctx, func(*render.Renderer) {}) != nil {
			return // too late: there is the older frame, or none
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
