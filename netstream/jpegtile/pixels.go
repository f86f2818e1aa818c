package jpegtile

import "encoding/binary"

// Factors for the color conversion of ITU-T T.871, with 15 fraction bits, so that they fit in 16-bit multiplications. The sum of a row of
// the matrix is exactly 1 or 0, so that grays stay gray.
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

	// cBias rounds slightly down, so that pure blue and red become 255 and not 256.
	yBias = 1 << (convBits - 1)
	cBias = 128<<convBits + 1<<(convBits-1) - 1
	// Constants for sums of four pixels.
	cBias4 = 128<<(convBits+2) + 1<<(convBits+1) - 1
)

// `both` is a factor that copies a 32-bit value into both halves of a word.
const both = 1 + 1<<32

const byteLanes = 0xFF * both

// split returns the red, green and blue of two neighboring RGBA pixels. Each result has one pixel in each half.
func split(p []byte) (r, g, b uint64) {
	w := binary.LittleEndian.Uint64(p)
	return w & byteLanes, w >> 8 & byteLanes, w >> 16 & byteLanes
}

func lumaOf(r, g, b uint64) uint64 { return r*yR + g*yG + b*yB + yBias*both }

// pixels describes the pixels of one MCU: rows of RGBA bytes, stride bytes apart.
type pixels struct {
	pix    []byte
	stride int
}

// luma computes the brightness of the 8x8 pixels at (x, y). `flat` is true if all pixels have the same brightness.
func (p pixels) luma(x, y int, out *samples) (flat bool) {
	var differ int64
	at := y*p.stride + 4*x
	for row := range 8 {
		line := (*[32]byte)(p.pix[at:])
		at += p.stride
		o := (*[4]int64)(out[4*row:])
		o[0] = luma2(line[0:8])
		o[1] = luma2(line[8:16])
		o[2] = luma2(line[16:24])
		o[3] = luma2(line[24:32])
		first := out[0]
		differ |= (o[0] ^ first) | (o[1] ^ first) | (o[2] ^ first) | (o[3] ^ first)
	}
	return out.flat(differ)
}

// flat() reports whether all samples are equal. `differ` has a bit set wherever a word of s differs from s[0].
func (s *samples) flat(differ int64) bool { return differ == 0 && int32(s[0]) == int32(s[0]>>32) }

// luma2 returns the brightness of two pixels.
func luma2(p []byte) int64 {
	return int64(lumaOf(split(p)) >> convBits & byteLanes)
}

// chroma444 computes the two color blocks of 8x8 pixels. `cbFlat` is true if all samples of `cb` are equal, and `crFlat` is true if all
// samples of `cr` are equal.
func (p pixels) chroma444(cb, cr *samples) (cbFlat, crFlat bool) {
	var differB, differR int64
	at := 0
	for row := range 8 {
		line := (*[32]byte)(p.pix[at:])
		at += p.stride
		ob, or := (*[4]int64)(cb[4*row:]), (*[4]int64)(cr[4*row:])
		for i := range 4 {
			r, g, b := split(line[8*i : 8*i+8])
			ob[i] = int64((b*cHalf + cBias*both - r*cbR - g*cbG) >> convBits & byteLanes)
			or[i] = int64((r*cHalf + cBias*both - g*crG - b*crB) >> convBits & byteLanes)
			differB |= ob[i] ^ cb[0]
			differR |= or[i] ^ cr[0]
		}
	}
	return cb.flat(differB), cr.flat(differR)
}

// chroma420 computes the two color blocks of 16x16 pixels. Each sample is the mean of 2x2 pixels. `cbFlat` is true if all samples of `cb`
// are equal, and `crFlat` is true if all samples of `cr` are equal.
func (p pixels) chroma420(cb, cr *samples) (cbFlat, crFlat bool) {
	var differB, differR int64
	at := 0
	for row := range 8 {
		top, bottom := (*[64]byte)(p.pix[at:]), (*[64]byte)(p.pix[at+p.stride:])
		at += 2 * p.stride
		ob, or := (*[4]int64)(cb[4*row:]), (*[4]int64)(cr[4*row:])
		for i := range 4 {
			a, b := sum2x2(top[16*i:16*i+8], bottom[16*i:16*i+8])
			a1, b1 := sum2x2(top[16*i+8:16*i+16], bottom[16*i+8:16*i+16])
			red, blue := a&0xFFFFFFFF|a1<<32, a>>32|a1&^0xFFFFFFFF
			green := b | b1<<32
			ob[i] = int64((blue*cHalf + cBias4*both - red*cbR - green*cbG) >> (convBits + 2) & byteLanes)
			or[i] = int64((red*cHalf + cBias4*both - green*crG - blue*crB) >> (convBits + 2) & byteLanes)
			differB |= ob[i] ^ cb[0]
			differR |= or[i] ^ cr[0]
		}
	}
	return cb.flat(differB), cr.flat(differR)
}

// sum2x2 adds two pixels and the two pixels below them, channel by channel. It returns red + blue<<32, and green.
func sum2x2(top, bottom []byte) (redBlue, green uint64) {
	const even = 0x00FF00FF00FF00FF
	t, u := binary.LittleEndian.Uint64(top), binary.LittleEndian.Uint64(bottom)
	rb := t&even + u&even // four sums of 16 bits: red, blue, red, blue
	rb += rb >> 32
	g := t>>8&byteLanes + u>>8&byteLanes
	return rb&0xFFFF | rb&0xFFFF0000<<16, uint64(uint32(g + g>>32))
}

// oneColor reports whether all pixels of the MCU are equal. `side` is the width and height of the MCU in pixels, 8 or 16.
func (p pixels) oneColor(side int) bool {
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

// mcu holds the quantized blocks of one MCU: first the blocks of brightness in coding order, then Cb and Cr. With 4:4:4 only blocks 0 to 2
// are in use.
type mcu struct {
	blocks [6]block
	masks  [6]uint64 // for each block, a mask of the coefficients that are not zero. The bit number is the index in the block. Bit 0 is the DC
}

// kernel converts pixels to an MCU. All implementations return the same bits as the portable kernel.
type kernel interface {
	mcu420(p pixels, luma, chroma *quantiser, out *mcu)
	mcu444(p pixels, luma, chroma *quantiser, out *mcu)
}

// portable is the kernel in portable Go.
type portable struct{}

func (portable) mcu420(p pixels, luma, chroma *quantiser, out *mcu) {
	var s, t samples
	for i := range 4 {
		flat := p.luma(i&1*8, i>>1*8, &s)
		out.masks[i] = coefficients(&s, flat, luma, &out.blocks[i])
	}
	cbFlat, crFlat := p.chroma420(&s, &t)
	out.masks[4] = coefficients(&s, cbFlat, chroma, &out.blocks[4])
	out.masks[5] = coefficients(&t, crFlat, chroma, &out.blocks[5])
}

func (portable) mcu444(p pixels, luma, chroma *quantiser, out *mcu) {
	var s, t samples
	flat := p.luma(0, 0, &s)
	out.masks[0] = coefficients(&s, flat, luma, &out.blocks[0])
	cbFlat, crFlat := p.chroma444(&s, &t)
	out.masks[1] = coefficients(&s, cbFlat, chroma, &out.blocks[1])
	out.masks[2] = coefficients(&t, crFlat, chroma, &out.blocks[2])
}

// coefficients() calls transform, but has a shortcut for a flat block, which has only a DC.
func coefficients(s *samples, flat bool, q *quantiser, out *block) uint64 {
	if !flat {
		return transform(s, q, out)
	}
	out[0] = int16(q.divide(0, 64*int32(s[0])-flatDC))
	return notZero(int32(out[0]))
}
