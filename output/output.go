// Package output carries each frame to every display, file and upload endpoint, and keeps them apart: one that is
// slow, broken or gone costs the renderer and the others nothing.
//
// An output is a FrameDrawer: it gets the whole frame and all its damage in one call, which is what lets it show the
// frame in one go. OfDrawer makes one of any display.Drawer of periph. A Pacer stands in front of a slow one: it has a
// goroutine of its own, which its Run is, and a copy of the frame, of which only damaged pixels are ever copied; the
// newest frame wins. Latest, File and Post are Pacers; an output of another package is made in the same way.
package output

import (
	"fmt"
	"image"
	"sync"
	"time"

	"periph.io/x/conn/v3"
)

// A FrameDrawer is an output: it takes whole frames. String names it in logs and on /healthz.
type FrameDrawer interface {
	conn.Resource
	// DrawFrame shows all damage of one frame together. src is the whole frame, opaque; damage are the rectangles of it
	// that changed. Both are valid only during the call.
	DrawFrame(src *image.RGBA, damage []image.Rectangle) error
}

// Stats is what an output has done so far, for people and monitors.
type Stats struct {
	Frames    uint64        // shown, written, uploaded
	Lost      uint64        // replaced by a newer one before they could be shown; an output with an interval counts none
	Errors    uint64        // failed attempts
	LastError string        // text of the latest failure, kept after it is over
	FailedAt  time.Time     // when it happened
	LastOK    time.Time     // when the latest attempt that succeeded ended
	Took      time.Duration // how long that took
	Busy      time.Duration // how long the attempt under way has taken so far; 0 if there is none
	Hung      bool          // it has taken longer than it may
}

// OK tells whether the latest attempt succeeded, and none hangs.
func (s Stats) OK() bool { return !s.Hung && !s.LastOK.IsZero() && !s.FailedAt.After(s.LastOK) }

// DefaultLimit is how long one attempt may take before Stats call it hung, where nothing else is said. The slowest
// framebuffer takes a tenth of a second for a frame.
const DefaultLimit = 10 * time.Second

// tally keeps Stats for several goroutines.
type tally struct {
	mu    sync.Mutex
	stats Stats
	began time.Time // of the attempt under way; zero if there is none
}

// begin notes that an attempt begins now.
func (t *tally) begin(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.began = now
}

// end notes that the attempt under way ends now, and how. One that was broken off counts as neither.
func (t *tally) end(now time.Time, err error, brokenOff bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	took := now.Sub(t.began)
	t.began = time.Time{}
	switch {
	case brokenOff:
	case err != nil:
		t.stats.Errors++
		t.stats.LastError, t.stats.FailedAt = err.Error(), now
	default:
		t.stats.Frames++
		t.stats.LastOK, t.stats.Took = now, took
	}
}

// missed notes a frame that came while nobody was there to draw for, beside any attempt under way.
func (t *tally) missed(now time.Time, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Errors++
	t.stats.LastError, t.stats.FailedAt = err.Error(), now
}

// took notes a success from start to now, beside any attempt under way.
func (t *tally) took(start, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Frames++
	t.stats.LastOK, t.stats.Took = now, now.Sub(start)
}

// read returns the stats at the given time; an attempt may take as long as limit.
func (t *tally) read(now time.Time, limit time.Duration) Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.stats
	if !t.began.IsZero() {
		s.Busy = max(1, now.Sub(t.began))
		s.Hung = s.Busy > limit
	}
	return s
}

// contained calls f and turns a panic into an error.
func contained(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// drawFunc is FrameDrawer's method.
type drawFunc func(src *image.RGBA, damage []image.Rectangle) error

// contained calls d. A panic comes back as an error.
func (d drawFunc) contained(src *image.RGBA, damage []image.Rectangle) (err error) {
	defer func() { // not the function above: a closure for every frame would be an allocation
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return d(src, damage)
}
