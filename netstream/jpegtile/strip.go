package jpegtile

import (
	"fmt"
	"image"
	"io"
)

// Strips encodes a picture in strips, so the whole picture is never in memory. Rows must be added in order. Encoded bytes are written as
// soon as possible. The file is the same as the file of an [Encoder].
type Strips struct {
	Layout
	c    *coder
	out  sink
	prev [3]int32 // previous DC values in the present tile
	done int      // number of MCUs encoded so far
	y    int      // number of rows added so far
}

// NewStrips starts a picture of width x height pixels. It writes to w in pieces of at least 16 kB, except for the last piece.
func NewStrips(w io.Writer, width, height int, o Options) (*Strips, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	l, err := NewLayout(width, height, o.Chroma)
	if err != nil {
		return nil, err
	}
	s := &Strips{Layout: l, c: newCoder(l, o)}
	s.out = sink{w: w, buf: make([]byte, 0, writeBytes/2+len(s.c.w.buf)+2*trailerBytes)}
	head, _ := header(&l, o)
	s.out.buf = append(s.out.buf, head...)
	return s, nil
}

// Write adds the next rows. `strip` must have the picture's full width and be opaque. Its number of rows must be a multiple of
// [Layout.RowHeight], unless it contains the last rows. After the last row, the file is complete. Write keeps no reference to `strip`.
// After an error of the writer, every further call returns this error.
func (s *Strips) Write(strip *image.RGBA) error {
	size := strip.Rect.Size()
	left := s.height - s.y
	if size.X != s.width || size.Y > left || size.Y%s.mcu != 0 && size.Y != left {
		return fmt.Errorf("jpegtile: a strip of %dx%d does not continue a picture of width %d with %d rows left",
			size.X, size.Y, s.width, left)
	}
	for y := 0; y < size.Y; y += s.mcu {
		for col := range s.cols {
			s.code(s.c.source(strip, col*s.mcu, y))
		}
	}
	s.y += size.Y
	return s.out.err
}

// code encodes the next MCU. After the last MCU of a tile or of the file, it writes the end of the tile or file.
func (s *Strips) code(p pixels) {
	s.c.code(p, &s.prev)
	s.done++
	last := s.done == s.cols*s.rows
	if s.done%s.interval != 0 && !last {
		return
	}
	s.out.buf = append(s.out.buf, s.c.w.finish()...)
	s.c.w.reset()
	s.prev = [3]int32{}
	if last {
		s.out.buf = append(s.out.buf, 0xFF, markerEOI)
		s.out.spill(0)
		return
	}
	s.out.buf = append(s.out.buf, 0xFF, restart(s.done/s.interval-1))
	s.out.spill(writeBytes / 2)
}
