package netstream

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"time"

	"dashboard/netstream/bilinear"
)

// MaxSide is the longest side of a size that a client can request, in pixels.
const MaxSide = bilinear.MaxSide

var (
	// ErrNoFrame is returned as long as no frame has been published.
	ErrNoFrame = errors.New("netstream: no frame has been published yet")
	// ErrSize is returned if a side of the requested size is out of range. Allowed sizes are 0x0, and sizes whose sides are both in
	// 1..MaxSide.
	ErrSize = errors.New("netstream: size out of range")
)

// Values of Response.Status. They are HTTP status codes.
const (
	statusOK          = 200
	statusIMUsed      = 226 // RFC 3229, section 10.4.1
	statusNotModified = 304
)

// A Request is a request for the current frame.
type Request struct {
	W, H        int    // size in pixels. Both 0: the size at which the frame was rendered
	IfNoneMatch string // value of the header If-None-Match, or ""
	Delta       bool   // true if the client accepts tiles (A-IM: tiles)
	// OnRevoke, if not nil, is called if the client uses the body's file for too long and the memory of the file is needed. It is called
	// at most once, from another goroutine. It should end a running write of the body. It must not wait, and it must not close the body.
	OnRevoke func()
}

func (r Request) valid() bool {
	side := func(n int) bool { return n >= 1 && n <= MaxSide }
	return r.W == 0 && r.H == 0 || side(r.W) && side(r.H)
}

// A Response is the answer to a Request.
type Response struct {
	Status      int    // 200, 226 or 304
	ETag        string // tag in quotes, as the header needs it
	DeltaBase   string // for status 226, the quoted tag of the frame to which the tiles must be applied
	ContentType string // "" for status 304
	PublishedAt time.Time
	Render      image.Point // size at which the frame was rendered, in pixels
	Length      int64       // length of the body in bytes, or -1 if it is not known in advance
	Body        Body        // nil for status 304. The caller must close it
}

// A Body is the body of a response. One goroutine may read it once, with Read or WriteTo, and must close it. WriteTo passes the cached
// bytes to the writer without a copy. So the writer must not keep or change them.
type Body interface {
	io.ReadCloser
	io.WriterTo
}

// Get answers a request for the current frame. It waits until the frame is scaled and encoded for the requested size, or until ctx ends.
// If a newer frame is published during the call, the tag of the response still belongs to its bytes. Possible errors are ErrSize,
// ErrNoFrame, the error of ctx, and errors of encoders.
func (s *Stream) Get(ctx context.Context, r Request) (Response, error) {
	if !r.valid() {
		return Response{}, ErrSize
	}
	for {
		resp, err := s.get(ctx, r)
		if err != errResized {
			return resp, err
		}
	}
}

// errResized is returned if the render size has changed during the request.
var errResized = errors.New("netstream: render size changed")

func (s *Stream) get(ctx context.Context, r Request) (Response, error) {
	s.mu.Lock()
	if s.cur.seq == 0 {
		s.mu.Unlock()
		return Response{}, ErrNoFrame
	}
	w, h := r.W, r.H
	if w == 0 {
		w, h = s.cur.size.X, s.cur.size.Y
	}
	resp := respond(s.cur, r)
	if resp.Status == statusNotModified {
		s.touchLocked(w, h)
		s.mu.Unlock()
		return resp, nil
	}
	z := s.claimLocked(w, h)
	s.mu.Unlock()
	if z == nil {
		return s.inStrips(ctx, r, w, h)
	}
	defer s.yield(z)
	return s.answer(ctx, r, z)
}

// touchLocked records a request for the size w x h that is answered with status 304.
func (s *Stream) touchLocked(w, h int) {
	s.countAnswerLocked(statusNotModified, 0)
	if z := s.findLocked(w, h); z != nil {
		s.askLocked(z, s.now())
	}
}

// respond returns a response without a body: status 304 if the client already has the frame, otherwise the headers of status 200.
func respond(f frameID, r Request) Response {
	resp := Response{Status: statusOK, ETag: tagOf(f.base, r.W, r.H), PublishedAt: f.at, Render: f.size}
	if r.IfNoneMatch != "" && matches(r.IfNoneMatch, resp.ETag) {
		resp.Status = statusNotModified
	}
	return resp
}

// answer brings a claimed size up to date and returns the response.
func (s *Stream) answer(ctx context.Context, r Request, z *size) (resp Response, err error) {
	if err := z.lock(ctx); err != nil {
		return Response{}, err
	}
	defer z.unlock()
	defer func() {
		if p := recover(); p != nil { // an encoder has panicked. Drop the size, so that the next request creates the size again
			s.broken(z)
			resp, err = Response{}, fmt.Errorf("netstream: encode %dx%d: panic: %v", z.w, z.h, p)
		}
	}()
	if err := s.update(ctx, z); err != nil {
		return Response{}, err
	}
	if r.W == 0 && !z.native() {
		return Response{}, errResized
	}
	resp = respond(z.shown, r)
	if resp.Status == statusNotModified { // the client already has the newer frame
		s.countAnswer(resp.Status, 0)
		return resp, nil
	}
	s.fill(&resp, r, z)
	s.weigh(z)
	return resp, nil
}

// fill adds the body to a response. The body is a delta if the client accepts deltas and the delta is small enough. Otherwise it is the
// whole file.
func (s *Stream) fill(resp *Response, r Request, z *size) {
	f, base := s.deltaFor(r, z)
	if f != nil {
		resp.Status, resp.DeltaBase, resp.ContentType = statusIMUsed, base, DeltaContentType
	} else {
		f = s.whole(z)
		resp.ContentType = z.contentType
	}
	resp.Length = int64(len(f.data))
	resp.Body = s.files.lease(f, r.OnRevoke)
	s.countAnswer(resp.Status, len(f.data))
}

// deltaFor returns the delta to send, and the tag of the frame that the delta is based on. If the request names several frames that the
// size remembers, deltaFor chooses the newest of these frames. It returns nil if there is no delta. It ignores weak tags, because RFC
// 3229, section 10.4.1, does not allow weak tags for deltas.
func (s *Stream) deltaFor(r Request, z *size) (*file, string) {
	if !r.Delta || z.tiler == nil {
		return nil, ""
	}
	var from uint64
	var base string
	for list := r.IfNoneMatch; list != ""; {
		var tag string
		var weak bool
		tag, weak, list = cutTag(list)
		if b, ok := baseOf(tag, r.W, r.H); ok && !weak {
			if v := z.find(b, r.W == 0); v > from {
				from, base = v, tag
			}
		}
	}
	if from == 0 {
		return nil, ""
	}
	return s.delta(z, from), base
}
