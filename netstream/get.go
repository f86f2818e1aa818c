package netstream

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"dashboard/netstream/bilinear"

	"golang.org/x/image/bmp"
)

// MaxSide is the longest side of a size that can be asked for, in pixels.
const MaxSide = bilinear.MaxSide

var (
	// ErrNoFrame says that nothing has been published yet.
	ErrNoFrame = errors.New("netstream: no frame has been published yet")
	// ErrSize says that a size is neither 0 x 0 nor within 1..MaxSide.
	ErrSize = errors.New("netstream: size out of range")
)

// A Request asks for the current frame.
type Request struct {
	W, H        int    // pixels; both 0: the render size
	IfNoneMatch string // the header's value; "" when absent
	Delta       bool   // the asker understands tiles (A-IM: tiles)
}

// A Response is the answer to a Request.
type Response struct {
	Status      int    // 200, 226 or 304
	ETag        string // in quotes, ready for the header
	DeltaBase   string // of 226: the tag of the frame the tiles go onto, in quotes
	ContentType string // "" of 304
	PublishedAt time.Time
	Length      int64 // of the body in bytes; -1: not known before it is written
	Body        Body  // nil of 304; Close it
}

// A Body is read once, by one goroutine. WriteTo hands the cached bytes to the writer without a copy.
type Body interface {
	io.ReadCloser
	io.WriterTo
}

// Get answers a request for the current frame.
func (s *Stream) Get(ctx context.Context, r Request) (Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.W != 0 || r.H != 0 {
		if r.W < 1 || r.H < 1 || r.W > MaxSide || r.H > MaxSide {
			return Response{}, ErrSize
		}
	}
	if s.frame == nil {
		return Response{}, ErrNoFrame
	}
	resp := Response{Status: 200, ETag: `"` + s.cur.ETag + `"`, PublishedAt: s.cur.At}
	img := s.frame
	if r.W != 0 {
		resp.ETag = `"` + s.cur.ETag + "-" + itoa(r.W) + "x" + itoa(r.H) + `"`
	}
	if r.IfNoneMatch == resp.ETag {
		resp.Status = 304
		return resp, nil
	}
	if r.W != 0 {
		size := s.frame.Rect.Size()
		img = image.NewRGBA(image.Rect(0, 0, r.W, r.H))
		bilinear.New(r.W, r.H, size.X, size.Y).Scale(img, img.Rect, s.frame)
	}
	var b bytes.Buffer
	var err error
	switch s.opts.Format {
	case "png":
		resp.ContentType, err = "image/png", png.Encode(&b, img)
	case "bmp":
		resp.ContentType, err = "image/bmp", bmp.Encode(&b, img)
	default:
		resp.ContentType, err = "image/jpeg", jpeg.Encode(&b, img, &jpeg.Options{Quality: max(s.opts.Quality, 1)})
	}
	resp.Length = int64(b.Len())
	resp.Body = plainBody{bytes.NewReader(b.Bytes())}
	return resp, err
}

type plainBody struct{ *bytes.Reader }

func (plainBody) Close() error { return nil }
