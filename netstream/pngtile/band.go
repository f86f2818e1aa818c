package pngtile

import (
	"bytes"
	"image"
)

// coder codes bands into IDAT chunks. It holds the data that all bands of a picture share.
type coder struct {
	Layout
	rgb []byte // a pixel of zeros, an unfiltered row, and slack
	raw []byte // a band's filtered rows, each with the number of its filter first, and slack
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

// band appends the chunk of a band and returns the checksum of the coded bytes. The band has rows rows of src, from row y on.
func (c *coder) band(dst []byte, src *image.RGBA, y, rows int) ([]byte, adler) {
	raw := c.raw[:rows*(1+pixelBytes*c.width)]
	sum, same := c.filter(src, y, rows)
	start := len(dst)
	dst = beginChunk(dst, "IDAT")
	dst = c.d.deflate(dst, raw, 1+pixelBytes*c.width, same)
	return endChunk(dst, start), sum
}

// filter writes the filtered rows of a band. It returns their checksum, and which rows equal the row above. On a dashboard a third
// of the rows do, and such a row only costs a comparison and a copy.
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

// row writes a filtered row to out.
func (c *coder) row(out, rgba []byte, filter byte) {
	out[0] = filter
	if filter == filterNone {
		pack(out[1:], rgba)
		return
	}
	pack(c.rgb[pixelBytes:], rgba)
	subtractLeft(out[1:], c.rgb, pixelBytes*c.width)
}
