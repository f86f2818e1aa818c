package bilinear

import (
	"encoding/binary"
	"math/bits"
)

// wideWords says that 64-bit words are cheap here.
const wideWords = bits.UintSize == 64

// Masks of 8-bit values in lanes of 16 and 32 bits.
const (
	bytes16 = 0x00ff_00ff_00ff_00ff
	bytes32 = 0x0000_00ff_0000_00ff
)

// blendShift ends a blend: 15 bits of row weight and 7 of column weight go at once.
// Adding blendRound first is the same as rounding twice, as the vector multiply does: half
// of 2¹⁵, and half of 2⁷ before that.
const (
	blendShift = blendBits + pointBits
	blendRound = (1<<(blendBits-1) + 1<<(blendShift-1)) * lanes32
	lanes32    = 1<<32 + 1
)

// filter64 keeps a pixel as four 16-bit lanes R B G A. A word holds the left pixel in its
// low half and the right one in its high half; times left weight<<32 | right weight, its
// high half is the sum of both products, which fits 15 bits a lane.
func filter64(row []uint64, src []byte, t *pointX, x0, x1 int) {
	off, weight := t.off[x0:x1], t.weight[x0:x1]
	row = row[x0:x1]
	for i := range row {
		p := binary.LittleEndian.Uint64(src[off[i]:])
		w := weight[i]
		rb, ga := (p&bytes16)*w, (p>>8&bytes16)*w
		row[i] = rb>>32 | ga>>32<<32
	}
}

// blend64 works on 32-bit lanes: R G and B A.
func blend64(dst []byte, a, b []uint64, weight int) {
	w := uint64(weight)
	n := len(dst) / 4
	a, b = a[:n], b[:n]
	for i, p := range a {
		q := b[i]
		e, o := p&low16, p>>16&low16
		e = e<<blendBits + (q&low16-e)*w + blendRound
		o = o<<blendBits + (q>>16&low16-o)*w + blendRound
		binary.LittleEndian.PutUint32(dst[4*i:], pack(e>>blendShift&bytes32, o>>blendShift&bytes32))
	}
}

// pack makes a pixel of two words with R G and B A in 32-bit lanes.
func pack(rg, ba uint64) uint32 {
	p := rg | ba<<16
	return uint32(p | p>>24)
}

// sum64 adds rows in words of two pixels, R B and G A in 16-bit lanes. While rows are added,
// words 4k and 4k+1 of the row hold pixels 2k and 2k+1; in the end each pixel has two
// words of 32-bit lanes.
func sum64(row []uint64, src []byte, off []int, w []uint8, x0, x1, width int) {
	x0 &^= 1
	even := x1 &^ 1
	if x1 > even && x1 < width {
		even = x1 + 1
	}
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
	if even < x1 { // the last pixel of a row of odd width has no right neighbour to read
		sumOne(row[2*even:], src[4*even:], off, w)
	}
}

// spread moves two 16-bit lanes to 32 bits each.
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
	bytes := 2 * len(out)
	clear(out)
	for ; len(off) >= 4; off, w = off[4:], w[4:] {
		addFour(out, src[off[0]:][:bytes], src[off[1]:][:bytes], src[off[2]:][:bytes], src[off[3]:][:bytes], w)
	}
	if len(off) >= 2 {
		addTwo(out, src[off[0]:][:bytes], src[off[1]:][:bytes], w)
	}
}

func addFour(out []uint64, a, b, c, d []byte, w []uint8) {
	wa, wb, wc, wd := uint64(w[0]), uint64(w[1]), uint64(w[2]), uint64(w[3])
	for i := 0; i+8 <= len(a) && i+8 <= len(b) && i+8 <= len(c) && i+8 <= len(d) && i/2+2 <= len(out); i += 8 {
		p, q := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		r, s := binary.LittleEndian.Uint64(c[i:]), binary.LittleEndian.Uint64(d[i:])
		out[i/2] += p&bytes16*wa + q&bytes16*wb + r&bytes16*wc + s&bytes16*wd
		out[i/2+1] += p>>8&bytes16*wa + q>>8&bytes16*wb + r>>8&bytes16*wc + s>>8&bytes16*wd
	}
}

func addTwo(out []uint64, a, b []byte, w []uint8) {
	wa, wb := uint64(w[0]), uint64(w[1])
	for i := 0; i+8 <= len(a) && i+8 <= len(b) && i/2+2 <= len(out); i += 8 {
		p, q := binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:])
		out[i/2] += p&bytes16*wa + q&bytes16*wb
		out[i/2+1] += p>>8&bytes16*wa + q>>8&bytes16*wb
	}
}

// shrinkShift ends a sum of columns: 8 bits of row weight and 14 of column weight.
const (
	shrinkShift = sumBits + fineBits
	shrinkRound = 1 << (shrinkShift - 1) * lanes32
)

// shrink64 works on 32-bit lanes: R B and G A.
func shrink64(dst []byte, row []uint64, t *areaX, x0, x1 int) {
	start := t.start[x0:x1]
	for i, from := range start {
		w := t.weight[(x0+i)*t.stride:][:t.taps]
		in := row[2*from:][:2*len(w)]
		rb, ga := uint64(shrinkRound), uint64(shrinkRound)
		for j, v := range w {
			rb += in[2*j] * uint64(v)
			ga += in[2*j+1] * uint64(v)
		}
		rb, ga = rb>>shrinkShift&bytes32, ga>>shrinkShift&bytes32
		p := rb | ga<<8
		binary.LittleEndian.PutUint32(dst[4*i:], uint32(p|p>>16))
	}
}
