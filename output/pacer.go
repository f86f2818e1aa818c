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

// Pacing describes the behavior of a Pacer. Draw and Name are required, and all other fields are optional. Except for Try, Absent and
// Close, all functions are called by the goroutine of Run, one at a time.
type Pacing struct {
	Name string // name in logs and on /healthz

	// Before waits until the next frame may be drawn. When Before has returned, the Pacer takes the newest frame.
	Before func(context.Context) error
	// Draw shows a frame, or encodes it into a separate buffer. `damage` lists the rectangles that have changed since the last successful
	// attempt. For the first frame this is the whole frame. Both arguments are valid until Draw returns. Frames that arrive during the call
	// are stored in a second picture.
	Draw func(frame *image.RGBA, damage []image.Rectangle) error
	// Try is like Draw, but runs in the goroutine that calls DrawFrame. It must not block. If it
	// returns false, it has not taken the frame, and the frame is stored for Draw. If it returns
	// true, the frame is not stored. Try cannot be combined with Send, After and Repeat.
	Try func(frame *image.RGBA, damage []image.Rectangle) (taken bool)
	// Absent returns an error if there is no consumer for frames. It must not block. Without a consumer, frames are not stored, which
	// saves memory, and each frame counts as a failed attempt. A new consumer must request a whole frame with Invalidate. Absent cannot
	// be combined with Send.
	Absent func() error
	// Send does the slow part of an attempt, such as an upload of the result of Draw. It is canceled when the context ends.
	Send func(context.Context) error
	// After is called after each successful attempt. If it fails, the error is reported, but the attempt is not repeated.
	After func(context.Context) error
	// Close is called by Halt.
	Close func() error

	// Interval is the minimum time from the start of a successful attempt to the next attempt. With 0, a frame is drawn as soon as it
	// arrives. A new frame then also ends the pause after a failure.
	Interval time.Duration
	// Repeat draws the newest frame in every Interval, even if nothing has changed. It requires an Interval.
	Repeat bool
	// Retry computes the pauses after failures. nil means that each pause is one second.
	Retry backoff.BackOff
	// Limit is the duration after which an attempt counts as hanging. 0 means DefaultLimit.
	Limit time.Duration
	// Log receives failures. If there are many failures, Log receives only some of them. If Log is nil, nothing is logged.
	Log *slog.Logger
}

// redrawAfter is the pause after a failure if Retry is nil.
const redrawAfter = time.Second

// errSkipped is the result of an attempt that found no frame, because the frame was dropped while there was no consumer.
var errSkipped = errors.New("the frame is not kept")

// A Pacer isolates a slow consumer of frames. DrawFrame only stores a frame. The goroutine of Run draws the newest frame, with the damage
// of all frames since the last drawn frame. If drawing fails, its damage is drawn again in the next attempt, so that no change is lost.
type Pacer struct {
	pace   Pacing
	mail   mailbox
	tally  tally
	report reporter
	damage damage.List // damage of the frame that is being drawn. As a local variable it would be allocated for every frame
	marked ink.Regions // regions of the frame that is being drawn
	size   image.Point // accepted size of frames. Zero accepts all sizes
}

var _ FrameDrawer = (*Pacer)(nil)

// NewPacer returns a Pacer. It draws nothing until Run is called.
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

// Expect makes the Pacer ignore frames of any other size. It is for a wall that changes its size, because a frame of the old size may
// arrive late. Call Expect before the first frame.
func (p *Pacer) Expect(size image.Point) { p.size = size }

// DrawFrame stores the damaged parts of src. It does not wait, and always returns nil.
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

// absent() reports whether there is no consumer. Without a consumer, absent() drops the frame and counts a failure.
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

// try() passes a frame to the function Try and returns its result. If Try panics, try() returns false. Draw will then panic too, and this
// second panic is reported.
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

// Mark sets the photos of the next frame. Call it before every DrawFrame or never.
func (p *Pacer) Mark(r *ink.Regions) { p.mail.regions(r) }

// Regions returns the photos of the frame that Draw draws, and the content that covers parts of the photos. Only Draw may call it.
func (p *Pacer) Regions() []ink.Region { return p.marked.List() }

// Invalidate makes the Pacer draw the whole newest frame again. Call it when the consumer has lost its content. If `kept` is false, the
// Pacer does not hold the newest frame. Then the renderer must pass another frame, whose damage will be the whole frame.
func (p *Pacer) Invalidate() (kept bool) { return p.mail.invalidate() }

// Run draws frames until ctx ends. The end of ctx also cancels Send and After. Run waits until a running Draw has returned.
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

// await waits until there is a frame to draw. It returns false if ctx has ended.
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

// before() calls Before, which waits. It returns false if ctx has ended.
func (p *Pacer) before(ctx context.Context) bool {
	return p.pace.Before == nil || p.pace.Before(ctx) == nil
}

// attempt() draws the newest frame and records the result.
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

// use() draws and sends the newest frame. If that fails, it restores the damage.
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

// rest() waits until the next attempt may start. err is the result of the last attempt. rest() returns false if ctx has ended.
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
	var wake <-chan struct{} // a nil channel never receives
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

// Stats returns the statistics. Without an Interval, Frames plus Lost is the number of frames that
// were passed to DrawFrame. A frame that still waits is not counted.
func (p *Pacer) Stats() Stats {
	s := p.tally.read(time.Now(), p.pace.Limit)
	if p.pace.Interval == 0 {
		s.Lost = p.mail.lostFrames()
	}
	return s
}

// Halt calls Close. Before calling Halt, end the context of Run.
func (p *Pacer) Halt() error {
	if p.pace.Close == nil {
		return nil
	}
	return p.pace.Close()
}

// String returns the name of the output.
func (p *Pacer) String() string { return p.pace.Name }
