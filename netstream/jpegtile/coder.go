package jpegtile

import "image"

// maxBlockBytes bounds the encoded bytes of a block. A block has 64 coefficients, each with at most 16 bits for the code and 11 bits for
// the value. In the worst case, a zero follows each byte.
const (
	maxBlockBytes = 2 * 64 * (16 + 11) / 8
	// slackBytes is the room for the four bytes that a bitWriter may still hold, and for the zeros after them.
	slackBytes = 8
)

// coder encodes runs of MCUs. It holds the data that is common to all tiles of a picture.
type coder struct {
	Layout
	kernel               kernel
	lumaQ, chromaQ       *quantiser
	lumaCode, chromaCode *component
	w                    bitWriter
	m                    mcu
	body                 []byte // copy of the last tile's bytes for the file, if the last tile is shorter than an interval
	padded               []byte // an MCU at the edge, filled up with copies of its last pixels
	color                uint32 // color of the most recent MCU that had only one color
	dc                   [3]int32
	known                bool
}

func newCoder(l Layout, o Options) *coder {
	luma, chroma := scaled(&baseLuma, o.Quality), scaled(&baseChroma, o.Quality)
	return &coder{
		Layout:     l,
		kernel:     fastestKernel(),
		lumaQ:      newQuantiser(&luma),
		chromaQ:    newQuantiser(&chroma),
		lumaCode:   newComponent(&dcLuma, &acLuma),
		chromaCode: newComponent(&dcChroma, &acChroma),
		w:          bitWriter{buf: make([]byte, l.interval*6*maxBlockBytes+slackBytes)},
		padded:     make([]byte, 4*16*16),
	}
}

// tile encodes tile i of src, which is the whole picture. `body` is the tile for the file. `whole` is nil, unless tile i is shorter than
// an interval, as the last tile can be. Then `whole` is the tile for deltas: MCUs of one color, with the DC values of the tile's last
// MCU, fill up the interval. `body` and `whole` are valid until the next call.
func (c *coder) tile(i int, src *image.RGBA) (body, whole []byte) {
	c.w.reset()
	var prev [3]int32
	start, n := i*c.interval, c.mcusIn(i)
	row, col := start/c.cols, start%c.cols
	for range n {
		c.code(c.source(src, col*c.mcu, row*c.mcu), &prev)
		if col++; col == c.cols {
			row, col = row+1, 0
		}
	}
	if n == c.interval {
		return c.w.finish(), nil
	}
	atEnd := c.w
	c.body = append(c.body[:0], c.w.finish()...)
	c.w = atEnd
	for range c.interval - n {
		c.flat(&prev, prev)
	}
	return c.body, c.w.finish()
}

// code encodes one MCU. `prev` holds the DC values of the previous MCU. code() replaces these values by the DC values of this MCU.
func (c *coder) code(p pixels, prev *[3]int32) {
	if p.oneColor(c.mcu) {
		c.flat(prev, c.flatDC(p))
		return
	}
	m := &c.m
	if c.chroma == Chroma420 {
		c.kernel.mcu420(p, c.lumaQ, c.chromaQ, m)
		for i := range 4 {
			c.block(c.lumaCode, i, &prev[0])
		}
		c.block(c.chromaCode, 4, &prev[1])
		c.block(c.chromaCode, 5, &prev[2])
		return
	}
	c.kernel.mcu444(p, c.lumaQ, c.chromaQ, m)
	c.block(c.lumaCode, 0, &prev[0])
	c.block(c.chromaCode, 1, &prev[1])
	c.block(c.chromaCode, 2, &prev[2])
}

func (c *coder) block(codes *component, i int, prev *int32) {
	b := &c.m.blocks[i]
	dc := int32(b[0])
	codes.codeBlock(&c.w, b, c.m.masks[i], dc-*prev)
	*prev = dc
}

// flat() encodes an MCU that has only one color. `dc` holds its DC values.
func (c *coder) flat(prev *[3]int32, dc [3]int32) {
	c.lumaCode.flatBlock(&c.w, dc[0]-prev[0])
	if c.chroma == Chroma420 {
		for range 3 {
			c.lumaCode.flatBlock(&c.w, 0)
		}
	}
	c.chromaCode.flatBlock(&c.w, dc[1]-prev[1])
	c.chromaCode.flatBlock(&c.w, dc[2]-prev[2])
	*prev = dc
}

// flatDC returns the quantized DC values of an MCU that has only one color. The transform would return the same values.
func (c *coder) flatDC(p pixels) [3]int32 {
	color := uint32(p.pix[0]) | uint32(p.pix[1])<<8 | uint32(p.pix[2])<<16
	if c.known && color == c.color {
		return c.dc
	}
	r, g, b := uint64(p.pix[0]), uint64(p.pix[1]), uint64(p.pix[2])
	y := int32(lumaOf(r, g, b) & 0xFFFFFFFF >> convBits)
	cb := int32((b*cHalf + cBias - r*cbR - g*cbG) >> convBits)
	cr := int32((r*cHalf + cBias - g*crG - b*crB) >> convBits)
	c.known, c.color = true, color
	c.dc = [3]int32{
		c.lumaQ.divide(0, 64*y-flatDC),
		c.chromaQ.divide(0, 64*cb-flatDC),
		c.chromaQ.divide(0, 64*cr-flatDC),
	}
	return c.dc
}

// source returns the pixels of the MCU whose top left corner is at (x, y) in src. If the MCU extends beyond the picture, source adds copies
// of the last pixels.
func (c *coder) source(src *image.RGBA, x, y int) pixels {
	size := src.Rect.Size()
	offset := y*src.Stride + 4*x
	w, h := size.X-x, size.Y-y
	if w >= c.mcu && h >= c.mcu {
		return pixels{src.Pix[offset:], src.Stride}
	}
	w, h = min(w, c.mcu), min(h, c.mcu)
	stride := 4 * c.mcu
	for j := range c.mcu {
		line := c.padded[j*stride:][:stride]
		k := 4 * w
		copy(line[:k], src.Pix[offset+min(j, h-1)*src.Stride:])
		for ; k < stride; k += 4 {
			copy(line[k:k+4], line[4*w-4:])
		}
	}
	return pixels{c.padded, stride}
}
