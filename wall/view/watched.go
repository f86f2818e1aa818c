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

// newOwner returns a new power.Owner, which switches and dims the screens of the view.
func (v *View) newOwner() *power.Owner {
	o := power.NewOwner()
	o.Before, o.Log = v.renew, v.Log
	o.Lit = func(level, warmth float64) { v.Stream.SetLight(netstream.LightOf(level, warmth)) }
	o.Room = v.lit
	o.Switched = func(on bool) { v.Stream.Dark(!on) }
	return o
}

// renew paints the current frame before a screen is switched on. It waits at most renewTime.
func (v *View) renew(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	for range 2 { // twice, because the first call may end with a pass that began earlier
		_ = v.Loop.Do(ctx, func(*render.Renderer) {}) // ignore a timeout: the screen then shows the old frame
	}
}

// renewTime is the maximum time for which a screen stays off to wait for its frame.
const renewTime = 500 * time.Millisecond

// Switches applies the display settings of a scene to the view's screens.
func (v *View) Switches(sc *scene.Scene) {
	d := sc.Display
	v.Outs.SwitchBy(d.Settings)
	v.Pins.follow(v, d)
	v.switched.Store(d.Settings != nil)
	v.Power.Configure(power.RulesOf(d.Settings, d.Sensed()), v.senses(d))
}

// senses() returns a function for power.Owner. The function returns the inputs that decide whether the view's screens are on, and the
// next time at which these inputs may change.
func (v *View) senses(d scene.Display) func(time.Time) (power.Senses, time.Time) {
	return func(now time.Time) (power.Senses, time.Time) {
		s := power.Senses{When: true, Notice: v.calledAwake(), Trigger: v.Pages.Awake(), Night: v.Mode() == "night"}
		detected := false // whether a sensor detects a person
		switch {
		case d.Line() != nil:
			s.Present = v.Pins.present()
			detected = s.Present
		case d.Presence == nil:
			s.Present = !v.Touchable() // without a sensor and without touch input, a person always counts as present
		}
		if d.When == nil && d.Presence == nil && d.Schedule == nil {
			v.sees(s.Present, detected)
			return s, time.Time{}
		}
		t := render.NewTick(now, image.Pt(1, 1))
		if d.When != nil {
			holds, _ := d.When.At(t)
			s.When = holds || !v.Themes.TimeSet()
		}
		if d.Presence != nil {
			holds, known := d.Presence.At(t)
			s.Present, detected = holds || !known, holds && known // a view with a presence condition has no GPIO line for presence
		}
		v.sees(s.Present, detected)
		if v.Themes.TimeSet() {
			s.Entry = d.Entry(t)
		}
		_, next := t.Reported()
		return s, next
	}
}

// darkRoom is the light below which a room counts as dark, as a fraction of the sensor's
// range. In a dark room, a wall may show the red night view.
const darkRoom = 0.01

// lit() reports to the widgets whether the room is dark.
func (v *View) lit(share float64) {
	if dark := share < darkRoom; v.Dim != nil && v.Dim.Swap(dark) != dark {
		v.Loop.Wake()
	}
}

// sees() reports to the widgets whether a person counts as present. It also stores for Near whether a sensor detects a person.
func (v *View) sees(present, detected bool) {
	v.near.Store(detected)
	if v.Away != nil && v.Away.Swap(!present) == present {
		v.Loop.Wake()
	}
}

// Near reports whether a sensor detects a person. Without a sensor, Near returns false.
func (v *View) Near() bool { return v.near.Load() }

// calledAwake returns the time until which a notification or the sign of Identify keeps the screen on.
func (v *View) calledAwake() time.Time {
	until := v.Board.Awake()
	if named := time.Unix(0, v.named.Load()); named.After(until) {
		return named
	}
	return until
}

// lookAtScreen makes the owner of the screens check its inputs again, because a pass may have changed them.
func (v *View) lookAtScreen() {
	if v.switched.Load() || !v.Power.On() {
		v.Power.Look()
	}
}

// elsewhere() reports whether a view must be painted although its screens are off. This is the case if the view has other viewers, such
// as stream clients, files and uploads. It is also the case if a notification or a page may switch the screens on, because their
// conditions are evaluated only during painting.
func (v *View) elsewhere() bool {
	return v.Outs.Kept() || v.wanted() || v.Board.Calls() || v.Pages.Wakes()
}

const (
	// Lingers is the time for which a view is painted after a request. So even a remote screen that rarely requests frames receives a
	// current frame.
	Lingers = time.Minute
	// FirstFrame is the maximum time for which a request waits for the frame of a view that was not painted.
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

// Watched reports whether the view has a viewer: a client, or an output that is not a stream. For main it also returns true while the
// board has notifications that must expire. While the screens are off, Watched returns the result of elsewhere().
func (v *View) Watched() bool {
	if !v.Power.On() {
		return v.elsewhere()
	}
	return v.Outs.Shown() || v.wanted() || v.Name == config.MainView && v.Board.Runs()
}

// wanted() reports whether a client waits for frames, or has requested a frame less than the time Lingers ago.
func (v *View) wanted() bool {
	return v.Stream.Watched() || time.Since(v.Started)-time.Duration(v.Asked.Load()) < Lingers
}

// wantsPaint reports whether the current pass must paint. It must paint if the view is watched, or if the screens are on and main has a
// new tree. Only the loop may call wantsPaint.
func (v *View) wantsPaint() bool {
	v.paints = v.Power.On() && v.owes.Swap(false) || v.Watched()
	if !v.paints {
		v.behind.Store(true)
	}
	return v.paints
}

// owe makes the loop paint a frame in the next pass for which the screens are on, even without viewers. owe has an effect only for main.
func (v *View) owe() { v.owes.Store(v.Name == config.MainView) }

// Look records a request for a frame of the view. If the newest frame is outdated, Look waits for a new frame, for at most FirstFrame.
func (v *View) Look() {
	v.Asked.Store(int64(time.Since(v.Started)))
	if !v.behind.Load() && len(v.catching) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), FirstFrame)
	defer cancel()
	release, err := v.catching.Acquire(ctx) // wait for the current holder, which waits for the same frame
	if err != nil {
		return
	}
	defer release()
	if v.behind.Load() {
		v.awaitFrame(ctx)
	}
}

// awaitFrame waits until the loop has painted all changes and the stream has received the frame.
func (v *View) awaitFrame(ctx context.Context) {
	published := v.Stream.Subscribe()
	defer published.Close()
	select {
	case <-published.C(): // ignore the frame that exists already
	default:
	}
	before := v.Loop.Stats().Frames
	for range 2 { // twice, because the first call may end with a pass that began earlier
		if v.Loop.Do(ctx, func(*render.Renderer) {}) != nil {
			return // the time is over, so the caller uses the old frame or no frame
		}
	}
	if v.Loop.Stats().Frames == before {
		return // no change, so there is no new frame
	}
	select {
	case <-published.C():
	case <-ctx.Done():
	}
}
