package pngtile

import "image"

// coder turns bands into IDAT chunks. It holds what the bands of one picture share.
type coder struct {
	Layout
	filter rowFilter
	raw    []byte // a band's filtered rows, then slack
	d      *deflater
}

func newCoder(l Layout) *coder {
	rows := min(BandRows, l.height)
	return &coder{
		Layout: l,
		filter: newRowFilter(l.width),
		raw:    make([]byte, rows*(1+pixelBytes*l.width)+slack),
		d:      newDeflater(),
	}
}

// band appends the chunk of a band, rows rows of src from row y on, and gives the checksum of what it codes.
func (c *coder) band(dst []byte, src *image.RGBA, y, rows int) ([]byte, adler) {
	sum := sumOfNothing
	line := 1 + pixelBytes*c.width
	var above []byte
	loaded := false // the filter has the row above
	for i := range rows {
		row := src.Pix[(y+i)*src.Stride:][:4*c.width]
		out := c.raw[i*line:]
		filter, same := choose(row, above)
		out[0] = filter
		if same {
			clear(out[1:line])
			sum = sum.bytes(out[:1]).zeros(line - 1)
			above = row
			continue
		}
		if above != nil && !loaded {
			c.filter.load(above)
		}
		c.filter.load(row)
		loaded = true
		c.filter.apply(filter, out[1:], c.width)
		sum = sum.bytes(out[:line])
		above = row
	}
	start := len(dst)
	dst = beginChunk(dst, "IDAT")
	dst = c.d.deflate(dst, c.raw[:rows*line])
	return endChunk(dst, start), sum
}
