package pngtile

import (
	"bytes"
	"image"
)

// coder encodes bands as IDAT chunks. It holds the data that is common to all bands of a picture.
type coder struct {
	Layout
	rgb []byte // a row before filtering: one pixel of zeros, the row, and `slack` bytes
	raw []byte // the filtered rows of a band, each after its filter byte, and `slack` bytes
	d   *deflater
}

func newCoder(l Layout) *coder {
	rows := min(BandRows, l.height)
	return &coder{
		Layout: l,
		rgb:    make([]byte, pixelBytes+pixelBytes*l.width+slack),
		raw:    make([]byte, rows*(1+pixelBytes*l.width)+slack),
		d:      newDeflater(),
	}
}

// band appends the chunk of a band to dst, and returns the checksum of the filtered rows. y is the number of the band's first row in src,
// and `rows` is the number of rows.
func (c *coder) band(dst []byte, src *image.RGBA, y, rows int) ([]byte, adler) {
	raw := c.raw[:rows*(1+pixelBytes*c.width)]
	sum, same := c.filter(src, y, rows)
	start := len(dst)
	dst = beginChunk(dst, "IDAT")
	dst = c.d.deflate(dst, raw, 1+pixelBytes*c.width, same)
	return endChunk(dst, start), sum
}

// filter writes the filtered rows of a band to the field `raw`. It returns their checksum, and a mask of the rows that equal the row
// above them. A row in this mask costs only a comparison and a copy. On a dashboard, a third of the rows are in it.
func (c *coder) filter(src *image.RGBA, y, rows int) (sum adler, same uint32) {
	line := 1 + pixelBytes*c.width
	sum = sumOfNothing
	var above []byte
	var last adler
	for i := range rows {
		row := src.Pix[(y+i)*src.Stride:][:4*c.width]
		if bytes.Equal(row, above) {
			copy(c.raw[i*line:(i+1)*line], c.raw[(i-1)*line:])
			same |= 1 << i
		} else {
			c.row(c.raw[i*line:], row, choose(row, above))
			last = sumOf(c.raw[i*line : (i+1)*line])
		}
		sum, above = sum.then(last), row
	}
	return sum, same
}

// row applies a filter to a row of RGBA pixels and writes the result to `out`.
func (c *coder) row(out, rgba []byte, filter byte) {
	out[0] = filter
	if filter == filterNone {
		pack(out[1:], rgba)
		return
	}
	pack(c.rgb[pixelBytes:], rgba)
	subtractLeft(out[1:], c.rgb, pixelBytes*c.width)
}
