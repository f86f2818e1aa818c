package pngtile

import (
	"fmt"
	"image"
	"io"
)

// Strips encodes a picture that is never in memory as a whole. Rows are added in order and coded bytes are written at once, so the
// memory does not depend on the picture's height. The file equals the file of [Encoder].
type Strips struct {
	Layout
	c   *coder
	w   io.Writer
	buf []byte
	sum adler
	y   int // rows taken
	err error
}

// NewStrips begins a picture of width x height pixels. Each band is one Write to w.
func NewStrips(w io.Writer, width, height int) (*Strips, error) {
	l, err := NewLayout(width, height)
	if err != nil {
		return nil, err
	}
	return &Strips{
		Layout: l, c: newCoder(l), w: w, sum: sumOfNothing,
		buf: appendHead(nil, width, height),
	}, nil
}

// Write takes the next rows: the picture's full width, opaque, and a multiple of [BandRows] rows unless they are the last ones. The
// file is complete when the last row has been taken. Write does not keep strip. After an error, it only returns that error again.
func (s *Strips) Write(strip *image.RGBA) error {
	size := strip.Rect.Size()
	left := s.height - s.y
	if size.X != s.width || size.Y > left || size.Y%BandRows != 0 && size.Y != left {
		return fmt.Errorf("pngtile: a strip of %dx%d does not continue a picture of width %d with %d rows left",
			size.X, size.Y, s.width, left)
	}
	for y := 0; y < size.Y && s.err == nil; y += BandRows {
		var sum adler
		s.buf, sum = s.c.band(s.buf, strip, y, min(BandRows, size.Y-y))
		s.sum = s.sum.then(sum)
		s.spill()
	}
	if s.y += size.Y; s.y == s.height && s.err == nil {
		s.buf = appendTail(s.buf, s.sum)
		s.spill()
	}
	return s.err
}

// spill writes the collected bytes.
func (s *Strips) spill() {
	_, s.err = s.w.Write(s.buf)
	s.buf = s.buf[:0]
}
