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
	// fetchTime is the maximum time for fetching a picture. After that, the picture counts as failed.
	fetchTime = 10 * time.Second
	// workers is the number of pictures that are fetched in parallel. With several workers, a slow address does not delay other widgets.
	workers = 4
)

// Stats counts the work of a Poster.
type Stats struct {
	Accepted uint64 // notifications that were queued
	Refused  uint64 // requests that were invalid or exceeded a limit
	Failed   uint64 // pictures that could not be fetched or decoded
	Fetching int    // pictures that are not fetched yet
}

// A Poster puts requests into inboxes and fetches their pictures. Any goroutine may call its methods.
//
// A picture is fetched when its notification is the next to be shown. Besides the pictures on the wall, each inbox therefore holds at most
// one decoded picture. This limits memory, because an animation may take 32 MiB.
type Poster struct {
	board  *Board
	client atomic.Pointer[fetch.Client]
	local  atomic.Pointer[fetch.Client] // client for requests with Local set; nil means the field client
	log    *slog.Logger
	lines  *loglimit.Limit // limits the log lines

	kept keeping // stores the held notifications

	ctx    context.Context // canceled by Close
	end    context.CancelFunc
	turn   chan struct{} // holds one token. A goroutine needs it to decode a picture, so that only one goroutine decodes at a time
	wg     sync.WaitGroup
	counts struct {
		accepted, refused, failed atomic.Uint64
	}
}

// A job is a picture to fetch and the item that needs it.
type job struct {
	in *Inbox
	t  *item
	r  *Request
}

// NewPoster returns a Poster. The caller must end it with Close. `client` fetches pictures and should refuse forbidden addresses, because
// callers choose the addresses. Decoded pictures count against the budget `memory`.
func NewPoster(b *Board, client *fetch.Client, memory *budget.Memory, log *slog.Logger) *Poster {
	p := &Poster{board: b, log: log, lines: loglimit.New(), turn: make(chan struct{}, 1)}
	p.client.Store(client)
	p.ctx, p.end = context.WithCancel(budget.With(context.Background(), memory))
	for range workers {
		p.wg.Go(p.work)
	}
	return p
}

// SetClient replaces the client that fetches pictures.
func (p *Poster) SetClient(c *fetch.Client) {
	if old := p.client.Swap(c); old != nil {
		old.CloseIdle()
	}
}

// SetLocal sets the client that fetches pictures for requests with Local set.
func (p *Poster) SetLocal(c *fetch.Client) { p.local.Store(c) }

// clientOf returns the client that fetches a picture.
func (p *Poster) clientOf(local bool) *fetch.Client {
	if c := p.local.Load(); local && c != nil {
		return c
	}
	return p.client.Load()
}

// Close cancels all fetches and waits until they have ended. Later requests with pictures are refused.
func (p *Poster) Close() {
	p.end()
	p.wg.Wait()
}

// Stats returns the counts since the start.
func (p *Poster) Stats() Stats {
	s := Stats{Accepted: p.counts.accepted.Load(), Refused: p.counts.refused.Load(), Failed: p.counts.failed.Load()}
	for _, in := range p.board.inboxes() {
		s.Fetching += in.fetching()
	}
	return s
}

// Post queues a request for its widgets and returns without waiting for the picture. The notification has its place in the queue while
// the picture is fetched. A failed fetch is logged. Post returns ErrNone, ErrUnknown, ErrFull, ErrHeld, a *KeyError, or an error about an
// unknown key.
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

// post queues a request for all of its widgets, or for none if one of them has no room.
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

// Delete ends notifications like [Board.Delete]. It returns ErrGone if the ID is unknown.
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

// work fetches pictures until Close. It also stores the held notifications after a widget has removed one.
func (p *Poster) work() {
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-p.board.moves:
		}
		for j, ok := p.next(); ok && p.ctx.Err() == nil; j, ok = p.next() {
			p.board.moved() // wakes another worker, because another picture may have to be fetched
			p.do(j)
		}
		if p.board.ended.Swap(false) {
			p.keep()
		}
	}
}

// next() returns a picture that must be fetched now. ok is false if no picture is due.
func (p *Poster) next() (next job, ok bool) {
	for _, in := range p.board.inboxes() {
		if t, from := in.wanted(); t != nil {
			return job{in, t, from}, true
		}
	}
	return job{}, false
}

// do fetches the pictures of a job and fills its item.
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
	p.board.wake() // the next notification may be ready now
}

// logFailure logs and counts a picture that failed.
func (p *Poster) logFailure(j job, what string, err error) {
	if err != nil && p.ctx.Err() == nil {
		p.warn(what, "widget", j.in.Name, "error", err)
		p.counts.failed.Add(1) // counted after the log line, because tests wait for the count
	}
}

// warn logs a problem with notifications. The number of lines is limited, because any caller can cause them.
func (p *Poster) warn(says string, fields ...any) {
	if fields, ok := p.lines.Next(time.Now(), fields...); ok {
		p.log.Warn(says, fields...)
	}
}

// decodeIcons decodes an icon in all sizes of a view. From an animation it takes the first frame.
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

// fetch requests a picture and passes its bytes to `decode`.
func (p *Poster) fetch(address string, local bool, decode func([]byte) error) (err error) {
	defer func() {
		if v := recover(); v != nil { // decode may panic, because any server may have sent the bytes
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
