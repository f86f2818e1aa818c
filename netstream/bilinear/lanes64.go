package bilinear

import (
	"encoding/binary"
	"math/bits"
)

// wideWords is true if this machine has 64-bit registers.
const wideWords = bits.UintSize == 64

// Masks of the 8-bit values in lanes of 16 and 32 bits.
const (
	bytes16 = 0x00ff_00ff_00ff_00ff
	bytes32 = 0x0000_00ff_0000_00ff
)

// blendShift is the shift at the end of a blend: 15 bits for the weights of rows, and 7 bits for the weights of columns. blendRound is
// added before the shift. The vector multiplication rounds twice. To get the same result, blendRound contains half of 2¹⁵ and half of 2⁷.
const (
	blendShift = blendBits + pointBits
	blendRound = (1<<(blendBits-1) + 1<<(blendShift-1)) * lanes32
	lanes32    = 1<<32 + 1
)

// The functions that loop with a mask are not inlined, and the mask is an argument. If the mask were a constant, the compiler would load
// it again for every use, which would cost about 5 % of the time.

// filter64 filters a row and stores each pixel as four 16-bit lanes. Their order is R B G A, starting with the lowest lane.
func filter64(row []uint64, src []byte, t *pointX, x0, x1 int) {
	filterRow(row[x0:x1], src, t.off[x0:x1], t.weight[x0:x1], bytes16)
}

// filterRow multiplies words that contain the left pixel in the low half and the right pixel in the high half. The factor is left
// weight<<32 | right weight. The high half of the product is then the sum of both weighted pixels. Each lane of the sum fits in 15 bits.
//
//go:noinline
func filterRow(row []uint64, src []byte, off []int32, weight []uint64, mask uint64) {
	off, row = off[:len(weight)], row[:len(weight)]
	for i, w := range weight {
		at := uint(uint32(off[i])) // this conversion proves to the compiler that at+8 does not overflow
		p := binary.LittleEndian.Uint64(src[at : at+8 : at+8])
		rb, ga := (p&mask)*w, (p>>8&mask)*w
		row[i] = rb>>32 | ga>>32<<32
	}
}

func blend64(dst []byte, a, b []uint64, weight int) {
	n := len(dst) / 4
	blendRow(dst, a[:n], b[:n], uint64(1<<blendBits-weight), uint64(weight), low16)
}

// blendRow blends two pixels in each step.
//
//go:noinline
func blendRow(dst []byte, a, b []uint64, wa, wb, mask uint64) {
	b = b[:len(a)]
	for i := 0; i < len(a)-1; i += 2 {
		p := blendPixel(a[i], b[i], wa, wb, mask) | blendPixel(a[i+1], b[i+1], wa, wb, mask)<<32
		binary.LittleEndian.PutUint64(dst[4*i:4*i+8:4*i+8], p)
	}
	if i := len(a) - 1; i%2 == 0 {
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(blendPixel(a[i], b[i], wa, wb, mask)))
	}
}

// blendPixel blends two pixels in 32-bit lanes (R G, then B A). The low half of the result is the pixel.
func blendPixel(p, q, wa, wb, mask uint64) uint64 {
	rg := (p&mask)*wa + (q&mask)*wb + blendRound
	ba := (p>>16&mask)*wa + (q>>16&mask)*wb + blendRound
	v := rg>>blendShift&bytes32 | ba>>(blendShift-16)&(bytes32<<16)
	return (v | v>>24) & (1<<32 - 1)
}

// sum64 adds rows in words of two pixels, with 16-bit lanes R B and G A. While rows are added, words 4k and 4k+1 belong to pixels 2k and
// 2k+1. At the end, each pixel has two words with 32-bit lanes.
func sum64(row []uint64, src []byte, off []int, w []uint8, x0, x1, _ int) {
	x0 &^= 1
	even := x1 &^ 1
	if n := even - x0; n > 0 {
		out := row[2*x0 : 2*even]
		sumPairs(out, src[4*x0:], off, w)
		for i := 0; i+4 <= len(out); i += 4 {
			q := out[i : i+4 : i+4]
			e, o := q[0], q[1]
			q[0], q[1] = spread(e), spread(o)
			q[2], q[3] = spread(e>>32), spread(o>>32)
		}
	}
	if even < x1 { // the last pixel may have no right neighbor, so it is read alone
		sumOne(row[2*even:], src[4*even:], off, w)
	}
}

// spread moves two 16-bit lanes to two 32-bit lanes.
func spread(v uint64) uint64 { return v&0xffff | v<<16&(0xffff<<32) }

func sumOne(row []uint64, src []byte, off []int, w []uint8) {
	var e, o uint64
	for i, at := range off {
		p := uint64(binary.LittleEndian.Uint32(src[at:]))
		e += p & bytes16 * uint64(w[i])
		o += p >> 8 & bytes16 * uint64(w[i])
	}
	row[0], row[1] = spread(e), spread(o)
}

func sumPairs(out []uint64, src []byte, off []int, w []uint8) {
	size := 2 * len(out)
	clear(out)
	for len(off) >= 4 {
		a, b, c, d := src[off[0]:][:size], src[off[1]:][:size], src[off[2]:][:size], src[off[3]:][:size]
		if w[3] != 0 {
			addFour(out, a, b, c, d, w, bytes16)
		} else {
			addThree(out, a, b, c, w, bytes16)
		}
		off, w = off[4:], w[4:]
	}
	if len(off) >= 2 {
		addTwo(out, src[off[0]:][:size], src[off[1]:][:size], w, bytes16)
	}
}

// The loops below end at len(a)-7 in steps of 8, and the other rows are sliced to the length of a. So the compiler can prove that every
// index is in range. The third index of a slice expression sets a constant capacity. So the compiler need not handle slices that begin at
// the end of their array.

//go:noinline
func addTwo(out []uint64, a, b []byte, w []uint8, mask uint64) {
	wa, wb := uint64(w[0]), uint64(w[1])
	b = b[:len(a)]
	for i := 0; i < len(a)-7; i += 8 {
		p, q := binary.LittleEndian.Uint64(a[i:i+8:i+8]), binary.LittleEndian.Uint64(b[i:i+8:i+8])
		o := out[i/2 : i/2+2 : i/2+2]
		o[0] += p&mask*wa + q&mask*wb
		o[1] += p>>8&mask*wa + q>>8&mask*wb
	}
}

//go:noinline
func addThree(out []uint64, a, b, c []byte, w []uint8, mask uint64) {
	wa, wb, wc := uint64(w[0]), uint64(w[1]), uint64(w[2])
	b, c = b[:len(a)], c[:len(a)]
	for i := 0; i < len(a)-7; i += 8 {
		p, q := binary.LittleEndian.Uint64(a[i:i+8:i+8]), binary.LittleEndian.Uint64(b[i:i+8:i+8])
		r := binary.LittleEndian.Uint64(c[i : i+8 : i+8])
		o := out[i/2 : i/2+2 : i/2+2]
		o[0] += p&mask*wa + q&mask*wb + r&mask*wc
		o[1] += p>>8&mask*wa + q>>8&mask*wb + r>>8&mask*wc
	}
}

//go:noinline
func addFour(out []uint64, a, b, c, d []byte, w []uint8, mask uint64) {
	wa, wb, wc, wd := uint64(w[0]), uint64(w[1]), uint64(w[2]), uint64(w[3])
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	for i := 0; i < len(a)-7; i += 8 {
		p, q := binary.LittleEndian.Uint64(a[i:i+8:i+8]), binary.LittleEndian.Uint64(b[i:i+8:i+8])
		r, s := binary.LittleEndian.Uint64(c[i:i+8:i+8]), binary.LittleEndian.Uint64(d[i:i+8:i+8])
		o := out[i/2 : i/2+2 : i/2+2]
		o[0] += p&mask*wa + q&mask*wb + r&mask*wc + s&mask*wd
		o[1] += p>>8&mask*wa + q>>8&mask*wb + r>>8&mask*wc + s>>8&mask*wd
	}
}

// shrinkShift is the shift after columns were added: 8 bits for the weights of rows, and 14 bits for the weights of columns.
const (
	shrinkShift = sumBits + fineBits
	shrinkRound = 1 << (shrinkShift - 1) * lanes32
)

// shrink64 implements the function `shrink` of kernels, with 32-bit lanes, R B and G A.
func shrink64(dst []byte, row []uint64, t *areaX, x0, x1 int) {
	if t.stride == quadTaps {
		shrinkQuad(dst, row, t.start[x0:x1], t.weight[x0*t.stride:])
		return
	}
	weight, even := t.weight[x0*t.stride:], roundUp(t.taps, 2)
	for i, from := range t.start[x0:x1] {
		rb, ga := columns(row[2*from:], weight[i*t.stride:][:even])
		binary.LittleEndian.PutUint32(dst[4*i:4*i+4:4*i+4], packColumns(rb, ga))
	}
}

// shrinkQuad does the same as shrink64 for at most four source columns for each pixel.
func shrinkQuad(dst []byte, row []uint64, start []int32, weight []uint16) {
	for i, from := range start {
		n, m := quadTaps*i, 2*int(from)
		w, p := weight[n:n+quadTaps:n+quadTaps], row[m:m+2*quadTaps:m+2*quadTaps]
		a, b, c, d := uint64(w[0]), uint64(w[1]), uint64(w[2]), uint64(w[3])
		rb := p[0]*a + p[2]*b + p[4]*c + p[6]*d + shrinkRound
		ga := p[1]*a + p[3]*b + p[5]*c + p[7]*d + shrinkRound
		binary.LittleEndian.PutUint32(dst[4*i:4*i+4:4*i+4], packColumns(rb, ga))
	}
}

// columns() adds an even number of columns with their weights.
func columns(in []uint64, weight []uint16) (rb, ga uint64) {
	rb, ga = shrinkRound, shrinkRound
	in = in[:2*len(weight)]
	for j := 0; j < len(weight)-1; j += 2 {
		p := in[2*j : 2*j+4 : 2*j+4]
		a, b := uint64(weight[j]), uint64(weight[j+1])
		rb += p[0]*a + p[2]*b
		ga += p[1]*a + p[3]*b
	}
	return rb, ga
}

// packColumns converts the sums R B and G A in 32-bit lanes to a pixel.
func packColumns(rb, ga uint64) uint32 {
	rb, ga = rb>>shrinkShift&bytes32, ga>>shrinkShift&bytes32
	p := rb | ga<<8
	return uint32(p | p>>16)
}
