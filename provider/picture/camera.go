package picture

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/ask"
	"dashboard/render/picture"
)

// A Kind is the method with which a camera sends its pictures.
type Kind int

// The kinds.
const (
	Auto     Kind = iota // the content type of the answer decides
	MJPEG                // one endless answer with one picture after another
	Snapshot             // one picture for each request
)

// Limits for a camera.
const (
	PartTime  = 15 * time.Second       // maximum time until the next picture of a stream is complete
	AskTime   = 10 * time.Second       // maximum time for a snapshot, and for a pause in the data of a stream
	framePace = 200 * time.Millisecond // minimum time between two decoded pictures of a stream; pictures that arrive earlier are dropped
	maxBad    = 10                     // unreadable pictures in a row after which the stream counts as failed
)

var (
	errSlow      = fmt.Errorf("%w: no picture has come for %v", fetch.ErrUnavailable, PartTime)
	errStill     = errors.New("does not answer with a stream of pictures: 'kind: snapshot' asks for one at a time")
	errUnreached = errors.New("the stream is over")
)

// A Camera publishes a *picture.Picture for each new picture of a camera. The last picture stays until there is another picture. After
// failures, the pauses between requests grow.
type Camera struct {
	p     *Provider
	kind  Kind
	still string // address that was found to send single pictures; "" if there is no such address
}

var _ provider.Provider = (*Camera)(nil)

// NewCamera returns a provider. c.Interval is the time between snapshots. Providers that share the channel `turn` decode only one picture
// at a time.
func NewCamera(c Config, kind Kind, client *fetch.Client, turn chan struct{}) *Camera {
	c.Static, c.Pick, c.Request.Timeout = false, nil, AskTime
	return &Camera{p: New(c, client, turn), kind: kind}
}

// Kind is "camera".
func (v *Camera) Kind() string { return "camera" }

// From implements provider.Made.
func (v *Camera) From() []*provider.Cell { return v.p.From() }

// Run shows the pictures of the camera until ctx ends.
func (v *Camera) Run(ctx context.Context, cell *provider.Cell) error {
	v.p.forget()
	v.still = ""
	poll := provider.Poll{Interval: v.p.c.Interval, Promise: true, RetryFirst: provider.RetryFirst, RetryMost: provider.RetryMost}
	if v.p.c.From != nil {
		changed := make(chan struct{}, 1)
		defer v.p.c.From.Watch(changed)()
		poll.Changed = changed
	}
	return poll.Run(ctx, cell, func(ctx context.Context, due bool) provider.Result { return v.once(ctx, cell, due) })
}

// once() requests a snapshot, or follows a stream until it ends.
func (v *Camera) once(ctx context.Context, cell *provider.Cell, due bool) provider.Result {
	if due || v.p.c.From == nil {
		v.p.missing(cell)
	}
	req, err := v.p.request(ctx)
	switch {
	case err != nil || req == nil || v.kind == Snapshot || v.kind == Auto && (req.URL == v.still || ask.IsFile(req.URL)):
		return v.snapshot(ctx, due)
	case req.URL == v.p.failed && !due:
		return provider.Result{Outcome: provider.Pending}
	}
	f := &follower{v: v, cell: cell, req: req}
	err = f.follow(ctx)
	switch {
	case err == nil && v.still == req.URL:
		return v.snapshot(ctx, true)
	case err == nil: // the address has changed
		return provider.Result{Outcome: provider.Nothing}
	case ctx.Err() != nil:
		return provider.Result{Outcome: provider.Nothing}
	case f.shown: // a stream that has sent pictures is opened again soon
		cell.Fail(f.tell(err), time.Now())
		return provider.Result{Outcome: provider.Unchanged, Handled: true, Next: provider.RetryFirst}
	}
	v.p.failed = req.URL
	return provider.Fail(f.tell(err), false)
}

// snapshot requests a single picture. After a failure, the next answer decides again whether the camera sends a stream, because a camera that
// starts may send a page before its stream.
func (v *Camera) snapshot(ctx context.Context, due bool) provider.Result {
	r := v.p.once(ctx, due)
	if r.Outcome == provider.Failed {
		v.still = ""
	}
	return r
}

// A follower reads one stream.
type follower struct {
	v     *Camera
	cell  *provider.Cell
	req   *fetch.Request
	shown bool // whether a picture was published
	bad   int  // number of unreadable pictures in a row
	last  time.Time
}

// tell adds the address to an error, unless the error already contains it.
func (f *follower) tell(err error) error {
	if named := (*fetch.Error)(nil); errors.As(err, &named) {
		return err
	}
	return fmt.Errorf("%s: %w", f.req.Shown(), err)
}

// follow publishes pictures until the stream fails. It returns nil if the address has changed. If the answer is a single picture and not
// a stream, it stores the address in Camera.still and also returns nil.
func (f *follower) follow(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(errUnreached)
	slow := time.AfterFunc(PartTime, func() { cancel(errSlow) })
	defer slow.Stop()
	s, err := f.v.p.clientFor(f.req.URL).Stream(ctx, f.req)
	if err != nil {
		return because(ctx, err)
	}
	defer s.Close()
	boundary, moves := boundaryOf(s.Header.Get("Content-Type"))
	if !moves {
		if f.v.kind == MJPEG {
			return errStill
		}
		f.v.still = f.req.URL
		return nil
	}
	p, err := newParts(s, boundary)
	for err == nil && !f.moved() {
		var data []byte
		if data, err = p.next(); err == nil {
			slow.Stop() // stops the timer, because show may wait for other providers that decode
			err = f.show(ctx, data)
			slow.Reset(PartTime)
		}
	}
	return because(ctx, err)
}

// because() returns the reason why reading ended.
func because(ctx context.Context, err error) error {
	if err != nil && errors.Is(context.Cause(ctx), errSlow) {
		return errSlow
	}
	return err
}

// moved() reports whether the address has changed, so that another address must be requested.
func (f *follower) moved() bool {
	from := f.v.p.c.From
	return from != nil && from.Load().Value != any(f.req.URL)
}

// show decodes and publishes a picture. If less than framePace has passed since the last decoded picture, it drops the picture.
func (f *follower) show(ctx context.Context, data []byte) error {
	if f.shown && time.Since(f.last) < framePace {
		return nil
	}
	pic, err := f.v.p.decode(ctx, data)
	f.last = time.Now()
	if err != nil {
		if f.bad++; f.bad < maxBad && ctx.Err() == nil {
			return nil
		}
		return err
	}
	f.bad, f.shown, f.v.p.failed = 0, true, ""
	f.cell.Publish(first(pic), f.last)
	return nil
}

// first() returns a picture with only its first frame, because each picture of a stream is one frame of the motion.
func first(p *picture.Picture) *picture.Picture {
	if len(p.Frames) == 1 {
		return p
	}
	one := picture.Picture{Frames: p.Frames[:1], Rect: p.Rect, Opaque: p.Opaque}
	return &one
}
