package jpegtile

import (
	"fmt"
	"image"
	"io"
)

// DefaultQuality is the quality if Options.Quality is 0.
const DefaultQuality = 85

// DefaultChroma is the sampling if Options.Chroma is 0. docs/dev/decisions/chroma.md explains the choice.
const DefaultChroma = Chroma444

// Options are the settings of an encoder. The zero value means the defaults.
type Options struct {
	Quality int    // 1 to 100, as in libjpeg. 0 means DefaultQuality
	Chroma  Chroma // 0 means DefaultChroma
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

// Encoder keeps the encoded tiles of one picture in memory. It is not safe for concurrent use.
type Encoder struct {
	Layout
	c         *coder
	tiles     store
	lastWhole []byte // copy of a short last tile, filled up to a full interval, for deltas
	head      []byte
	sizeAt    int   // offset of the height and width in the field head
	touched   []int // memory that Update uses again
	changed   []int
	copyBuf   []byte // memory that WriteTo uses again
}

// New returns an encoder for pictures of width x height pixels. The file is always complete, because tiles that were not encoded yet are
// gray.
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

// fillGrey sets every tile to the code of the same gray.
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

// EncodeTile encodes tile i of src. It reports whether the tile's bytes have changed. src must be opaque and have the encoder's size.
// EncodeTile keeps no reference to src.
func (e *Encoder) EncodeTile(i int, src *image.RGBA) (changed bool) {
	body, whole := e.c.tile(i, src)
	if whole != nil {
		e.lastWhole = append(e.lastWhole[:0], whole...)
	}
	return e.tiles.put(i, body)
}

// Update encodes the tiles that the damage touches. It returns the numbers of the tiles whose bytes have changed, in ascending order. The
// returned slice is valid until the next call. src must be opaque and have the encoder's size. Update keeps no reference to src.
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

// Size returns the length of the file in bytes.
func (e *Encoder) Size() int {
	return len(e.head) + e.tiles.total + 2*(e.Layout.tiles-1) + trailerBytes
}

// Memory returns the memory of the encoder in bytes. It does not shrink when the file gets shorter.
func (e *Encoder) Memory() int {
	scratch := cap(e.c.w.buf) + cap(e.copyBuf) + cap(e.lastWhole) + 8*(cap(e.touched)+cap(e.changed))
	return e.tiles.memory() + scratch + fixedMemory
}

// fixedMemory is the part of an encoder's memory that does not depend on the picture: code tables, quantizers, an MCU and headers.
const fixedMemory = 10 << 10

// AppendTo appends the file to dst.
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

// restart returns the marker after interval n. The markers are numbered from 0 to 7 in turn (T.81, B.2.1).
func restart(n int) byte { return markerRST0 + byte(n&7) }

// writeBytes is the size of the pieces that WriteTo writes. It is large enough to make the cost of system calls negligible.
const writeBytes = 32 << 10

// WriteTo writes the file to w.
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

// sink collects bytes for a writer, and remembers the writer's first error.
type sink struct {
	w       io.Writer
	buf     []byte
	written int64
	err     error
}

// spill writes the collected bytes if there are more than `limit`.
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
