package output

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"time"

	"dashboard/render/damage"
	"dashboard/render/ink"

	"github.com/cenkalti/backoff/v5"
)

// Pacing describes the behavior of a Pacer. Draw and Name are required. The goroutine of Run calls all functions, one at a time.
type Pacing struct {
	Name string // name in logs and on /healthz

	// Before waits until a frame may be taken. The Pacer then takes the newest one. If nil, it does not wait.
	Before func(context.Context) error
	// Draw shows a frame, or encodes it into its own buffer. damage has the rectangles that changed since the last success. At
	// first it is the whole frame. Both are valid until Draw returns. Frames that arrive during the call are stored in a second
	// copy.
	Draw func(frame *image.RGBA, damage []image.Rectangle) error
	// Try may be nil. It is like Draw, but the caller of DrawFrame calls it. It must not block, and reports whether it took the
	// frame. A taken frame is not copied. Other frames are stored for Draw. Try requires a Pacing without Send, After and Repeat.
	Try func(frame *image.RGBA, damage []image.Rectangle) (taken bool)
	// Absent may be nil. If there is no consumer, it returns the reason. It must not block. In that case frames are not stored,
	// which saves memory, and count as failed attempts. A new consumer requests a whole frame, see Invalidate. Absent requires a
	// Pacing without Send.
	Absent func() error
	// Send does the long part of an attempt with the result of Draw. It is canceled when the context ends. If nil, there is no such
	// part.
	Send func(context.Context) error
	// After is called after a successful attempt. If After fails, the error is reported, but the attempt is not repeated. It may be nil.
	After func(context.Context) error
	// Close is called by Halt. It may be nil.
	Close func() error

	// Interval is the least time between the starts of two attempts. If it is 0, frames are taken as they arrive, and a new frame
	// ends the pause after a failure.
	Interval time.Duration
	// Repeat takes the newest frame every Interval, which must not be 0, whether or not it has changed.
	Repeat bool
	// Retry returns the pauses after failures (nil means one second each).
	Retry backoff.BackOff
	// Limit is the duration after which an attempt counts as hanging (0 means DefaultLimit).
	Limit time.Duration
	// Log receives some of many failures (nil logs nothing).
	Log *slog.Logger
}

// redrawAfter is the default pause after a failure.
const redrawAfter = time.Second

// errSkipped reports an attempt without a frame, because there is no consumer.
var errSkipped = errors.New("the frame is not kept")

// A Pacer isolates a slow consumer of frames. It takes frames at once, and Run draws the newest one in its own goroutine. Frames in
// between are combined. Failed parts are tried again, so that no damage is lost.
type Pacer struct {
	pace   Pacing
	mail   mailbox
	tally  tally
	report reporter
	damage damage.List // damage of the frame being drawn, a field because a local variable would escape to the heap for every frame
	marked ink.Regions // regions of the same frame
	size   image.Point // accepted size of frames (zero accepts any)
}

var _ FrameDrawer = (*Pacer)(nil)

// NewPacer returns a Pacer. Nothing is drawn until Run.
func NewPacer(p Pacing) *Pacer {
	if p.Retry == nil {
		p.Retry = backoff.NewConstantBackOff(redrawAfter)
	}
	if p.Limit == 0 {
		p.Limit = DefaultLimit
	}
	return &Pacer{pace: p, mail: newMailbox(), report: reporter{log: p.Log, name: p.Name}}
}

// Turn sets whether frames are rotated by 180 degrees. Call it before the first frame.
func (p *Pacer) Turn(on bool) { p.mail.turn(on) }

// Expect makes the Pacer drop frames of any other size, because a frame of the old size may arrive late while a wall changes its
// size. Call it before the first frame.
func (p *Pacer) Expect(size image.Point) { p.size = size }

// DrawFrame stores the damage of src. It does not wait and does not fail.
func (p *Pacer) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	if got := src.Rect.Size(); p.size != (image.Point{}) && got != p.size {
		if p.pace.Log != nil {
			p.pace.Log.Debug("frame of another size dropped", "output", p.pace.Name, "size", got, "expected", p.size)
		}
		return nil
	}
	if p.absent() {
		return nil
	}
	if p.pace.Try == nil || !p.try(src, damage) {
		p.mail.put(src, damage)
	}
	return nil
}

// absent reports whether there is no consumer, so that the frame is dropped.
func (p *Pacer) absent() bool {
	if p.pace.Absent == nil {
		return false
	}
	err := p.pace.Absent()
	if err == nil {
		return false
	}
	p.mail.skip()
	p.tally.missed(time.Now(), err)
	return true
}

// try passes a frame to Try. If Try panics, Draw will panic too and report it.
func (p *Pacer) try(src *image.RGBA, damage []image.Rectangle) (taken bool) {
	start := time.Now()
	defer func() {
		if recover() != nil {
			taken = false
		}
	}()
	if len(damage) == 0 || !p.mail.pass(src, damage, p.pace.Try) {
		return false
	}
	p.tally.took(start, time.Now())
	return true
}

// Mark sets the photos of the next frame. The caller of DrawFrame calls it before each frame or never.
func (p *Pacer) Mark(r *ink.Regions) { p.mail.regions(r) }

// Regions returns the photos of Draw's frame and the content over them. Only Draw may call it.
func (p *Pacer) Regions() []ink.Region { return p.marked.List() }

// Invalidate draws the whole newest frame again, because the consumer has lost its content. It returns false if no frame is stored.
// In that case the renderer must pass a new frame, which counts as changed completely.
func (p *Pacer) Invalidate() (kept bool) { return p.mail.invalidate() }

// Run draws until ctx ends, which also cancels Send and After. It returns after a running Draw has ended.
func (p *Pacer) Run(ctx context.Context) {
	timer := time.NewTimer(redrawAfter)
	timer.Stop()
	defer timer.Stop()
	p.pace.Retry.Reset()
	for p.await(ctx) && p.before(ctx) {
		start := time.Now()
		err := p.attempt(ctx, start)
		if !p.rest(ctx, timer, start, err) {
			return
		}
	}
}

// await waits until there is something to draw. It returns false if ctx has ended.
func (p *Pacer) await(ctx context.Context) bool {
	for ctx.Err() == nil {
		if p.mail.due(p.pace.Repeat) {
			return true
		}
		select {
		case <-ctx.Done():
		case <-p.mail.wake:
		}
	}
	return false
}

// before calls Before. It returns false if ctx has ended.
func (p *Pacer) before(ctx context.Context) bool {
	return p.pace.Before == nil || p.pace.Before(ctx) == nil
}

// attempt draws the newest frame.
func (p *Pacer) attempt(ctx context.Context, start time.Time) error {
	p.tally.begin(start)
	err := p.use(ctx)
	brokenOff := err != nil && (ctx.Err() != nil || errors.Is(err, errSkipped))
	p.tally.end(time.Now(), err, brokenOff)
	if brokenOff {
		return err
	}
	told := err
	if err == nil && p.pace.After != nil {
		told = contained(func() error { return p.pace.After(ctx) })
	}
	if ctx.Err() == nil || told == nil {
		p.report.note(time.Now(), told)
	}
	return err
}

// use draws and sends the newest frame. If that fails, its damage is restored.
func (p *Pacer) use(ctx context.Context) error {
	d := &p.damage
	frame := p.mail.take(d, &p.marked)
	if frame == nil {
		return errSkipped
	}
	err := drawFunc(p.pace.Draw).contained(frame, d.Rects())
	p.mail.done(d, err != nil)
	if err != nil || p.pace.Send == nil {
		return err
	}
	if err = contained(func() error { return p.pace.Send(ctx) }); err != nil {
		p.mail.restore(d)
	}
	return err
}

// rest waits for the pause after an attempt. It returns false if ctx ended first.
func (p *Pacer) rest(ctx context.Context, timer *time.Timer, start time.Time, err error) bool {
	wait := p.pace.Interval - time.Since(start)
	if err != nil {
		wait = p.pace.Retry.NextBackOff()
	} else {
		p.pace.Retry.Reset()
	}
	if wait <= 0 || ctx.Err() != nil {
		return ctx.Err() == nil
	}
	var wake <-chan struct{} // nil never receives
	if p.pace.Interval == 0 {
		wake = p.mail.wake
	}
	timer.Reset(wait)
	select {
	case <-ctx.Done():
	case <-wake:
	case <-timer.C:
	}
	timer.Stop()
	return ctx.Err() == nil
}

// Stats returns the counts. Without an interval, the sum of Frames and Lost is the number of frames taken, without a frame that still
// waits.
func (p *Pacer) Stats() Stats {
	s := p.tally.read(time.Now(), p.pace.Limit)
	if p.pace.Interval == 0 {
		s.Lost = p.mail.lostFrames()
	}
	return s
}

// Halt closes the consumer. End Run's context first.
func (p *Pacer) Halt() error {
	if p.pace.Close == nil {
		return nil
	}
	return p.pace.Close()
}

// String returns the name of the output.
func (p *Pacer) String() string { return p.pace.Name }
