package render

import (
	"context"
	"image"
	"sync/atomic"
	"time"

	"dashboard/render/ink"
)

const (
	// MaxSleep is the longest sleep of the loop. So the loop notices within this time that the system clock was set. For example, a board
	// without a battery sets its clock from the network.
	MaxSleep = 45 * time.Second
	// crashPause is the pause of the loop after a panic that no widget's own guard caught.
	crashPause = time.Second
)

// Loop paints a frame whenever a change is due, and sleeps in between. There is no fixed frame rate.
type Loop struct {
	// Now returns the present time. It is time.Now, except in tests.
	Now func() time.Time
	// Show receives every frame with damage. It is called in the loop's goroutine. Both arguments are valid during the call.
	Show func(frame *image.RGBA, damage []image.Rectangle)
	// Settled is called before Show, with the picture at the end of the running fade. If no fade is running, the argument is nil. The
	// picture is valid until Show returns.
	Settled func(end *image.RGBA)
	// Regions is called before Show, with the photos of the frame. The argument is valid during the call.
	Regions func(*ink.Regions)
	// Passed is called after every completed pass, even if the pass painted nothing. The calls prove that the loop is running.
	Passed func(now time.Time)
	// Began is called at the start of every pass. It can apply the latest gestures, so that this pass shows them.
	Began func(now time.Time)
	// Watched reports whether anything shows the frames. If it returns false, passes paint nothing.
	Watched func() bool
	// Crashed is called with the value of a panic that no widget's own guard caught.
	Crashed func(v any)

	renderer *Renderer
	interval atomic.Int64 // minimum time between the starts of two passes, in ns
	whole    atomic.Bool  // true if the next pass paints everything
	wake     chan struct{}
	do       chan func(*Renderer)

	passes, frames, crashes atomic.Uint64
	painted, busy, spent    atomic.Int64 // in ns: Unix time of the last frame, time spent on the last frame, time spent on all frames
}

// NewLoop returns a loop for r. Frames start at least `minInterval` apart.
func NewLoop(r *Renderer, minInterval time.Duration) *Loop {
	l := &Loop{
		Now: time.Now, Show: func(*image.RGBA, []image.Rectangle) {}, Regions: func(*ink.Regions) {}, Settled: func(*image.RGBA) {},
		Passed: func(time.Time) {}, Began: func(time.Time) {}, Crashed: func(any) {}, Watched: func() bool { return true },
		renderer: r, wake: make(chan struct{}, 1), do: make(chan func(*Renderer)),
	}
	l.SetInterval(minInterval)
	return l
}

// SetRenderer gives the loop its renderer. Call it only before Run. While the loop runs, use Do.
func (l *Loop) SetRenderer(r *Renderer) { l.renderer = r }

// SetInterval changes the minimum time between the starts of two frames. It is safe for concurrent use.
func (l *Loop) SetInterval(d time.Duration) { l.interval.Store(int64(d)) }

// Wake requests a pass as soon as possible. It never blocks. Several calls before the pass count as one. It is safe for concurrent use.
func (l *Loop) Wake() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Repaint requests a pass that paints the whole frame, as soon as possible. It never blocks. It is safe for concurrent use.
func (l *Loop) Repaint() {
	l.whole.Store(true)
	l.Wake()
}

// Do runs f in the loop's goroutine between two frames, and waits until f has returned or panicked. Use it to change the renderer's tree.
// If ctx ends before f starts, Do returns the error of ctx.
func (l *Loop) Do(ctx context.Context, f func(*Renderer)) error {
	done := make(chan struct{})
	select {
	case l.do <- func(r *Renderer) { defer close(done); f(r) }:
	case <-ctx.Done():
		return ctx.Err()
	}
	<-done // f is already running and may use resources of the caller. So wait until it ends
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

// rest() waits until the minimum time since the start of the last pass is over. `took` is the duration of that pass. Requests that arrive
// during the wait are served afterwards. rest() returns false if ctx has ended.
func (l *Loop) rest(ctx context.Context, pause *time.Timer, took time.Duration) bool {
	pause.Reset(max(0, time.Duration(l.interval.Load())-took))
	select {
	case <-ctx.Done():
		return false
	case <-pause.C:
		return true
	}
}

// sleep returns how long the loop may sleep. The argument `next` is the time of the tree's next scheduled change, or zero.
func (l *Loop) sleep(next time.Time) time.Duration {
	if next.IsZero() {
		return MaxSleep
	}
	return min(MaxSleep, max(0, next.Sub(l.Now())))
}

// pass() makes one frame. After a panic, it counts the panic, and the next pass paints the whole frame.
func (l *Loop) pass() (next time.Time) {
	if !l.contain(func() { next = l.frame() }) {
		l.renderer.Repaint()
		return l.Now().Add(crashPause)
	}
	return next
}

// contain runs f. If f panics, contain counts the panic and returns false.
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

// frame updates the tree to the present time and shows the changes.
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
	Painted                 time.Time     // time of the newest frame, or zero if there is no frame yet
	Busy, Spent             time.Duration // duration of the newest frame, and of all frames
}

// Stats returns the counts so far. It is safe for concurrent use.
func (l *Loop) Stats() Stats {
	s := Stats{Passes: l.passes.Load(), Frames: l.frames.Load(), Crashes: l.crashes.Load(), Busy: time.Duration(l.busy.Load()), Spent: time.Duration(l.spent.Load())}
	if ns := l.painted.Load(); ns != 0 {
		s.Painted = time.Unix(0, ns)
	}
	return s
}
