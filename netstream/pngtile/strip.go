package pngtile

import (
	"fmt"
	"image"
	"io"
)

// Strips encodes a picture in strips, so the whole picture is never in memory. Rows must be added in order. Encoded bytes are written as
// soon as possible. The file is the same as the file of an [Encoder].
type Strips struct {
	Layout
	c   *coder
	w   io.Writer
	buf []byte
	sum adler
	y   int // number of rows added so far
	err error
}

// NewStrips starts a picture of width x height pixels. It writes each band to w with one call of w.Write.
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

// Write adds the next rows. `strip` must have the picture's full width and be opaque. Its number of rows must be a multiple of [BandRows],
// unless it contains the last rows. After the last row, the file is complete. Write keeps no reference to `strip`. After an error of the
// writer, every further call returns this error.
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

// spill writes the collected bytes to the writer.
func (s *Strips) spill() {
	_, s.err = s.w.Write(s.buf)
	s.buf = s.buf[:0]
}
