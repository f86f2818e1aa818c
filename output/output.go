// Package output carries each frame to every display, file and upload endpoint, and keeps them apart: one that is
// slow, broken or gone costs the renderer and the others nothing.
//
// Every output is a display.Drawer of periph. One that also has DrawFrame gets all damage of a frame together, which
// is what lets it show the frame in one go. Latest, File and Post have a goroutine of their own, which their Run is,
// and a copy of the frame, of which only damaged pixels are ever copied; the newest frame wins.
package output

import (
	"fmt"
	"image"
	"image/color"
	"sync"
	"time"

	"periph.io/x/conn/v3/display"
)

// FrameDrawer draws all damage of one frame together. src is the whole frame, valid only during the call; so is damage.
type FrameDrawer interface {
	DrawFrame(src *image.RGBA, damage []image.Rectangle) error
}

// Stats is what an output has done so far, for people and monitors.
type Stats struct {
	Frames    uint64        // shown, written, uploaded
	Lost      uint64        // replaced by a newer one before they could be shown; only a Latest counts them
	Errors    uint64        // failed attempts
	LastError string        // text of the latest failure, kept after it is over
	FailedAt  time.Time     // when it happened
	LastOK    time.Time     // when the latest attempt that succeeded ended
	Took      time.Duration // how long that took
}

// OK tells whether the latest attempt succeeded.
func (s Stats) OK() bool { return !s.LastOK.IsZero() && !s.FailedAt.After(s.LastOK) }

// tally keeps Stats for several goroutines.
type tally struct {
	mu    sync.Mutex
	stats Stats
}

// count notes an attempt that began at start and ends now.
func (t *tally) count(start, now time.Time, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil {
		t.stats.Errors++
		t.stats.LastError, t.stats.FailedAt = err.Error(), now
		return
	}
	t.stats.Frames++
	t.stats.LastOK, t.stats.Took = now, now.Sub(start)
}

func (t *tally) read() Stats {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stats
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

// drawFrame gives a frame to a display in the best way it has. A panic comes back as an error.
func drawFrame(d display.Drawer, src *image.RGBA, damage []image.Rectangle) (err error) {
	defer func() { // not contained: a closure for every frame would be an allocation
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if fd, ok := d.(FrameDrawer); ok {
		return fd.DrawFrame(src, damage)
	}
	for _, r := range damage {
		if err := d.Draw(r, src, r.Min); err != nil {
			return err
		}
	}
	return nil
}

// rgba is the color model of every output here.
func rgba() color.Model { return color.RGBAModel }
