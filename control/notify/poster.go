package notify

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/internal/loglimit"
	"dashboard/render/picture"
)

const (
	// fetchTime limits the fetch of a picture. After that, the notification counts as failed.
	fetchTime = 10 * time.Second
	// workers is the number of parallel fetches, so that a slow address does not delay other widgets.
	workers = 4
)

// Stats counts the work of a Poster.
type Stats struct {
	Accepted uint64 // notifications
	Refused  uint64 // number of invalid requests and of requests above a limit
	Failed   uint64 // pictures that could not be fetched or decoded
	Fetching int    // pictures not fetched yet
}

// A Poster delivers requests to inboxes. Its methods may be called from any goroutine.
//
// A picture is fetched when it is next for its widget. Each inbox holds one decoded picture next to the one on the wall, whatever
// the queue's length, because an animation may take 32 MiB.
type Poster struct {
	board  *Board
	client atomic.Pointer[fetch.Client]
	local  atomic.Pointer[fetch.Client] // client for requests with Local. nil means the field client
	log    *slog.Logger
	lines  *loglimit.Limit // limits log lines

	kept keeping // stores held notifications

	ctx    context.Context // ends with Close
	end    context.CancelFunc
	turn   chan struct{} // a token for decoding, one at a time, to limit memory
	wg     sync.WaitGroup
	counts struct {
		accepted, refused, failed atomic.Uint64
	}
}

// job is a picture to fetch and its item.
type job struct {
	in *Inbox
	t  *item
	r  *Request
}

// NewPoster returns a Poster. The caller ends it with Close. The client fetches pictures and should be guarded, because callers
// choose the addresses. Decoded pictures count in memory.
func NewPoster(b *Board, client *fetch.Client, memory *budget.Memory, log *slog.Logger) *Poster {
	p := &Poster{board: b, log: log, lines: loglimit.New(), turn: make(chan struct{}, 1)}
	p.client.Store(client)
	p.ctx, p.end = context.WithCancel(budget.With(context.Background(), memory))
	for range workers {
		p.wg.Go(p.work)
	}
	return p
}

// SetClient replaces the client.
func (p *Poster) SetClient(c *fetch.Client) {
	if old := p.client.Swap(c); old != nil {
		old.CloseIdle()
	}
}

// SetLocal sets the client for pictures of requests that are Local.
func (p *Poster) SetLocal(c *fetch.Client) { p.local.Store(c) }

// clientOf returns the client for a picture.
func (p *Poster) clientOf(local bool) *fetch.Client {
	if c := p.local.Load(); local && c != nil {
		return c
	}
	return p.client.Load()
}

// Close cancels fetches and waits for them. Later pictures are refused.
func (p *Poster) Close() {
	p.end()
	p.wg.Wait()
}

// Stats returns the counts so far.
func (p *Poster) Stats() Stats {
	s := Stats{Accepted: p.counts.accepted.Load(), Refused: p.counts.refused.Load(), Failed: p.counts.failed.Load()}
	for _, in := range p.board.inboxes() {
		s.Fetching += in.fetching()
	}
	return s
}

// Post queues a request for its widgets and returns at once. A picture has its place in the queue during the fetch. A failed one is
// logged and removed. It returns ErrNone, ErrUnknown, ErrFull, ErrHeld or a *KeyError.
func (p *Poster) Post(r *Request) error {
	err := p.post(r)
	if err != nil {
		p.counts.refused.Add(1)
		return err
	}
	p.counts.accepted.Add(1)
	for _, note := range r.Notes {
		p.warn("part of a notification ignored", "widget", r.Widget, "reason", note)
	}
	p.board.wake()
	p.keep()
	return nil
}

// post gives a request to all of its widgets, or to none of them.
func (p *Poster) post(r *Request) error {
	all, err := p.board.targets(r)
	if err != nil {
		return err
	}
	for _, in := range all {
		if err := r.suits(in.Kind); err != nil {
			return err
		}
		if (r.wantsPicture(in.Kind) || r.wantsIcon(in.Kind)) && p.ctx.Err() != nil {
			return ErrFull
		}
	}
	dropped, err := r.deliver(all, p.board.now())
	for _, n := range dropped {
		p.warn("a waiting notification made way for another", "widget", r.Widget, "sender", n.From)
	}
	return err
}

// Delete ends notifications: see [Board.Delete]. It returns ErrGone for an unknown id.
func (p *Poster) Delete(id, widget string) (n int, err error) {
	n, err = p.board.Delete(id, widget)
	switch {
	case err != nil:
		return 0, err
	case n == 0 && id != "":
		return 0, ErrGone
	case n > 0:
		p.keep()
	}
	return n, nil
}

// work fetches pictures until the end.
func (p *Poster) work() {
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-p.board.moves:
		}
		for j, ok := p.next(); ok && p.ctx.Err() == nil; j, ok = p.next() {
			p.board.moved() // wake the other workers, because another picture may be due
			p.do(j)
		}
	}
}

// next finds a picture that is due.
func (p *Poster) next() (next job, ok bool) {
	for _, in := range p.board.inboxes() {
		if t, from := in.wanted(); t != nil {
			return job{in, t, from}, true
		}
	}
	return job{}, false
}

// do fetches the pictures of a notification and fills its item.
func (p *Poster) do(j job) {
	view := j.in.View()
	var pic *picture.Picture
	var icons Icons
	if j.r.wantsPicture(j.in.Kind) {
		p.logFailure(j, "a notification's picture cannot be shown", p.fetch(j.r.URL, j.r.Local, func(data []byte) (err error) {
			pic, err = picture.Decode(p.ctx, data, view.Box, view.Fit, view.Smooth)
			return err
		}))
	}
	if j.r.wantsIcon(j.in.Kind) {
		p.logFailure(j, "a notification's icon cannot be shown", p.fetch(j.r.Icon, j.r.LocalIcon, func(data []byte) (err error) {
			icons, err = decodeIcons(p.ctx, data, view)
			return err
		}))
	}
	j.in.fill(j.t, j.r, pic, icons, view)
	p.board.wake() // the next one may be ready
}

// logFailure logs the failure of a picture.
func (p *Poster) logFailure(j job, what string, err error) {
	if err != nil && p.ctx.Err() == nil {
		p.warn(what, "widget", j.in.Name, "error", err)
		p.counts.failed.Add(1) // after the log line, because a test may wait for the count
	}
}

// warn logs problems with notifications, limited in number because any caller can cause them.
func (p *Poster) warn(says string, fields ...any) {
	if fields, ok := p.lines.Next(time.Now(), fields...); ok {
		p.log.Warn(says, fields...)
	}
}

// decodeIcons decodes an icon in the sizes of a view. Of an animation it takes the first frame.
func decodeIcons(ctx context.Context, data []byte, view View) (icons Icons, err error) {
	for i, size := range view.Icons {
		if size.X <= 0 || size.Y <= 0 {
			continue
		}
		pic, err := picture.Decode(ctx, data, size, picture.Contain, view.Smooth)
		if err != nil {
			return Icons{}, err
		}
		pic.Frames = slices.Clone(pic.Frames[:1])
		icons[i] = pic
	}
	return icons, nil
}

// fetch gets the bytes of a picture and decodes them.
func (p *Poster) fetch(address string, local bool, decode func([]byte) error) (err error) {
	defer func() {
		if v := recover(); v != nil { // any server may send these bytes
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	resp, err := p.clientOf(local).Do(p.ctx, &fetch.Request{URL: address, Timeout: fetchTime, MaxBytes: picture.MaxBytes})
	if err != nil {
		return err
	}
	defer resp.Release()
	if err := resp.Check(); err != nil {
		return fmt.Errorf("%s: %w", fetch.Redact(address), err)
	}
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
	if err := decode(resp.Body); err != nil {
		return fmt.Errorf("%s: %w", fetch.Redact(address), err)
	}
	return nil
}
