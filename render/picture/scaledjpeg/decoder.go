// Package scaledjpeg decodes a JPEG at a half, a quarter or an eighth of its size, one band of rows at a time.
//
// It transforms only the low frequencies of each block. So a photograph for a small screen takes a fraction of the time and memory of a
// full decoding. For sequential files, one row of blocks is in memory. For progressive files, and for files with a separate scan for each
// component, the low coefficients of all blocks are in memory. For each block, these files also need a word that marks all coefficients
// that are not zero. Section numbers in comments refer to ITU-T T.81. The package does not support files with 12 bits, arithmetic coding
// or four components, or lossless or hierarchical files.
package scaledjpeg

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"unsafe"
)

var (
	// ErrUnsupported is wrapped by errors about JPEG files of a kind that this package cannot decode.
	ErrUnsupported = errors.New("unsupported kind of JPEG")
	// ErrBroken is wrapped by errors about truncated or invalid files.
	ErrBroken = errors.New("broken JPEG")
)

const (
	maxScans      = 100 // maximum number of scans. Encoders write about ten
	maxSampling   = 4   // greatest sampling factor (B.2.2)
	blockSize     = 64
	maxComponents = 3
)

// component is one color channel of the picture.
type component struct {
	id, h, v, tq  int
	across, down  int // number of blocks horizontally and vertically, if the component has its own scans (A.2.2)
	stride, lines int // number of blocks horizontally and vertically, rounded up to whole units
	quant         *[blockSize]int32
	dc, ac        *huffman
	prediction    int32

	coefs   []int16   // n x n coefficients for each block: of the whole picture if `kept` is true, otherwise of one row of units
	mask    []uint64  // for kept coefficients: bit k of a block is set if its coefficient k in zigzag order is not zero
	factors [16]int16 // quantization factors, in the same order as coefs

	band    []uint8 // decoded samples of one row of units
	columns []int32 // for each output pixel, the index of its sample in a row of the field `band`
}

// A Decoder reads one file. It is not safe for concurrent use.
type Decoder struct {
	data    []byte // the data that is not read yet
	size    image.Point
	comps   []component
	quants  [4][blockSize]int32
	tables  [2][4]huffman // Huffman tables for DC and AC coefficients
	restart int           // number of units between two restart markers. 0 means no markers

	progressive, rgb bool
	adobe            bool
	n                int // side of a scaled block, in output pixels
	hMax, vMax       int
	unitsX, unitsY   int
	place            [256]uint8 // index in coefs of each coefficient in zigzag order. n*n means that the coefficient is dropped
	lastPlace        int        // zigzag index of the last coefficient that is not dropped
	bits             bitReader
	unit             int // index of the next row of units
	sinceRestart     int
	kept             bool // true if the coefficients of the whole picture are in memory
	first, last      int  // range of output rows that the bands hold
	eobRun           int
}

// New reads the headers up to the first scan. The decoder keeps a reference to `data` but does not change it.
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

// Size returns the size in pixels of the picture before scaling.
func (d *Decoder) Size() image.Point { return d.size }

// Progressive reports whether the file is progressive.
func (d *Decoder) Progressive() bool { return d.progressive }

// Scaled returns the size of the picture at n eighths, rounded up.
func (d *Decoder) Scaled(n int) image.Point {
	return image.Pt((d.size.X*n+7)/8, (d.size.Y*n+7)/8)
}

// Memory returns how many bytes decoding at n eighths needs, in addition to the file's data and the output.
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

// Start prepares to read rows at n eighths of the size. n is 1, 2 or 4. If the coefficients of the whole picture are needed, Start reads
// the whole file.
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

// places() computes which coefficients are kept, and their indices in a block of n x n.
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

// prepare allocates the memory of a component.
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

// pitch returns the number of blocks in a line of coefs, including a spare block at the end. The decoder writes a dropped coefficient to
// the start of the next block, and overwrites it when it reads the next block. At the end of a line, the spare block receives the dropped
// coefficients.
func (c *component) pitch() int { return c.stride + 1 }

// `beyond` is the number of spare coefficients at the end of coefs, because sequential() treats each block as an array of this length.
const beyond = 32

// ReadRow writes the pixels of row y as opaque RGBA, starting at column x0, until dst is full. Rows
// must be read in ascending order, but may be skipped.
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

// nextBand decodes the next row of units into the bands.
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

// keeps() reports whether the coefficients of the whole picture are needed before the first row can be decoded.
func (d *Decoder) keeps() bool {
	if d.progressive {
		return true
	}
	const sos = 5 // length of the smallest scan header, with one component
	return len(d.data) < sos || int(d.data[2]) != len(d.comps)
}

// segment returns the parameters of the present marker, and moves d.data to the first byte after the parameters (B.1.1.4).
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
