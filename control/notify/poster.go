package notify

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/internal/fetch"
	"dashboard/render/picture"
)

const (
	// fetchTime bounds one picture's fetch. A notification that comes later is none.
	fetchTime = 10 * time.Second
	// workers fetch side by side, so that one slow address does not hold up other widgets.
	workers = 4
)

// Stats count what a Poster was given.
type Stats struct {
	Accepted uint64 // notifications
	Refused  uint64 // requests that were wrong, or too many
	Failed   uint64 // pictures that could not be fetched or decoded
	Fetching int    // pictures not fetched yet
}

// A Poster takes requests to their inboxes. Its methods may be called from any goroutine.
//
// A picture is fetched when it is next in line for its widget: each inbox holds one decoded picture beside the one on the
// wall, however many addresses wait, for an animation may keep 32 MiB.
type Poster struct {
	board  *Board
	client atomic.Pointer[fetch.Client]
	local  atomic.Pointer[fetch.Client] // of requests that are Local; nil: client
	log    *slog.Logger

	kept keeping // what is held, for the next start

	ctx    context.Context // ends with Close
	end    context.CancelFunc
	turn   chan struct{} // a token for whoever decodes: one at a time, so that it takes the memory of one picture
	wg     sync.WaitGroup
	counts struct {
		accepted, refused, failed atomic.Uint64
	}
}

// job is a picture to fetch, and what it belongs to.
type job struct {
	in *Inbox
	t  *item
	r  *Request
}

// NewPoster returns a Poster, to be ended with Close. The client fetches the pictures and should be guarded: their addresses
// are anybody's.
func NewPoster(b *Board, client *fetch.Client, log *slog.Logger) *Poster {
	p := &Poster{board: b, log: log, turn: make(chan struct{}, 1)}
	p.client.Store(client)
	p.ctx, p.end = context.WithCancel(context.Background())
	for range workers {
		p.wg.Go(p.work)
	}
	return p
}

// SetClient fetches with another client from now on.
func (p *Poster) SetClient(c *fetch.Client) {
	if old := p.client.Swap(c); old != nil {
		old.CloseIdle()
	}
}

// SetLocal fetches pictures of requests that are Local with another client than the others' from now on.
func (p *Poster) SetLocal(c *fetch.Client) { p.local.Store(c) }

// clientOf is the client that fetches the picture of a request.
func (p *Poster) clientOf(r *Request) *fetch.Client {
	if c := p.local.Load(); r.Local && c != nil {
		return c
	}
	return p.client.Load()
}

// Close ends what is being fetched and waits for it. Pictures posted later are refused.
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

// Post queues a request for its widgets and returns at once. The picture, if it wants one, has its place in the queue while
// it is fetched; what fails is logged and gives the place up. It returns ErrNone, ErrUnknown, ErrFull, ErrHeld or a *KeyError.
func (p *Poster) Post(r *Request) error {
	err := p.post(r)
	if err != nil {
		p.counts.refused.Add(1)
		return err
	}
	p.counts.accepted.Add(1)
	for _, note := range r.Notes {
		p.log.Warn("part of a notification ignored", "widget", r.Widget, "reason", note)
	}
	p.board.wake()
	p.keep()
	return nil
}

// post finds all widgets of a request before it hands it to the first.
func (p *Poster) post(r *Request) error {
	all, err := p.board.targets(r)
	if err != nil {
		return err
	}
	for _, in := range all {
		if err := r.suits(in.Kind); err != nil {
			return err
		}
		if r.wantsPicture(in.Kind) && p.ctx.Err() != nil {
			return ErrFull
		}
	}
	for _, in := range all {
		n, from := r.notification(in, p.board.now())
		if err := in.put(n, from); err != nil {
			return err
		}
	}
	return nil
}

// Delete ends notifications: see [Board.Delete]. It returns ErrGone if an id is given that none has.
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
			p.board.moved() // there may be work for another one
			p.do(j)
		}
	}
}

// next finds a picture that is next in line for its widget.
func (p *Poster) next() (next job, ok bool) {
	for _, in := range p.board.inboxes() {
		if t, from := in.wanted(); t != nil {
			return job{in, t, from}, true
		}
	}
	return job{}, false
}

// do fetches one picture and puts it into its place, or gives that up.
func (p *Poster) do(j job) {
	view := j.in.View()
	pic, err := p.fetch(j, view)
	if err != nil && p.ctx.Err() == nil {
		p.log.Warn("a notification's picture cannot be shown", "widget", j.in.Name, "error", err)
		p.counts.failed.Add(1) // after it was told, for whoever reads the log when it grows
	}
	j.in.fill(j.t, j.r, pic, view)
	p.board.wake() // what comes after it may be ready
}

func (p *Poster) fetch(j job, view View) (pic *picture.Picture, err error) {
	defer func() {
		if v := recover(); v != nil { // the bytes are anybody's
			pic, err = nil, fmt.Errorf("panic: %v", v)
		}
	}()
	resp, err := p.clientOf(j.r).Do(p.ctx, &fetch.Request{URL: j.r.URL, Timeout: fetchTime, MaxBytes: picture.MaxBytes})
	if err != nil {
		return nil, err
	}
	defer resp.Release()
	if err := resp.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", fetch.Redact(j.r.URL), err)
	}
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-p.ctx.Done():
		return nil, p.ctx.Err()
	}
	pic, err = picture.Decode(resp.Body, view.Box, view.Fit, view.Smooth)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fetch.Redact(j.r.URL), err)
	}
	return pic, nil
}
