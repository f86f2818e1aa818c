package picture

import "image"

// runs() decodes run-length encoding with 4 or 8 bits for each pixel. Pixels that are skipped keep color 0. Each step reads at least two
// bytes of the file and writes at most 255 pixels, so a short file cannot take long.
func (b *bitmap) runs() image.Image {
	m := image.NewPaletted(image.Rect(0, 0, b.width, b.height), b.palette)
	p := &runner{m: m, b: b}
	for at := 0; at+2 <= len(b.pixels) && p.y < b.height; {
		count, value := int(b.pixels[at]), b.pixels[at+1]
		at += 2
		switch {
		case count > 0:
			p.repeat(count, value)
		case value == 0: // end of the line
			p.x, p.y = 0, p.y+1
		case value == 1: // end of the picture
			return m
		case value == 2: // move to the right and down without writing pixels
			if at+2 > len(b.pixels) {
				return m
			}
			p.x, p.y = p.x+int(b.pixels[at]), p.y+int(b.pixels[at+1])
			at += 2
		default:
			at += p.copy(b.pixels[at:], int(value))
		}
	}
	return m
}

// A runner writes pixels from left to right, line by line.
type runner struct {
	m    *image.Paletted
	b    *bitmap
	x, y int
}

func (p *runner) put(index byte) {
	if p.x < p.b.width && p.y < p.b.height {
		p.m.Pix[p.b.row(p.y)*p.m.Stride+p.x] = index
	}
	p.x++
}

// repeat writes `count` pixels. For 8 bits, all have the color `value`. For 4 bits, the two halves of `value` alternate.
func (p *runner) repeat(count int, value byte) {
	for i := range count {
		p.put(p.nibble(value, i))
	}
}

// copy writes `count` pixels from `data`. It returns the number of bytes of these pixels, rounded up to an even number.
func (p *runner) copy(data []byte, count int) int {
	bytes := (count*p.b.depth + 7) / 8
	for i := 0; i < count && i*p.b.depth/8 < len(data); i++ {
		p.put(p.nibble(data[i*p.b.depth/8], i))
	}
	return bytes + bytes%2
}

// nibble returns the color of pixel i in a byte. For 8 bits it is the whole byte. For 4 bits it is the upper half for even pixels and the
// lower half for odd pixels.
func (p *runner) nibble(value byte, i int) byte {
	switch {
	case p.b.depth == 8:
		return value
	case i%2 == 0:
		return value >> 4
	}
	return value & 15
}
