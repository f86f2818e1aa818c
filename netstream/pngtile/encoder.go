package pngtile

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"slices"
)

// Encoder keeps the coded bands of one picture. It is not safe for concurrent use.
type Encoder struct {
	Layout
	c       *coder
	bands   []band
	fresh   []byte // a band that was just coded, to be compared with the kept one
	touched []int  // scratch of Update
	changed []int
	head    []byte
	tail    []byte
}

// band is an IDAT chunk and the checksum of the rows in it.
type band struct {
	chunk []byte
	sum   adler
}

// New makes an encoder for pictures of width x height pixels. Until every band has been encoded once, missing bands are black, so
// the file is always complete.
func New(width, height int) (*Encoder, error) {
	l, err := NewLayout(width, height)
	if err != nil {
		return nil, err
	}
	e := &Encoder{
		Layout: l, c: newCoder(l), bands: make([]band, l.Bands()),
		touched: make([]int, 0, l.Bands()), changed: make([]int, 0, l.Bands()),
		head: appendHead(nil, width, height), tail: make([]byte, 0, tailBytes),
	}
	black := image.NewRGBA(image.Rect(0, 0, width, min(height, BandRows)))
	for i := range e.bands {
		e.keep(i, black, 0)
	}
	return e, nil
}

// EncodeBand codes band i of src, which must have the encoder's size and be opaque, and reports whether its bytes
// changed. It does not keep src.
func (e *Encoder) EncodeBand(i int, src *image.RGBA) (changed bool) {
	return e.keep(i, src, i*BandRows)
}

// keep codes band i from the rows of src at y.
func (e *Encoder) keep(i int, src *image.RGBA, y int) (changed bool) {
	var sum adler
	e.fresh, sum = e.c.band(e.fresh[:0], src, y, e.BandRect(i).Dy())
	b := &e.bands[i]
	if bytes.Equal(e.fresh, b.chunk) {
		return false
	}
	b.chunk = append(b.chunk[:0], e.fresh...)
	b.sum = sum
	return true
}

// Update codes the bands that the damage touches and returns those whose bytes changed, ascending. The result is
// valid until the next call. src must have the encoder's size and be opaque. Update does not keep it.
func (e *Encoder) Update(src *image.RGBA, damage ...image.Rectangle) []int {
	e.touched = e.AppendBands(e.touched[:0], damage...)
	e.changed = e.changed[:0]
	for _, i := range e.touched {
		if e.EncodeBand(i, src) {
			e.changed = append(e.changed, i)
		}
	}
	return e.changed
}

// Size is the length of the file in bytes.
func (e *Encoder) Size() int {
	n := headBytes + tailBytes
	for i := range e.bands {
		n += len(e.bands[i].chunk)
	}
	return n
}

// Memory returns the memory of the encoder in bytes, for a budget. It grows with the largest size of each band so far.
func (e *Encoder) Memory() int {
	n := cap(e.fresh) + len(e.c.raw) + len(e.c.rgb) + fixedMemory
	for i := range e.bands {
		n += cap(e.bands[i].chunk)
	}
	return n
}

// fixedMemory is the part of an encoder's memory that does not depend on the picture: hash table, tokens, codes.
const fixedMemory = 4<<hashBits + 4*maxTokens + 40<<10

// AppendTo appends the file.
func (e *Encoder) AppendTo(dst []byte) []byte {
	dst = append(dst, e.head...)
	sum := sumOfNothing
	for i := range e.bands {
		dst = append(dst, e.bands[i].chunk...)
		sum = sum.then(e.bands[i].sum)
	}
	return appendTail(dst, sum)
}

// WriteTo writes the file, a band at a time.
func (e *Encoder) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(e.head)
	written := int64(n)
	sum := sumOfNothing
	for i := 0; i < len(e.bands) && err == nil; i++ {
		n, err = w.Write(e.bands[i].chunk)
		written += int64(n)
		sum = sum.then(e.bands[i].sum)
	}
	if err != nil {
		return written, err
	}
	e.tail = appendTail(e.tail[:0], sum)
	n, err = w.Write(e.tail)
	return written + int64(n), err
}

// AppendDelta appends a PNG that consists of the given bands, one below the other in the given order. There must be at least one.
// No pixel is encoded again. [Layout.AppendPieces] returns the places of its parts.
func (e *Encoder) AppendDelta(dst []byte, bands []int) ([]byte, error) {
	if len(bands) == 0 || len(bands) > len(e.bands) {
		return dst, fmt.Errorf("pngtile: a delta of %d bands is not within 1..%d", len(bands), len(e.bands))
	}
	height, size := 0, headBytes+tailBytes
	for _, i := range bands {
		height += e.BandRect(i).Dy()
		size += len(e.bands[i].chunk)
	}
	dst = appendHead(slices.Grow(dst, size), e.width, height)
	sum := sumOfNothing
	for _, i := range bands {
		dst = append(dst, e.bands[i].chunk...)
		sum = sum.then(e.bands[i].sum)
	}
	return appendTail(dst, sum), nil
}
