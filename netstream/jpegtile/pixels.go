package jpegtile

import "encoding/binary"

// Colour conversion by ITU-T T.871 in 15-bit fractions, small enough for 16-bit multipliers. Each row sums to 1 or to 0
// exactly, so that greys stay grey.
const (
	convBits = 15
	yR       = 9798  // 0.299
	yG       = 19235 // 0.587
	yB       = 3735  // 0.114
	cbR      = 5529  // 0.168736, subtracted
	cbG      = 10855 // 0.331264, subtracted
	crG      = 13720 // 0.418688, subtracted
	crB      = 2664  // 0.081312, subtracted
	cHalf    = 16384 // 0.5

	// Chroma rounds a hair below half, so that pure blue and red give 255, not 256.
	yBias = 1 << (convBits - 1)
	cBias = 128<<convBits + 1<<(convBits-1) - 1
	// For the sum of four pixels.
	cBias4 = 128<<(convBits+2) + 1<<(convBits+1) - 1
)

// both puts a value into both halves of a word.
const both = 1 + 1<<32

const byteLanes = 0xFF * both

// split gives the red, green and blue of two neighbouring RGBA pixels, one in each half of a word.
func split(p []byte) (r, g, b uint64) {
	w := binary.LittleEndian.Uint64(p)
	return w & byteLanes, w >> 8 & byteLanes, w >> 16 & byteLanes
}

func lumaOf(r, g, b uint64) uint64 { return r*yR + g*yG + b*yB + yBias*both }

// pixels is one MCU's source: rows of RGBA bytes, stride apart.
type pixels struct {
	pix    []byte
	stride int
}

// luma fills an 8x8 block from (x, y) on and says whether all its values are equal.
func (p pixels) luma(x, y int, out *samples) (flat bool) {
	var differ int64
	for row := range 8 {
		line := p.pix[(y+row)*p.stride+4*x:][:32]
		o := out[4*row:][:4]
		for i := range o {
			v := int64(lumaOf(split(line[8*i:])) >> convBits & byteLanes)
			o[i] = v
			differ |= v ^ out[0]
		}
	}
	return differ == 0 && int32(out[0]) == int32(out[0]>>32)
}

// chroma444 fills the two colour blocks of 8x8 pixels.
func (p pixels) chroma444(cb, cr *samples) {
	for row := range 8 {
		line := p.pix[row*p.stride:][:32]
		ob, or := cb[4*row:][:4], cr[4*row:][:4]
		for i := range ob {
			r, g, b := split(line[8*i:])
			ob[i] = int64((b*cHalf + cBias*both - r*cbR - g*cbG) >> convBits & byteLanes)
			or[i] = int64((r*cHalf + cBias*both - g*crG - b*crB) >> convBits & byteLanes)
		}
	}
}

// chroma420 fills the two colour blocks of 16x16 pixels, each sample the mean of 2x2 pixels.
func (p pixels) chroma420(cb, cr *samples) {
	for row := range 8 {
		top := p.pix[2*row*p.stride:][:64]
		bottom := p.pix[(2*row+1)*p.stride:][:64]
		ob, or := cb[4*row:][:4], cr[4*row:][:4]
		for i := range ob {
			r, g, b := sum2x2(top[16*i:], bottom[16*i:])
			r1, g1, b1 := sum2x2(top[16*i+8:], bottom[16*i+8:])
			r, g, b = r|r1<<32, g|g1<<32, b|b1<<32
			ob[i] = int64((b*cHalf + cBias4*both - r*cbR - g*cbG) >> (convBits + 2) & byteLanes)
			or[i] = int64((r*cHalf + cBias4*both - g*crG - b*crB) >> (convBits + 2) & byteLanes)
		}
	}
}

// sum2x2 adds up the channels of two pixels above two pixels.
func sum2x2(top, bottom []byte) (r, g, b uint64) {
	r, g, b = split(top)
	r1, g1, b1 := split(bottom)
	r, g, b = r+r1, g+g1, b+b1
	return uint64(uint32(r + r>>32)), uint64(uint32(g + g>>32)), uint64(uint32(b + b>>32))
}

// oneColour says whether side x side pixels are all the same, side being 8 or 16.
func (p pixels) oneColour(side int) bool {
	first := uint64(binary.LittleEndian.Uint32(p.pix)) * both
	for y := range side {
		line := p.pix[y*p.stride:][:4*side]
		var differ uint64
		for len(line) >= 32 {
			differ |= binary.LittleEndian.Uint64(line) ^ first
			differ |= binary.LittleEndian.Uint64(line[8:]) ^ first
			differ |= binary.LittleEndian.Uint64(line[16:]) ^ first
			differ |= binary.LittleEndian.Uint64(line[24:]) ^ first
			line = line[32:]
		}
		if differ != 0 {
			return false
		}
	}
	return true
}

// mcu is the quantised form of one MCU: luma blocks in coding order, then Cb and Cr; 4:4:4 uses blocks 0 to 2.
type mcu struct {
	blocks [6]block
	masks  [6]uint64 // by spot, bit 0 the DC
}

// kernel turns pixels into an MCU. The one written in Go is what the others must equal bit for bit.
type kernel interface {
	mcu420(p pixels, luma, chroma *quantiser, out *mcu)
	mcu444(p pixels, luma, chroma *quantiser, out *mcu)
}

// portable is the kernel in Go.
type portable struct{}

func (portable) mcu420(p pixels, luma, chroma *quantiser, out *mcu) {
	var s, t samples
	for i := range 4 {
		flat := p.luma(i&1*8, i>>1*8, &s)
		out.masks[i] = coefficients(&s, flat, luma, &out.blocks[i])
	}
	p.chroma420(&s, &t)
	out.masks[4] = coefficients(&s, false, chroma, &out.blocks[4])
	out.masks[5] = coefficients(&t, false, chroma, &out.blocks[5])
}

func (portable) mcu444(p pixels, luma, chroma *quantiser, out *mcu) {
	var s, t samples
	flat := p.luma(0, 0, &s)
	out.masks[0] = coefficients(&s, flat, luma, &out.blocks[0])
	p.chroma444(&s, &t)
	out.masks[1] = coefficients(&s, false, chroma, &out.blocks[1])
	out.masks[2] = coefficients(&t, false, chroma, &out.blocks[2])
}

// coefficients is transform with the short way for a flat block, whose only coefficient is the DC.
func coefficients(s *samples, flat bool, q *quantiser, out *block) uint64 {
	if !flat {
		return transform(s, q, out)
	}
	*out = block{0: int16(q.divide(0, 64*int32(s[0])-flatDC))}
	return notZero(int32(out[0]))
}
