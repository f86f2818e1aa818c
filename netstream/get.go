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

// MaxSide is the longest side of a size that can be asked for, in pixels.
const MaxSide = bilinear.MaxSide

var (
	// ErrNoFrame reports that nothing has been published yet.
	ErrNoFrame = errors.New("netstream: no frame has been published yet")
	// ErrSize reports a size that is not 0 x 0 and not within 1..MaxSide.
	ErrSize = errors.New("netstream: size out of range")
)

// Kinds of a Response. The numbers are HTTP's.
const (
	statusOK          = 200
	statusIMUsed      = 226 // RFC 3229, section 10.4.1
	statusNotModified = 304
)

// A Request requests the current frame.
type Request struct {
	W, H        int    // pixels (both 0: the render size)
	IfNoneMatch string // the header's value ("" when absent)
	Delta       bool   // the asker understands tiles (A-IM: tiles)
	// OnRevoke, which may be nil, is called at most once, by another goroutine, when the body's memory is needed because a client
	// has held one file for too long. It should end a running write. It must not wait and must not close the body.
	OnRevoke func()
}

func (r Request) valid() bool {
	side := func(n int) bool { return n >= 1 && n <= MaxSide }
	return r.W == 0 && r.H == 0 || side(r.W) && side(r.H)
}

// A Response is the answer to a Request.
type Response struct {
	Status      int    // 200, 226 or 304
	ETag        string // tag in quotes, ready for the header
	DeltaBase   string // quoted tag of the frame that the tiles change, for status 226
	ContentType string // "" for 304
	PublishedAt time.Time
	Render      image.Point // size of the frame at which it was rendered, in pixels
	Length      int64       // length of the body in bytes, or -1 if it is not known before writing
	Body        Body        // nil for 304. The caller closes it
}

// A Body is read once, by one goroutine, with Read or with WriteTo, and closed. WriteTo hands the cached bytes to
// the writer without a copy. The writer must not keep or change them.
type Body interface {
	io.ReadCloser
	io.WriterTo
}

// Get answers a request for the current frame. It waits, at most until ctx ends, while the frame is scaled and encoded
// for this size. Tag and bytes of one response belong together even if a newer frame is published during the call. The
// errors are ErrSize, ErrNoFrame, ctx's error and encoder errors.
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

// errResized reports that the render size changed during the request.
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

// touchLocked records a request for a size that needed no work.
func (s *Stream) touchLocked(w, h int) {
	s.countAnswerLocked(statusNotModified, 0)
	if z := s.findLocked(w, h); z != nil {
		s.askLocked(z, s.now())
	}
}

// respond begins the answer to a request for a frame: 304 if the caller has it, otherwise the headers of a 200.
func respond(f frameID, r Request) Response {
	resp := Response{Status: statusOK, ETag: tagOf(f.base, r.W, r.H), PublishedAt: f.at, Render: f.size}
	if r.IfNoneMatch != "" && matches(r.IfNoneMatch, resp.ETag) {
		resp.Status = statusNotModified
	}
	return resp
}

// answer updates a claimed size and returns its response.
func (s *Stream) answer(ctx context.Context, r Request, z *size) (resp Response, err error) {
	if err := z.lock(ctx); err != nil {
		return Response{}, err
	}
	defer z.unlock()
	defer func() {
		if p := recover(); p != nil { // an encoder failed, so this size starts again
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

// fill adds the body: a delta if one is requested and worthwhile, otherwise the file.
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

// deltaFor returns the delta to send and the tag it is based on. That is the latest of the frames that the client has. Only strong
// tags can be bases (RFC 3229, section 10.4.1).
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
