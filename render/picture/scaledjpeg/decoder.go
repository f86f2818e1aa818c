// Package scaledjpeg decodes a JPEG at a half, a quarter or an eighth of its size, one band of rows at a time.
//
// Only the low frequencies of each block are transformed, so a photograph for a small screen costs a fraction of the time and
// memory of a whole one. Sequential files need one row of blocks in memory. Progressive files, and files with a separate scan for
// each component, need the low coefficients of all blocks, and for each block a word that marks the other coefficients that are not
// zero. Sections refer to ITU-T T.81. Files with 12 bits, arithmetic coding or four components, and lossless and hierarchical files
// are not supported.
package scaledjpeg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"unsafe"
)

var (
	// ErrUnsupported is wrapped by errors about kinds of files that this package cannot decode.
	ErrUnsupported = errors.New("unsupported kind of JPEG")
	// ErrBroken is wrapped by errors about truncated or invalid files.
	ErrBroken = errors.New("broken JPEG")
)

const (
	maxScans      = 100 // maximum number of scans of a progressive file. Encoders write about ten
	maxSampling   = 4   // B.2.2
	blockSize     = 64
	maxComponents = 3
)

// component is one color of the frame.
type component struct {
	id, h, v, tq  int
	across, down  int // blocks of the component if it is alone in a scan (A.2.2)
	stride, lines int // blocks of the picture, rounded up to whole units
	quant         *[blockSize]int32
	dc, ac        *huffman
	prediction    int32

	coefs   []int16   // n x n coefficients of each block, either of all blocks or of one row of units
	mask    []uint64  // if all are kept: bit k is set if coefficient k in zigzag order is not zero
	factors [16]int16 // quantization factors in the order of coefs

	band    []uint8 // decoded rows of one unit
	columns []int32 // index in a row of band of each output pixel's sample
}

// A Decoder reads one file. It is not safe for concurrent use.
type Decoder struct {
	data    []byte // the unread rest
	size    image.Point
	comps   []component
	quants  [4][blockSize]int32
	tables  [2][4]huffman // DC, AC
	restart int           // units between two restart markers, 0 = none

	progressive, rgb bool
	adobe            bool
	n                int // output pixels on each side of a block
	hMax, vMax       int
	unitsX, unitsY   int
	place            [256]uint8 // place of each coefficient in zigzag order (n*n: not kept)
	lastPlace        int        // last kept coefficient in zigzag order
	bits             bitReader
	unit             int // the next row of units
	sinceRestart     int
	kept             bool // all coefficients are in memory
	first, last      int  // output rows in the bands
	eobRun           int
}

// New reads the headers up to the first scan. It keeps data but does not change it.
func New(data []byte) (*Decoder, error) {
	d := &Decoder{data: data}
	if len(data) < 2 || data[0] != 0xff || data[1] != soi {
		return nil, fmt.Errorf("%w: no start of image", ErrBroken)
	}
	d.data = data[2:]
	if err := d.headers(); err != nil {
		return nil, err
	}
	if d.comps == nil {
		return nil, fmt.Errorf("%w: no frame before the first scan", ErrBroken)
	}
	return d, nil
}

// Size returns the size of the whole picture in pixels.
func (d *Decoder) Size() image.Point { return d.size }

// Progressive reports whether the file is progressive.
func (d *Decoder) Progressive() bool { return d.progressive }

// Scaled returns the size of the picture at n eighths, rounded up.
func (d *Decoder) Scaled(n int) image.Point {
	return image.Pt((d.size.X*n+7)/8, (d.size.Y*n+7)/8)
}

// Memory returns the number of bytes that decoding at n eighths needs, without the data and the output.
func (d *Decoder) Memory(n int) int64 {
	total := int64(unsafe.Sizeof(*d))
	for i := range d.comps {
		c := &d.comps[i]
		total += int64(c.stride) * int64(n*n*c.v)
		total += 4*int64(d.size.X) + 2*beyond
		if d.keeps() {
			total += int64(c.pitch()) * int64(c.lines) * int64(2*n*n+8)
		} else {
			total += int64(c.pitch()) * int64(c.v*2*n*n)
		}
	}
	return total
}

// Start prepares for reading rows at n eighths of the size: 1, 2 or 4. It reads a progressive file completely.
func (d *Decoder) Start(n int) error {
	if n != 1 && n != 2 && n != 4 {
		return fmt.Errorf("scaledjpeg: %d eighths", n)
	}
	d.n, d.kept = n, d.keeps()
	d.places(n)
	for i := range d.comps {
		d.comps[i].prepare(d)
	}
	if d.kept {
		return d.allScans()
	}
	s, err := d.scanHeader()
	if err != nil {
		return err
	}
	return d.beginScan(s)
}

// places computes the places of the n x n coefficients.
func (d *Decoder) places(n int) {
	for k := range d.place {
		d.place[k] = uint8(n * n)
	}
	for k, natural := range zigzag {
		row, column := int(natural)/8, int(natural)%8
		if row < n && column < n {
			d.place[k], d.lastPlace = uint8(row*n+column), k
		}
	}
}

// prepare allocates the buffers of a component.
func (c *component) prepare(d *Decoder) {
	n := d.n
	c.band = make([]uint8, c.stride*n*n*c.v)
	c.columns = make([]int32, d.Scaled(n).X)
	for x := range c.columns {
		c.columns[x] = int32(x * c.h / d.hMax)
	}
	lines := c.v
	if d.kept {
		lines = c.lines
		c.mask = make([]uint64, c.pitch()*lines)
	}
	c.coefs = make([]int16, c.pitch()*lines*n*n+beyond)
}

// pitch returns the number of blocks in a line of coefs. Each line ends with a spare block, because a coefficient that is not kept
// is written at the start of the next block, before that block is read.
func (c *component) pitch() int { return c.stride + 1 }

// beyond is the number of coefficients after the last block, because blocks are read and written in pieces of this length.
const beyond = 32

// ReadRow writes the pixels of row y into dst as opaque RGBA, starting at column x0, as many as fit. Rows must be read in ascending
// order. Some may be skipped.
func (d *Decoder) ReadRow(dst []uint8, x0, y int) error {
	if y < d.first {
		return fmt.Errorf("scaledjpeg: row %d after row %d", y, d.first)
	}
	for y >= d.last {
		if err := d.nextBand(); err != nil {
			return err
		}
	}
	d.convert(dst, x0, y-d.first)
	return nil
}

// nextBand decodes the next row of units.
func (d *Decoder) nextBand() (err error) {
	if d.unit >= d.unitsY {
		return fmt.Errorf("%w: no more rows", ErrBroken)
	}
	line := d.unit
	if !d.kept {
		if err = d.decodeRow(); err != nil {
			return err
		}
		line = 0
	}
	d.transformRow(line)
	d.first, d.last = d.last, d.last+d.vMax*d.n
	d.unit++
	return nil
}

// keeps reports whether all coefficients must be in memory before the first row can be decoded.
func (d *Decoder) keeps() bool {
	if d.progressive {
		return true
	}
	const sos = 5 // bytes up to the number of components: the marker's length and the count
	return len(d.data) < sos || int(d.data[2]) != len(d.comps)
}

// segment splits the parameters of a marker off the data (B.1.1.4).
func (d *Decoder) segment() ([]byte, error) {
	if len(d.data) < 2 {
		return nil, fmt.Errorf("%w: cut short", ErrBroken)
	}
	n := int(binary.BigEndian.Uint16(d.data))
	if n < 2 || n > len(d.data) {
		return nil, fmt.Errorf("%w: a segment of %d bytes", ErrBroken, n)
	}
	s := d.data[2:n]
	d.data = d.data[n:]
	return s, nil
}
