package render

import (
	"context"
	"image"
	"sync/atomic"
	"time"

	"dashboard/render/ink"
)

const (
	// MaxSleep bounds how long the loop sleeps even if nothing is due. It sees a changed wall clock within this time (a
	// board without a battery learns the time from the network). With a clock that changes each minute it makes two
	// wake-ups a minute.
	MaxSleep = 45 * time.Second
	// crashPause is how long the loop waits after a panic outside any widget's guard.
	crashPause = time.Second
)

// Loop paints frames when something is due, and sleeps otherwise. There is no fixed rate.
type Loop struct {
	// Now is the clock, time.Now outside tests.
	Now func() time.Time
	// Show receives every frame with damage, in the loop's goroutine. Both are valid during the call.
	Show func(frame *image.RGBA, damage []image.Rectangle)
	// Settled receives the picture at the end of the fade that runs, before Show gets a frame of it, or nil without a fade. The picture is
	// valid during that call of Show.
	Settled func(end *image.RGBA)
	// Regions receives the photos of every frame before Show gets the frame, valid during the call.
	Regions func(*ink.Regions)
	// Passed is called after every completed pass, painted or not: the proof that the loop lives.
	Passed func(now time.Time)
	// Began is called at the start of every pass, for gestures that the pass is to show.
	Began func(now time.Time)
	// Watched reports whether the frames have a viewer. Without a viewer, passes paint nothing.
	Watched func() bool
	// Crashed is called with the value of a panic that no widget's guard caught.
	Crashed func(v any)

	renderer *Renderer
	interval atomic.Int64 // least time from the start of a pass to the next one's, ns
	whole    atomic.Bool  // the next pass paints all
	wake     chan struct{}
	do       chan func(*Renderer)

	passes, frames, crashes atomic.Uint64
	painted, busy, spent    atomic.Int64 // unix ns of the last frame, and ns spent on it and on all
}

// NewLoop returns a loop over r that starts a frame at most every minInterval.
func NewLoop(r *Renderer, minInterval time.Duration) *Loop {
	l := &Loop{
		Now: time.Now, Show: func(*image.RGBA, []image.Rectangle) {}, Regions: func(*ink.Regions) {}, Settled: func(*image.RGBA) {},
		Passed: func(time.Time) {}, Began: func(time.Time) {}, Crashed: func(any) {}, Watched: func() bool { return true },
		renderer: r, wake: make(chan struct{}, 1), do: make(chan func(*Renderer)),
	}
	l.SetInterval(minInterval)
	return l
}

// SetRenderer gives the loop its renderer. Call it only before Run. Later use Do.
func (l *Loop) SetRenderer(r *Renderer) { l.renderer = r }

// SetInterval changes the least time between the starts of two frames. Safe for concurrent use.
func (l *Loop) SetInterval(d time.Duration) { l.interval.Store(int64(d)) }

// Wake requests a pass soon. It never blocks. Wakes that meet are one. Safe for concurrent use.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Repaint requests a pass soon that paints the whole frame. It never blocks. Safe for concurrent use.
func (l *Loop) Repaint() {
	l.whole.Store(true)
	l.Wake()
}

// Do runs f in the loop's goroutine between two frames, and returns when f is done, also if it panicked. It is the way
// to give the renderer another tree. It returns ctx's error if the loop did not get to it.
func (l *Loop) Do(ctx context.Context, f func(*Renderer)) error {
	done := make(chan struct{})
	select {
	case l.do <- func(r *Renderer) { defer close(done); f(r) }:
	case <-ctx.Done():
		return ctx.Err()
	}
	<-done // it runs at once now, and the waiting caller may hold a resource it needs
	return nil
}

// Run paints until ctx ends.
func (l *Loop) Run(ctx context.Context) {
	timer, pause := time.NewTimer(0), time.NewTimer(0)
	defer timer.Stop()
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-l.do:
			l.contain(func() { f(l.renderer) })
		case <-l.wake:
		case <-timer.C:
		}
		if ctx.Err() != nil {
			return
		}
		began := time.Now()
		next := l.pass()
		if !l.rest(ctx, pause, time.Since(began)) {
			return
		}
		timer.Reset(l.sleep(next))
	}
}

// rest keeps the least time between the starts of two passes, given the duration of the last one. Requests in the
// meantime are served after it.
func (l *Loop) rest(ctx context.Context, pause *time.Timer, took time.Duration) bool {
	pause.Reset(max(0, time.Duration(l.interval.Load())-took))
	select {
	case <-ctx.Done():
		return false
	case <-pause.C:
		return true
	}
}

// sleep is the time until the tree's next scheduled change.
func (l *Loop) sleep(next time.Time) time.Duration {
	if next.IsZero() {
		return MaxSleep
	}
	return min(MaxSleep, max(0, next.Sub(l.Now())))
}

// pass makes one frame. A panic that reaches here is counted and ends only this frame.
func (l *Loop) pass() (next time.Time) {
	if !l.contain(func() { next = l.frame() }) {
		l.renderer.Repaint()
		return l.Now().Add(crashPause)
	}
	return next
}

// contain runs f and counts its panic. It reports whether there was none.
func (l *Loop) contain(f func()) (ok bool) {
	defer func() {
		if v := recover(); v != nil {
			l.crashes.Add(1)
			l.Crashed(v)
		}
	}()
	f()
	return true
}

// frame brings the tree to now and shows what changed.
func (l *Loop) frame() (next time.Time) {
	now := l.Now()
	l.Began(now)
	if !l.Watched() {
		l.passes.Add(1)
		l.Passed(now)
		return time.Time{}
	}
	if l.whole.Swap(false) {
		l.renderer.Repaint()
	}
	damage, next := l.renderer.Step(now)
	if len(damage) > 0 {
		l.Regions(l.renderer.Regions())
		l.Settled(l.renderer.settled())
		l.Show(l.renderer.Frame(), damage)
		l.frames.Add(1)
		l.painted.Store(now.UnixNano())
		took := int64(l.Now().Sub(now))
		l.busy.Store(took)
		l.spent.Add(took)
	}
	l.passes.Add(1)
	l.Passed(now)
	return next
}

// Stats describes the state of the loop.
type Stats struct {
	Passes, Frames, Crashes uint64
	Painted                 time.Time     // of the newest frame (zero if none)
	Busy, Spent             time.Duration // on the newest frame, and on all of them
}

// Stats returns the counts so far. Safe for concurrent use.
func (l *Loop) Stats() Stats {
	s := Stats{Passes: l.passes.Load(), Frames: l.frames.Load(), Crashes: l.crashes.Load(), Busy: time.Duration(l.busy.Load()), Spent: time.Duration(l.spent.Load())}
	if ns := l.painted.Load(); ns != 0 {
		s.Painted = time.Unix(0, ns)
	}
	return s
}
