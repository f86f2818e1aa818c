// Package output carries each frame to every display, file and upload endpoint, and isolates them: a slow, broken or missing one
// does not affect the renderer and the others.
//
// An output is a FrameDrawer. It gets the whole frame and all its damage in one call, so that it can show the frame at once.
// OfDrawer makes an output from any display.Drawer of periph. A Pacer isolates a slow output. It has its own goroutine, Run, and a
// copy of the frame, into which it copies only damaged pixels. Only the newest frame is shown. Latest, File and Post are Pacers,
// and so are outputs of other packages.
package output

import (
	"fmt"
	"image"
	"sync"
	"time"

	"periph.io/x/conn/v3"
)

// A FrameDrawer is an output that takes whole frames. String returns its name for logs and /healthz.
type FrameDrawer interface {
	conn.Resource
	// DrawFrame shows all damage of one frame together. src is the whole opaque frame, and damage has its changed rectangles. Both
	// are valid only during the call.
	DrawFrame(src *image.RGBA, damage []image.Rectangle) error
}

// Stats are the statistics of an output, for display and monitoring.
type Stats struct {
	Frames    uint64        // frames that were shown, written or uploaded
	Lost      uint64        // frames that a newer one replaced before they were shown (0 for an output with an interval)
	Errors    uint64        // failed attempts
	LastError string        // text of the latest failure, also after it is over
	FailedAt  time.Time     // time of that failure
	LastOK    time.Time     // end of the latest successful attempt
	Took      time.Duration // duration of that attempt
	Busy      time.Duration // duration of the running attempt so far (or 0)
	Hung      bool          // the running attempt takes longer than its limit
}

// OK reports whether the latest attempt succeeded and no attempt hangs.
func (s Stats) OK() bool { return !s.Hung && !s.LastOK.IsZero() && !s.FailedAt.After(s.LastOK) }

// DefaultLimit is the default duration after which an attempt counts as hanging. The slowest framebuffer takes a tenth of a second
// for a frame.
const DefaultLimit = 10 * time.Second

// tally collects Stats. Several goroutines may use it.
type tally struct {
	mu    sync.Mutex
	stats Stats
	began time.Time // start of the running attempt (or zero)
}

// begin records the start of an attempt.
func (t *tally) begin(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.began = now
}

// end records the end of the running attempt. A canceled attempt does not count.
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

// read returns the stats at a time. An attempt that takes longer than limit hangs.
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

// contained calls f and converts a panic to an error.
func contained(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// drawFunc has the type of FrameDrawer.DrawFrame.
type drawFunc func(src *image.RGBA, damage []image.Rectangle) error

// contained calls d and converts a panic to an error.
func (d drawFunc) contained(src *image.RGBA, damage []image.Rectangle) (err error) {
	defer func() { // not the function above, because a closure for every frame would be allocated
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return d(src, damage)
}
