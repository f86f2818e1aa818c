package jpegtile

import (
	"fmt"
	"image"
	"io"
)

// Strips encodes a picture that is never in memory as a whole. Rows are added in order and coded bytes are written at once, so the
// memory does not depend on the picture's height. The file equals the file of [Encoder].
type Strips struct {
	Layout
	c    *coder
	out  sink
	prev [3]int32 // DC values in the current tile
	done int      // MCUs coded
	y    int      // rows taken
}

// NewStrips begins a picture of width x height pixels. Bytes are written to w in pieces of at least 16 kB, except for the last
// piece.
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

// Write takes the next rows: the picture's full width, opaque, and a multiple of [Layout.RowHeight] rows unless they are the last
// ones. The file is complete when the last row has been taken. Write does not keep strip. After an error, it only returns that
// error again.
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

// code codes the next MCU, and ends the tile and the file at their last MCU.
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
