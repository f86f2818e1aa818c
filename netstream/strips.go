package netstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"time"

	"dashboard/netstream/bilinear"
)

const (
	// stripRows is the height of a strip. It is a multiple of the height of tiles in every format. It is also large enough that scaling in
	// strips is as fast as scaling the whole picture.
	stripRows = 32
	// stripTime bounds the time for a response in strips, including the time in which the client reads it. It is needed because the next
	// response in strips has to wait for this response.
	stripTime = 30 * time.Second
)

// ErrTooSlow is returned by reads of a body in strips that takes longer than stripTime.
var ErrTooSlow = errors.New("netstream: reading took too long, others wait")

// inStrips returns a response with a picture of a size that is not kept. It copies the frame, and scales and encodes the copy strip by
// strip. A picture larger than the budget is encoded while the client reads it. Only one response in strips exists at a time. So the
// memory for pixels is limited to one frame and one strip.
func (s *Stream) inStrips(ctx context.Context, r Request, w, h int) (Response, error) {
	if err := acquire(ctx, s.strips); err != nil {
		return Response{}, err
	}
	b := &stripBody{s: s, ctx: ctx, end: s.now().Add(stripTime), w: w, h: h}
	resp, err := b.contain(func() (Response, error) { return b.begin(r) })
	if err != nil || resp.Status == statusNotModified {
		b.Close()
		return resp, err
	}
	if s.fits(w, h) {
		return s.atOnce(b, r, resp)
	}
	resp.Body = b
	s.countAnswer(resp.Status, 0)
	return resp, nil
}

// fits() reports whether a picture of the given size fits into the budget.
func (s *Stream) fits(w, h int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conf.codec.estimate(w, h) <= s.conf.budget
}

// atOnce encodes all strips before the client reads the first strip, so that a slow client does not block the next response in strips. The
// file counts as an old file from the beginning, so the bound of old files applies.
func (s *Stream) atOnce(b *stripBody, r Request, resp Response) (Response, error) {
	defer b.Close()
	for {
		if err := b.step(); err == io.EOF {
			break
		} else if err != nil {
			return Response{}, err
		}
	}
	f := &file{home: &spares{}, kept: true, data: b.buf.Bytes()}
	resp.Length, resp.Body = int64(len(f.data)), s.files.lease(f, r.OnRevoke)
	s.files.retire(f)
	s.countAnswer(resp.Status, len(f.data))
	return resp, nil
}

// stripBody is a body that encodes the picture strip by strip.
type stripBody struct {
	s      *Stream
	ctx    context.Context
	end    time.Time
	w, h   int
	frame  *image.RGBA
	scaler *bilinear.Scaler // nil if frames have this size
	strip  *image.RGBA
	enc    stripEncoder
	y      int          // number of rows encoded so far
	buf    bytes.Buffer // encoded bytes that the client has not read yet
	err    error        // error that all further reads return
	closed bool
}

// contain calls the function `work`, and converts a panic of an encoder to an error.
func (b *stripBody) contain(work func() (Response, error)) (resp Response, err error) {
	defer func() {
		if p := recover(); p != nil {
			resp, err = Response{}, fmt.Errorf("netstream: encode %dx%d in strips: panic: %v", b.w, b.h, p)
		}
	}()
	return work()
}

// begin copies the frame, makes the scaler and the encoder, and returns the response's headers.
func (b *stripBody) begin(r Request) (Response, error) {
	id, codec := b.snapshot()
	if r.W == 0 && id.size != image.Pt(b.w, b.h) {
		return Response{}, errResized
	}
	resp := respond(id, r)
	resp.ContentType, resp.Length = codec.contentType(), -1
	if id.size != image.Pt(b.w, b.h) {
		b.scaler = bilinear.New(b.w, b.h, id.size.X, id.size.Y)
		b.strip = image.NewRGBA(image.Rect(0, 0, b.w, min(stripRows, b.h)))
	}
	var err error
	b.enc, err = codec.strips(&b.buf, b.w, b.h)
	return resp, err
}

// snapshot copies the frame. It returns the frame's id and the present codec.
func (b *stripBody) snapshot() (frameID, codec) {
	b.s.pix.RLock()
	defer b.s.pix.RUnlock()
	b.frame = b.s.ofStrips.take(b.s.frame.Rect.Dx(), b.s.frame.Rect.Dy())
	copyRects(b.frame, b.s.frame, []image.Rectangle{b.frame.Rect})
	b.s.mu.Lock()
	defer b.s.mu.Unlock()
	return b.s.cur, b.s.conf.codec
}

// step encodes the next strip into buf. After the last strip it returns io.EOF.
func (b *stripBody) step() error {
	switch {
	case b.err != nil:
		return b.err
	case b.closed:
		b.err = io.ErrClosedPipe
	case b.y == b.h:
		b.err = io.EOF
	case b.ctx.Err() != nil:
		b.err = b.ctx.Err()
	case b.s.now().After(b.end):
		b.err = ErrTooSlow
	default:
		_, b.err = b.contain(b.next)
	}
	return b.err
}

// next() encodes the next strip.
func (b *stripBody) next() (Response, error) {
	y := b.y
	b.y = min(y+stripRows, b.h)
	return Response{}, b.enc.Write(b.rows(y, b.y))
}

// rows() returns the rows y0 to y1-1 of the scaled picture.
func (b *stripBody) rows(y0, y1 int) *image.RGBA {
	if b.scaler == nil {
		return b.frame.SubImage(image.Rect(0, y0, b.w, y1)).(*image.RGBA)
	}
	b.scaler.ScaleRows(b.strip, y0, y1, b.frame)
	return b.strip
}

// Read implements io.Reader.
func (b *stripBody) Read(p []byte) (int, error) {
	for b.buf.Len() == 0 {
		if err := b.step(); err != nil {
			return 0, err
		}
	}
	return b.buf.Read(p)
}

// WriteTo implements io.WriterTo.
func (b *stripBody) WriteTo(w io.Writer) (written int64, err error) {
	for {
		if b.buf.Len() > 0 {
			n, err := w.Write(b.buf.Bytes())
			written += int64(n)
			b.buf.Reset()
			if err != nil {
				return written, err
			}
		}
		if err := b.step(); err == io.EOF {
			return written, nil
		} else if err != nil {
			return written, err
		}
	}
}

// Close allows the next response in strips to begin. It may be called more than once.
func (b *stripBody) Close() error {
	if !b.closed {
		b.closed = true
		b.s.ofStrips.put(b.frame, b.s.now())
		b.frame, b.strip, b.scaler, b.enc = nil, nil, nil, nil
		b.buf = bytes.Buffer{}
		<-b.s.strips
	}
	return nil
}
