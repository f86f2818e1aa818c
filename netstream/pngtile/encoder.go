package pngtile

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"slices"
)

// Encoder keeps the encoded bands of one picture. It is not safe for concurrent use.
type Encoder struct {
	Layout
	c       *coder
	bands   []band
	fresh   []byte // a new version of a band, before it is compared with the stored version
	touched []int  // memory that Update uses again
	changed []int
	head    []byte
	tail    []byte
}

// band is the IDAT chunk of a band, and the checksum of its filtered rows.
type band struct {
	chunk []byte
	sum   adler
}

// New returns an encoder for pictures of width x height pixels. The file is always complete, because bands that were not encoded yet are
// black.
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

// EncodeBand encodes band i of src. It reports whether the band's bytes have changed. src must be opaque and have the encoder's size.
// EncodeBand keeps no reference to src.
func (e *Encoder) EncodeBand(i int, src *image.RGBA) (changed bool) {
	return e.keep(i, src, i*BandRows)
}

// keep() encodes band i from the rows of src that begin at y, and stores the result. It reports whether the result differs from the
// previous bytes of the band.
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

// Update encodes the bands that the damage touches. It returns the numbers of the bands whose bytes have changed, in ascending order. The
// returned slice is valid until the next call. src must be opaque and have the encoder's size. Update keeps no reference to src.
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

// Size returns the length of the file in bytes.
func (e *Encoder) Size() int {
	n := headBytes + tailBytes
	for i := range e.bands {
		n += len(e.bands[i].chunk)
	}
	return n
}

// Memory returns the memory of the encoder in bytes. It does not shrink when bands get shorter.
func (e *Encoder) Memory() int {
	n := cap(e.fresh) + len(e.c.raw) + len(e.c.rgb) + fixedMemory
	for i := range e.bands {
		n += cap(e.bands[i].chunk)
	}
	return n
}

// fixedMemory is the part of an encoder's memory that does not depend on the picture: hash table, tokens and codes.
const fixedMemory = 4<<hashBits + 4*maxTokens + 40<<10

// AppendTo appends the file to dst.
func (e *Encoder) AppendTo(dst []byte) []byte {
	dst = append(dst, e.head...)
	sum := sumOfNothing
	for i := range e.bands {
		dst = append(dst, e.bands[i].chunk...)
		sum = sum.then(e.bands[i].sum)
	}
	return appendTail(dst, sum)
}

// WriteTo writes the file to w, one band at a time.
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

// AppendDelta appends a PNG that consists of the given bands, one below the other in the given order. There must be at least one band, and
// at most as many as the picture has. AppendDelta uses the stored bytes of the bands and encodes no pixels. [Layout.AppendPieces] returns
// the position of each part of the delta in the picture.
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
