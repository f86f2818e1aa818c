package pngtile

import "image"

// coder turns bands into IDAT chunks. It holds what the bands of one picture share.
type coder struct {
	Layout
	rgb []byte // a pixel of zeros, a row before filtering, slack
	raw []byte // a band's filtered rows, each with its filter's number in front, then slack
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

// band appends the chunk of a band, rows rows of src from row y on, and gives the checksum of what it codes.
func (c *coder) band(dst []byte, src *image.RGBA, y, rows int) ([]byte, adler) {
	line := 1 + pixelBytes*c.width
	var above []byte
	for i := range rows {
		row := src.Pix[(y+i)*src.Stride:][:4*c.width]
		c.row(c.raw[i*line:], row, choose(row, above))
		above = row
	}
	raw := c.raw[:rows*line]
	start := len(dst)
	dst = beginChunk(dst, "IDAT")
	dst = c.d.deflate(dst, raw, line)
	return endChunk(dst, start), sumOf(raw)
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
