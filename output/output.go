// Package output carries each frame to every display, file and upload endpoint, and isolates them: a slow, broken or missing one
// does not affect the renderer and the others.
//
// An output is a FrameDrawer: it gets the whole frame and all its damage in one call, so that it can show the frame at once.
// OfDrawer makes one of any display.Drawer of periph. A Pacer isolates a slow output: it has its own goroutine, Run, and a copy of
// the frame, into which it copies only damaged pixels. The newest frame wins. Latest, File and Post are Pacers, and so are outputs
// of other packages.
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
	// DrawFrame shows all damage of one frame together. src is the whole opaque frame. damage are its changed rectangles. Both are
	// valid only during the call.
	DrawFrame(src *image.RGBA, damage []image.Rectangle) error
}

// Stats is what an output has done so far, for people and monitors.
type Stats struct {
	Frames    uint64        // shown, written, uploaded
	Lost      uint64        // replaced by a newer frame before they were shown (0 for an output with an interval)
	Errors    uint64        // failed attempts
	LastError string        // text of the latest failure, kept after it is over
	FailedAt  time.Time     // when it happened
	LastOK    time.Time     // when the latest attempt that succeeded ended
	Took      time.Duration // duration of that attempt
	Busy      time.Duration // duration of the running attempt so far (0 without an attempt)
	Hung      bool          // it has taken longer than it may
}

// OK reports whether the latest attempt succeeded and none hangs.
func (s Stats) OK() bool { return !s.Hung && !s.LastOK.IsZero() && !s.FailedAt.After(s.LastOK) }

// DefaultLimit is the default duration after which an attempt hangs. The slowest framebuffer takes a tenth of a second for a frame.
const DefaultLimit = 10 * time.Second

// tally keeps Stats for several goroutines.
type tally struct {
	mu    sync.Mutex
	stats Stats
	began time.Time // start of the running attempt (zero without an attempt)
}

// begin notes that an attempt begins now.
func (t *tally) begin(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.began = now
}

// end records the end of the running attempt. A canceled one does not count.
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

// missed records a frame for an absent consumer, independently of a running attempt.
func (t *tally) missed(now time.Time, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Errors++
	t.stats.LastError, t.stats.FailedAt = err.Error(), now
}

// took records a success from start to now, independently of a running attempt.
func (t *tally) took(start, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Frames++
	t.stats.LastOK, t.stats.Took = now, now.Sub(start)
}

// read returns the stats at the given time. An attempt longer than limit hangs.
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
