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

// newOwner returns the owner of a view's screens, which switches and dims them.
func (v *View) newOwner() *power.Owner {
	o := power.NewOwner()
	o.Before, o.Log = v.renew, v.Log
	o.Lit = func(level, warmth float64) { v.Stream.SetLight(netstream.LightOf(level, warmth)) }
	o.Room = v.lit
	o.Switched = func(on bool) { v.Stream.Dark(!on) }
	return o
}

// renew paints the current frame before a screen is switched on. It has a time limit.
func (v *View) renew(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	for range 2 { // the first call may return after a pass that began before. After the second call, a new pass has ended
		_ = v.Loop.Do(ctx, func(*render.Renderer) {}) // if there is no new frame in time, the screen shows the old frame
	}
}

// renewTime is the maximum time for which a screen stays off while it waits for its picture.
const renewTime = 500 * time.Millisecond

// Switches applies the display settings of a scene to the view's screens.
func (v *View) Switches(sc *scene.Scene) {
	d := sc.Display
	v.Outs.SwitchBy(d.Settings)
	v.Pins.follow(v, d)
	v.switched.Store(d.Settings != nil)
	v.Power.Configure(power.RulesOf(d.Settings, d.Sensed()), v.senses(d))
}

// senses returns a function. The function returns the inputs that decide whether the view's screen is on.
func (v *View) senses(d scene.Display) func(time.Time) (power.Senses, time.Time) {
	return func(now time.Time) (power.Senses, time.Time) {
		s := power.Senses{When: true, Notice: v.calledAwake(), Trigger: v.Pages.Awake(), Night: v.Mode() == "night"}
		switch {
		case d.Line() != nil:
			s.Present = v.Pins.present()
		case d.Presence == nil:
			s.Present = !v.Touchable() // without a sensor and without touches, the screen stays on
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
			s.Present = holds || !known // there is no line of the board in this case
		}
		v.sees(s.Present)
		if v.Themes.TimeSet() {
			s.Entry = d.Entry(t)
		}
		_, next := t.Reported()
		return s, next
	}
}

// darkRoom is the limit of the light in the room, as a share. In a darker room, a wall may show the red night view.
const darkRoom = 0.01

// lit passes the state of the room to the widgets: whether it is dark.
func (v *View) lit(share float64) {
	if dark := share < darkRoom; v.Dim != nil && v.Dim.Swap(dark) != dark {
		v.Loop.Wake()
	}
}

// sees passes the state of the sensor to the widgets: whether a person is near.
func (v *View) sees(present bool) {
	v.near.Store(present)
	if v.Away != nil && v.Away.Swap(!present) == present {
		v.Loop.Wake()
	}
}

// Near reports whether a sensor detects a person. It returns false if there is no sensor.
func (v *View) Near() bool { return v.near.Load() }

// calledAwake returns the time until which the screen stays on for a notification or for the wall's sign.
func (v *View) calledAwake() time.Time {
	until := v.Board.Awake()
	if named := time.Unix(0, v.named.Load()); named.After(until) {
		return named
	}
	return until
}

// lookAtScreen makes the owner of the screens decide again, because a pass may have changed the inputs.
func (v *View) lookAtScreen() {
	if v.switched.Load() || !v.Power.On() {
		v.Power.Look()
	}
}

// elsewhere reports whether a view must be painted although its screen is off. This is the case if it has other viewers such as stream
// clients, files and uploads. It is also the case if a notification or a page can switch the screen on, because painting evaluates their
// conditions.
func (v *View) elsewhere() bool {
	return v.Outs.Kept() || v.wanted() || v.Board.Calls() || v.Pages.Wakes()
}

const (
	// Lingers is the time for which a view is painted after the last request. A remote screen that rarely requests a frame then receives
	// a current frame.
	Lingers = time.Minute
	// FirstFrame is the time limit for a request that waits for the frame of a view that was not painted.
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

// Watched reports whether the view has a viewer, which is a client or an output other than a stream. For main it also returns true while
// notifications have to expire.
func (v *View) Watched() bool {
	if !v.Power.On() {
		return v.elsewhere()
	}
	return v.Outs.Shown() || v.wanted() || v.Name == config.MainView && v.Board.Runs()
}

// wanted reports whether a client waits for frames or has requested one less than Lingers ago.
func (v *View) wanted() bool {
	return v.Stream.Watched() || time.Since(v.Started)-time.Duration(v.Asked.Load()) < Lingers
}

// wantsPaint reports whether the next pass must paint. It must paint if there are viewers, or if main has a new tree. Only the loop may
// call it.
func (v *View) wantsPaint() bool {
	v.paints = v.Power.On() && v.owes.Swap(false) || v.Watched()
	if !v.paints {
		v.behind.Store(true)
	}
	return v.paints
}

// owe makes the next pass paint a frame of main, even without viewers.
func (v *View) owe() { v.owes.Store(v.Name == config.MainView) }

// Look records a request for the view. If the newest frame is not up to date, Look waits for a new frame, for at most FirstFrame.
func (v *View) Look() {
	v.Asked.Store(int64(time.Since(v.Started)))
	if !v.behind.Load() && len(v.catching) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), FirstFrame)
	defer cancel()
	release, err := v.catching.Acquire(ctx) // the present holder waits for the same frame
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
	case <-published.C(): // ignore the current frame
	default:
	}
	before := v.Loop.Stats().Frames
	for range 2 { // the first call may return after a pass that began before. After the second call, a new pass has ended
		if v.Loop.Do(ctx, func(*render.Renderer) {}) != nil {
			return // it is too late, so the caller uses the old frame or none
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
