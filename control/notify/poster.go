package notify

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
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

	mu   sync.Mutex // guards jobs; goes before the locks of the board and of inboxes
	jobs []job      // not begun; at most MaxWaiting for each inbox

	ctx    context.Context // ends with Close
	end    context.CancelFunc
	turn   chan struct{} // a token for whoever decodes: one at a time, so that it takes the memory of one picture
	wg     sync.WaitGroup
	counts struct {
		accepted, refused, failed atomic.Uint64
		fetching                  atomic.Int64
	}
}

// job is a picture to fetch, and its place in the queue.
type job struct {
	in *Inbox
	t  *ticket
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
	return Stats{
		Accepted: p.counts.accepted.Load(), Refused: p.counts.refused.Load(),
		Failed: p.counts.failed.Load(), Fetching: int(p.counts.fetching.Load()),
	}
}

// Post queues a request for its widget and returns at once. The picture, if it wants one, has its place in the queue while
// it is fetched; what fails is logged and gives the place up. It returns ErrNone, ErrUnknown, ErrFull or a *KeyError.
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
	return nil
}

func (p *Poster) post(r *Request) error {
	in, err := p.board.Lookup(r.Widget)
	switch {
	case err != nil:
		return err
	case in.Kind == Image && r.URL == "":
		return &KeyError{"url", "is required: this widget shows pictures"}
	case in.Kind == Image:
		return p.postImage(in, r)
	case r.Text == nil:
		return &KeyError{"text", "is required: this widget shows texts"}
	}
	_, err = in.reserve(&Notification{Text: *r.Text, Color: r.Color, Background: r.Background, Duration: r.Duration})
	if err == nil {
		p.board.wake()
	}
	return err
}

// postImage reserves the place of a picture and has it fetched.
func (p *Poster) postImage(in *Inbox, r *Request) error {
	t, err := in.reserve(nil)
	if err != nil {
		return err
	}
	if p.ctx.Err() != nil {
		in.drop(t)
		return ErrFull
	}
	p.counts.fetching.Add(1)
	p.mu.Lock()
	p.jobs = append(p.jobs, job{in, t, r})
	p.mu.Unlock()
	p.board.moved()
	return nil
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

// next takes the first job that is next in line for its widget. Those whose widget is gone are forgotten.
func (p *Poster) next() (next job, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.jobs = slices.DeleteFunc(p.jobs, func(j job) bool {
		switch {
		case !p.board.has(j.in):
			p.counts.fetching.Add(-1)
			return true
		case ok || !j.in.first(j.t):
			return false
		}
		next, ok = j, true
		return true
	})
	return next, ok
}

// do fetches one picture and puts it into its place, or gives that up.
func (p *Poster) do(j job) {
	n, err := p.fetch(j)
	if err != nil {
		j.in.drop(j.t)
		if p.ctx.Err() == nil {
			p.log.Warn("a notification's picture cannot be shown", "widget", j.r.Widget, "error", err)
			p.counts.failed.Add(1) // after it was told, for whoever reads the log when it grows
		}
	} else {
		j.in.fill(j.t, n)
	}
	p.counts.fetching.Add(-1)
	p.board.wake() // what comes after it may be ready
}

func (p *Poster) fetch(j job) (n *Notification, err error) {
	defer func() {
		if v := recover(); v != nil { // the bytes are anybody's
			n, err = nil, fmt.Errorf("panic: %v", v)
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
	view := j.in.View()
	pic, err := picture.Decode(resp.Body, view.Box, view.Fit, view.Smooth)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fetch.Redact(j.r.URL), err)
	}
	return &Notification{Picture: pic, Box: view.Box, Duration: j.r.Duration}, nil
}
