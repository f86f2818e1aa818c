// Package output passes each frame to all displays, files and upload endpoints. It isolates them from each other: an output that is slow,
// broken or missing does not affect the renderer or other outputs.
//
// An output is a FrameDrawer. It gets the whole frame and all its damage in one call, so that it can show all changes in one step.
// OfDrawer makes an output from any display.Drawer of periph. A Pacer isolates a slow output: it keeps a copy of the frame, and draws the
// newest frame in a separate goroutine. File, Post and the outputs of NewLatest are Pacers, and so are outputs of other packages.
package output

import (
	"fmt"
	"image"
	"sync"
	"time"

	"periph.io/x/conn/v3"
)

// A FrameDrawer is an output for whole frames. String returns its name for logs and for /healthz.
type FrameDrawer interface {
	conn.Resource
	// DrawFrame shows all changes of a frame in one step. `src` is the whole frame, and its pixels are opaque. `damage` lists the
	// rectangles that have changed. Both arguments are valid only during the call.
	DrawFrame(src *image.RGBA, damage []image.Rectangle) error
}

// Stats are the statistics of an output, for health pages and monitoring.
type Stats struct {
	Frames    uint64        // number of frames that were shown, written or uploaded
	Lost      uint64        // number of frames that were replaced by newer frames before they were shown. 0 if the output has an interval
	Errors    uint64        // number of failed attempts
	LastError string        // text of the latest failure. It stays after the next success
	FailedAt  time.Time     // time of the latest failure
	LastOK    time.Time     // end of the latest successful attempt
	Took      time.Duration // duration of the latest successful attempt
	Busy      time.Duration // duration of the running attempt so far. 0 if there is none
	Hung      bool          // the running attempt has taken longer than its limit
}

// OK reports whether the latest attempt was successful and no attempt hangs.
func (s Stats) OK() bool { return !s.Hung && !s.LastOK.IsZero() && !s.FailedAt.After(s.LastOK) }

// DefaultLimit is the default duration after which an attempt counts as hanging. The slowest framebuffer needs a tenth of a second for a
// frame.
const DefaultLimit = 10 * time.Second

// tally collects Stats. It is safe for concurrent use.
type tally struct {
	mu    sync.Mutex
	stats Stats
	began time.Time // start of the running attempt, or zero
}

// begin() records the start of an attempt.
func (t *tally) begin(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.began = now
}

// end() records the end of the running attempt. It does not count an attempt that was canceled or had no frame.
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

// missed() records a failure that is caused by a missing consumer. It does not affect a running attempt.
func (t *tally) missed(now time.Time, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Errors++
	t.stats.LastError, t.stats.FailedAt = err.Error(), now
}

// took() records a success that lasted from `start` to `now`. It does not affect a running attempt.
func (t *tally) took(start, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stats.Frames++
	t.stats.LastOK, t.stats.Took = now, now.Sub(start)
}

// read returns the statistics at the time `now`. An attempt that takes longer than `limit` counts as hanging.
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

// contained() calls f. If f panics, it returns the panic as an error.
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

// contained() calls d. If d panics, it returns the panic as an error.
func (d drawFunc) contained(src *image.RGBA, damage []image.Rectangle) (err error) {
	defer func() { // a call of the function contained() would allocate a closure for every frame
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return d(src, damage)
}
