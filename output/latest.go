package output

import (
	"context"
	"image"
	"image/color"
	"log/slog"
	"time"

	"dashboard/render/damage"

	"periph.io/x/conn/v3/display"
)

// redrawAfter is how long a Latest waits before it tries a failed frame again, unless a new frame comes first.
const redrawAfter = time.Second

// Latest isolates a slow display: it takes frames over at once and draws the newest from its own goroutine, Run. Frames
// that come while the display is drawing become one. A display that fails is tried again with the next frame, or after a
// second; nothing it has not shown is forgotten.
type Latest struct {
	inner  display.Drawer
	mail   mailbox
	tally  tally
	report reporter
	damage damage.List // of the frame being drawn; a field, because a local one would escape to the heap every frame
}

var (
	_ display.Drawer = (*Latest)(nil)
	_ FrameDrawer    = (*Latest)(nil)
)

// NewLatest returns a Latest in front of inner. Nothing is drawn until Run. A nil log is silent.
func NewLatest(inner display.Drawer, log *slog.Logger) *Latest {
	return &Latest{inner: inner, mail: newMailbox(), report: reporter{log: log, name: inner.String()}}
}

// DrawFrame takes over the damage of src. It does not wait for the display and does not fail.
func (l *Latest) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	l.mail.put(src, damage)
	return nil
}

// Draw takes over one rectangle, like DrawFrame.
func (l *Latest) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	l.mail.putPart(l.inner.Bounds(), r, src, at)
	return nil
}

// Invalidate has all of the newest frame drawn again: the display has lost what it showed.
func (l *Latest) Invalidate() { l.mail.invalidate() }

// Run draws until ctx ends. It returns when a drawing under way has ended.
func (l *Latest) Run(ctx context.Context) {
	retry := time.NewTimer(redrawAfter)
	retry.Stop()
	defer retry.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.mail.wake:
		case <-retry.C:
		}
		if ctx.Err() != nil { // both were ready, and select took the other
			return
		}
		if l.show() {
			retry.Stop()
		} else {
			retry.Reset(redrawAfter)
		}
	}
}

// show draws what is new. It tells whether nothing is left to be tried again.
func (l *Latest) show() bool {
	d := &l.damage
	frame := l.mail.take(d)
	if frame == nil {
		return true
	}
	if d.Empty() {
		l.mail.done(d, false)
		return true
	}
	start := time.Now()
	err := drawFrame(l.inner, frame, d.Rects())
	now := time.Now()
	l.mail.done(d, err != nil)
	l.tally.count(start, now, err)
	l.report.note(now, err)
	return err == nil
}

// Stats returns what the display has done. Frames and Lost add up to the frames taken over, but for one that waits.
func (l *Latest) Stats() Stats {
	s := l.tally.read()
	s.Lost = l.mail.lostFrames()
	return s
}

// Halt halts the display. End Run's context first.
func (l *Latest) Halt() error { return l.inner.Halt() }

// Bounds returns those of the display.
func (l *Latest) Bounds() image.Rectangle { return l.inner.Bounds() }

// ColorModel implements display.Drawer.
func (l *Latest) ColorModel() color.Model { return rgba() }

// String returns the display's name.
func (l *Latest) String() string { return l.report.name }
