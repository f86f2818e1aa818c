package jpegtile

import (
	"fmt"
	"image"
	"io"
)

// DefaultQuality is the quality of Options without a quality.
const DefaultQuality = 85

// DefaultChroma is the sampling of Options without one. docs/dev/decisions/chroma.md has the measurement.
const DefaultChroma = Chroma444

// Options are the settings of an encoder. The zero value means the defaults.
type Options struct {
	Quality int    // 1 to 100, on libjpeg's scale (0 is DefaultQuality)
	Chroma  Chroma // 0 is DefaultChroma
}

func (o Options) withDefaults() (Options, error) {
	if o.Quality == 0 {
		o.Quality = DefaultQuality
	}
	if o.Chroma == 0 {
		o.Chroma = DefaultChroma
	}
	if o.Quality < 1 || o.Quality > 100 {
		return o, fmt.Errorf("jpegtile: quality %d is not within 1..100", o.Quality)
	}
	return o, nil
}

// Encoder keeps the coded tiles of one picture. It is not safe for concurrent use.
type Encoder struct {
	Layout
	c         *coder
	tiles     store
	lastWhole []byte // the short last tile filled up to an interval, for deltas
	head      []byte
	sizeAt    int   // offset of height and width in head
	touched   []int // scratch of Update
	changed   []int
	copyBuf   []byte // scratch of WriteTo
}

// New makes an encoder for pictures of width x height pixels. Until every tile has been encoded once, missing tiles are gray, so
// the file is always complete.
func New(width, height int, o Options) (*Encoder, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	l, err := NewLayout(width, height, o.Chroma)
	if err != nil {
		return nil, err
	}
	e := &Encoder{
		Layout: l, c: newCoder(l, o), tiles: newStore(l.tiles),
		touched: make([]int, 0, l.tiles), changed: make([]int, 0, l.tiles),
	}
	e.head, e.sizeAt = header(&l, o)
	e.fillGrey()
	return e, nil
}

// fillGrey sets every tile to the code of one gray.
func (e *Encoder) fillGrey() {
	grey := func(mcus int) []byte {
		e.c.w.reset()
		for range mcus {
			e.c.flat(new([3]int32), [3]int32{})
		}
		return e.c.w.finish()
	}
	for i := range e.Layout.tiles {
		e.tiles.put(i, grey(e.mcusIn(i)))
	}
	e.lastWhole = append(e.lastWhole, grey(e.interval)...)
}

// EncodeTile codes tile i of src, which must have the encoder's size and be opaque, and reports whether its bytes
// changed. It does not keep src.
func (e *Encoder) EncodeTile(i int, src *image.RGBA) (changed bool) {
	body, whole := e.c.tile(i, src)
	if whole != nil {
		e.lastWhole = append(e.lastWhole[:0], whole...)
	}
	return e.tiles.put(i, body)
}

// Update codes the tiles that the damage touches and returns those whose bytes changed, ascending. The result is valid until the next
// call. src must have the encoder's size and be opaque. Update does not keep it.
func (e *Encoder) Update(src *image.RGBA, damage ...image.Rectangle) []int {
	e.touched = e.AppendTiles(e.touched[:0], damage...)
	e.changed = e.changed[:0]
	for _, i := range e.touched {
		if e.EncodeTile(i, src) {
			e.changed = append(e.changed, i)
		}
	}
	return e.changed
}

// Size is the length of the file in bytes.
func (e *Encoder) Size() int {
	return len(e.head) + e.tiles.total + 2*(e.Layout.tiles-1) + trailerBytes
}

// Memory returns the memory of the encoder in bytes, for a budget. It grows with the largest file so far.
func (e *Encoder) Memory() int {
	scratch := cap(e.c.w.buf) + cap(e.copyBuf) + cap(e.lastWhole) + 8*(cap(e.touched)+cap(e.changed))
	return e.tiles.memory() + scratch + fixedMemory
}

// fixedMemory is the part of an encoder's memory that does not depend on the picture: code tables, quantizers, an MCU, headers.
const fixedMemory = 10 << 10

// AppendTo appends the file.
func (e *Encoder) AppendTo(dst []byte) []byte {
	dst = append(dst, e.head...)
	for i := range e.Layout.tiles {
		if i > 0 {
			dst = append(dst, 0xFF, restart(i-1))
		}
		dst = e.tiles.appendTo(dst, i)
	}
	return append(dst, 0xFF, markerEOI)
}

// restart returns the marker after the n-th interval. Markers count modulo 8 (T.81, B.2.1).
func restart(n int) byte { return markerRST0 + byte(n&7) }

// writeBytes is the size of the pieces of WriteTo, large enough that the cost of system calls is negligible.
const writeBytes = 32 << 10

// WriteTo writes the file.
func (e *Encoder) WriteTo(w io.Writer) (int64, error) {
	if e.copyBuf == nil {
		e.copyBuf = make([]byte, 0, writeBytes)
	}
	s := sink{w: w, buf: append(e.copyBuf[:0], e.head...)}
	for i := range e.Layout.tiles {
		if i > 0 {
			s.buf = append(s.buf, 0xFF, restart(i-1))
		}
		s.buf = e.tiles.appendTo(s.buf, i)
		s.spill(writeBytes / 2)
	}
	s.buf = append(s.buf, 0xFF, markerEOI)
	s.spill(0)
	e.copyBuf = s.buf
	return s.written, s.err
}

// sink gathers bytes for a writer and remembers its first error.
type sink struct {
	w       io.Writer
	buf     []byte
	written int64
	err     error
}

// spill writes the gathered bytes if there are more than limit.
func (s *sink) spill(limit int) {
	if len(s.buf) <= limit {
		return
	}
	if s.err == nil {
		var n int
		n, s.err = s.w.Write(s.buf)
		s.written += int64(n)
	}
	s.buf = s.buf[:0]
}
