package panel

import (
	"context"
	"fmt"
	"image"
	"log/slog"
	"sync"
	"time"

	"dashboard/internal/pause"
	"dashboard/output"
	"dashboard/render/ink"

	"github.com/cenkalti/backoff/v5"
)

// Options describe the panel and how often it is updated. Model, Frame and Open are required.
type Options struct {
	Model *Model
	Frame image.Point // size of frames in px: the panel's size, or this size rotated by 90 degrees
	// Open opens the lines that lead to the panel. After a failure it is called again.
	Open func(*Model) (*Wires, error)

	MinInterval time.Duration // minimum time between two updates. 0 means the default of the model
	FullEvery   int           // number of partial refreshes before a full refresh. 0 means DefaultFullEvery
	Location    *time.Location
	Load        func() ([]byte, bool) // returns the data of the last Save, possibly in an earlier run. nil: nothing is stored
	Save        func([]byte) error
	Forget      func() error // removes the data of the last Save. It is called if Save fails. nil: the data is not removed
	Log         *slog.Logger // nil logs nothing
}

const (
	retryAfter = time.Minute // pause after a failure. A panel that is connected again is used at the latest after this time
	// updateLimit is the duration after which an update counts as hanging. It is long enough for
	// two attempts to clean a panel, with four refreshes each.
	updateLimit = 8 * busyLimit
)

// An Output shows frames on a panel.
type Output struct {
	*output.Pacer
	o      Options
	policy Policy
	ink    *ink.Quantizer
	driver driver
	wires  *Wires // nil while the lines are closed
	unkept bool   // the last attempt to save the state has failed, and this was logged

	frame       *image.Paletted // the newest frame in inks, before rotation
	next, shown *image.Paletted // the next and the shown picture, in the chip's orientation

	mu     sync.Mutex // guards the following fields, because /healthz reads them
	state  State
	latest Action
}

// Status is the present state of an output.
type Status struct {
	State
	Action Action
}

// A request is an update that a driver should do.
type request struct {
	action Action
	next   *image.Paletted
	last   *image.Paletted // the shown picture. It is undefined unless action is Partial
	window image.Rectangle // part of the panel that changes. Its columns are multiples of 8
}

// New returns an output, or an error if the options are invalid. It opens nothing before the first frame.
func New(o Options) (*Output, error) {
	if !o.Model.Fits(o.Frame) {
		s := o.Model.Upright()
		return nil, fmt.Errorf("panel %s is %dx%d, or %dx%d upright; frames are %dx%d: see graphics.resolution", o.Model.Name, s.X, s.Y, s.Y, s.X, o.Frame.X, o.Frame.Y)
	}
	p := &Output{o: o, ink: o.Model.Quantizer(o.Frame), driver: o.Model.driver(o.Model)}
	p.policy = Policy{Partial: o.Model.Partial, FullEvery: o.FullEvery, MinInterval: o.MinInterval, Location: o.Location}
	if p.policy.FullEvery == 0 {
		p.policy.FullEvery = DefaultFullEvery
	}
	if p.policy.MinInterval == 0 {
		p.policy.MinInterval = o.Model.MinInterval
	}
	if p.policy.Location == nil {
		p.policy.Location = time.Local
	}
	p.frame = p.ink.NewPicture()
	size := image.Rectangle{Max: o.Model.Size}
	p.next, p.shown = image.NewPaletted(size, p.frame.Palette), image.NewPaletted(size, p.frame.Palette)
	p.load()
	p.Pacer = output.NewPacer(output.Pacing{
		Name: "panel " + o.Model.Name, Before: p.before, Draw: p.quantize, Send: p.update, Close: p.close,
		Retry: backoff.NewConstantBackOff(retryAfter), Limit: updateLimit, Log: o.Log,
	})
	return p, nil
}

// Run shows frames until ctx ends. If an update is running, Run completes the update before it returns, so that the panel sleeps
// afterwards.
func (p *Output) Run(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		p.nights(ctx)
	}()
	p.Pacer.Run(ctx)
	<-done
}

// nights() requests an update whenever the panel must be cleaned, even if nothing has changed.
func (p *Output) nights(ctx context.Context) {
	for p.policy.Partial {
		now := time.Now()
		if pause.For(ctx, p.policy.NextNight(now).Sub(now)) != nil {
			return
		}
		p.Invalidate()
	}
}

// Status returns the present state.
func (p *Output) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Status{p.state, p.latest}
}

// set stores the state and the latest action.
func (p *Output) set(s State, a Action) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state, p.latest = s, a
}

// before() waits until the panel may be updated.
func (p *Output) before(ctx context.Context) error {
	now := time.Now()
	_, again := p.policy.Next(p.state, now, Change{Equal: true})
	if again.IsZero() {
		return nil
	}
	return pause.For(ctx, again.Sub(now))
}

// quantize converts a frame to inks, for update.
func (p *Output) quantize(frame *image.RGBA, _ []image.Rectangle) error {
	p.ink.Quantize(p.frame, frame, p.Regions())
	turn(p.next, p.frame, p.o.Model.right)
	return nil
}

// turn() copies src to dst. If the width of dst is the height of src, it rotates the picture by 90 degrees, to the right or to the left.
func turn(dst, src *image.Paletted, right bool) {
	if dst.Rect == src.Rect {
		copy(dst.Pix, src.Pix)
		return
	}
	wide := dst.Rect.Dx()
	for y := range dst.Rect.Dy() {
		for x := range wide {
			from := x*src.Stride + src.Rect.Dx() - 1 - y
			if right {
				from = (wide-1-x)*src.Stride + y
			}
			dst.Pix[y*dst.Stride+x] = src.Pix[from]
		}
	}
}

// update shows the result of quantize in the way that the policy chooses.
func (p *Output) update(ctx context.Context) error {
	change, window := compare(p.next, p.shown)
	action, _ := p.policy.Next(p.state, time.Now(), change)
	if p.o.Model.Instant {
		action = instant(p.state, change)
	}
	if action == Skip {
		return nil
	}
	if err := p.open(); err != nil {
		return err // the panel has not changed, so nothing must be saved. Saving at each attempt would wear the card out
	}
	stale := p.state.Known || p.unkept // the stored state says that the panel's content is known
	begun := p.state.Begin(time.Now())
	if p.set(begun, action); stale { // saving at each attempt would wear the card out
		p.save(nil)
	}
	r := request{action: action, next: p.next, last: p.shown, window: window}
	err := p.attempt(ctx, r)
	if err != nil && ctx.Err() == nil {
		r.action = max(action, Full) // refresh the whole panel, because its content is unknown now
		err = p.attempt(ctx, r)
	}
	if err != nil {
		return err
	}
	copy(p.shown.Pix, p.next.Pix)
	p.set(begun.Done(r.action, time.Now()), r.action)
	p.save(p.shown)
	return nil
}

// instant() is the policy for displays that are not e-paper.
func instant(s State, c Change) Action {
	if s.Known && c.Equal {
		return Skip
	}
	return Full
}

// attempt() runs the driver once. The end of ctx does not cancel it, because the driver must make the panel sleep at the end.
func (p *Output) attempt(ctx context.Context, r request) error {
	if err := p.open(); err != nil {
		return err
	}
	s := &session{ctx: context.WithoutCancel(ctx), w: p.wires}
	s.power(true)
	p.driver.update(s, r)
	s.power(false)
	if s.err != nil {
		_ = p.close() // the next attempt opens the lines again
		p.wires = nil
	}
	return s.err
}

// open() opens the lines to the panel, unless they are open.
func (p *Output) open() (err error) {
	if p.wires == nil {
		p.wires, err = p.o.Open(p.o.Model)
	}
	return err
}

// close closes the lines to the panel.
func (p *Output) close() error {
	if p.wires == nil || p.wires.Close == nil {
		return nil
	}
	return p.wires.Close()
}

// compare returns the kind of the difference between two pictures, and the rectangle that contains it. The columns of the rectangle are
// multiples of 8, because chips address bytes of eight pixels.
func compare(next, shown *image.Paletted) (Change, image.Rectangle) {
	c := Change{Equal: true, Of: next.Rect.Dy()}
	var window image.Rectangle
	for y := range c.Of {
		a, b := next.Pix[y*next.Stride:][:next.Rect.Dx()], shown.Pix[y*shown.Stride:][:next.Rect.Dx()]
		if string(a) == string(b) {
			continue
		}
		first, last := 0, len(a)-1
		for a[first] == b[first] {
			first++
		}
		for a[last] == b[last] {
			last--
		}
		c.Equal, c.Rows = false, c.Rows+1
		window = window.Union(image.Rect(first&^7, y, min((last|7)+1, len(a)), y+1))
	}
	return c, window
}
