package jpegtile

import "math/bits"

// A block holds quantized coefficients in the order that the function spot defines.
type block [64]int16

// samples is an 8x8 block of sample values of 0 to 255, two to a word:
//
//	samples[4*y+x/2] = value(x, y) + value(x+1, y)<<32, x even
type samples [32]int64

// The transform is the eight-point DCT of Loeffler, Ligtenberg and Moschytz ("Practical fast 1-D DCT algorithms with 11 multiplications",
// ICASSP 1989). The first pass goes down the columns, and the second pass goes along the rows. Until the shift at the end of a pass, a
// pass only adds, and multiplies by constants. So one 64-bit word can hold the values of two columns: for signed a and b that fit in 32
// bits, (a + b<<32)*c = a*c + (b*c)<<32.
const (
	fracBits = 13 // fraction bits of the constants
	keepBits = 2  // fraction bits of values between the two passes
	shift1   = fracBits - keepBits
	shift2   = fracBits + keepBits
)

// Sums of cos(k*pi/16) for the rotations in the paper, times 2^fracBits, rounded.
const (
	c0298 = 2446  // 0.298631336
	c0390 = 3196  // 0.390180644
	c0541 = 4433  // 0.541196100
	c0765 = 6270  // 0.765366865
	c0899 = 7373  // 0.899976223
	c1175 = 9633  // 1.175875602
	c1501 = 12299 // 1.501321110
	c1847 = 15137 // 1.847759065
	c1961 = 16069 // 1.961570560
	c2053 = 16819 // 2.053119869
	c2562 = 20995 // 2.562915447
	c3072 = 25172 // 3.072711026
)

// flatDC is the first coefficient of a block whose samples are all 128. The transform works on samples from 0 to 255. It subtracts flatDC
// at the end, instead of the level shift of T.81, A.3.1.
const flatDC = 64 * 128

// dct8 transforms eight words. Each word holds two values, so dct8 does two transforms of eight values at once. The results are the DCT
// times sqrt(8) * 2^fracBits. Arguments and results are in registers.
func dct8(d0, d1, d2, d3, d4, d5, d6, d7 int64) (_, _, _, _, _, _, _, _ int64) {
	t7, t6, t5, t4 := d0-d7, d1-d6, d2-d5, d3-d4
	e0, e1, e2, e3 := d0+d7, d1+d6, d2+d5, d3+d4
	e0, e3 = e0+e3, e0-e3
	e1, e2 = e1+e2, e1-e2
	z := (e2 + e3) * c0541

	z5 := (t4 + t5 + t6 + t7) * c1175
	z1 := (t4 + t7) * -c0899
	z2 := (t5 + t6) * -c2562
	z3 := z5 - (t4+t6)*c1961
	z4 := z5 - (t5+t7)*c0390
	return (e0 + e1) << fracBits, t7*c1501 + z1 + z4, z + e3*c0765, t6*c3072 + z2 + z3,
		(e0 - e1) << fracBits, t5*c2053 + z2 + z4, z - e2*c1847, t4*c0298 + z1 + z3
}

// bias1 is added between the passes and makes all values positive. Then a shift and a mask can process both values of a word at once. In
// the second pass, bias1 affects only the first coefficient of a row. It is later subtracted from this coefficient.
const (
	bias1 = 1 << (bias + shift1) // results of the first pass are within +-2^23
	bias  = 13
	mask1 = (1<<(32-shift1) - 1) * both

	add1 = (bias1 + 1<<(shift1-1)) * both // bias, and rounding of the shift
	add2 = 1 << (shift2 - 1) * both       // rounding of the shift
	take = 8 << (bias + fracBits) * both
)

// lanes() returns the two values in a word.
func lanes(v int64) (lo, hi int32) { return int32(v), int32((v + 1<<31) >> 32) }

// cross ends the first pass. The words `u` and `next` contain two neighboring frequencies of two columns. cross returns one word with
// both frequencies of the left column, and one word with both frequencies of the right column.
func cross(u, next int64) (left, right int64) {
	a := uint64(u+add1) >> shift1 & mask1
	b := uint64(next+add1) >> shift1 & mask1
	return int64(a&0xFFFFFFFF | b<<32), int64(a>>32 | b&^0xFFFFFFFF)
}

// transform computes the quantized coefficients of a block. It returns a mask of the coefficients that are not zero. The bit number is
// the coefficient's index in the block (see spot). In the block `out`, only these coefficients and the DC are valid.
func transform(in *samples, q *quantiser, out *block) (mask uint64) {
	var mid samples // mid[4*x+u/2]: vertical frequencies u and u+1 of column x
	for c := range 4 {
		d0, d1, d2, d3, d4, d5, d6, d7 := dct8(in[c], in[4+c], in[8+c], in[12+c], in[16+c], in[20+c], in[24+c], in[28+c])
		m := (*[8]int64)(mid[8*c:])
		m[0], m[4] = cross(d0, d1)
		m[1], m[5] = cross(d2, d3)
		m[2], m[6] = cross(d4, d5)
		m[3], m[7] = cross(d6, d7)
	}
	for p := range 4 {
		d0, d1, d2, d3, d4, d5, d6, d7 := dct8(mid[p], mid[4+p], mid[8+p], mid[12+p], mid[16+p], mid[20+p], mid[24+p], mid[28+p])
		d0 -= take
		if p == 0 {
			d0 -= flatDC << shift2
			out[0] = 0
		}
		live := q.live(p, d0) | q.live(p+4, d1)<<1 | q.live(p+8, d2)<<2 | q.live(p+12, d3)<<3 |
			q.live(p+16, d4)<<4 | q.live(p+20, d5)<<5 | q.live(p+24, d6)<<6 | q.live(p+28, d7)<<7
		if live == 0 {
			continue
		}
		words := [8]int64{d0, d1, d2, d3, d4, d5, d6, d7}
		for ; live != 0; live &= live - 1 {
			v := bits.TrailingZeros64(live)
			mask |= q.pair(out, p+4*v, words[v&7])
		}
	}
	return mask
}

// signs is the mask of the sign bits of the two values in a word.
const signs = 1<<31 | 1<<63

// live() returns 0 if both values of word i certainly become zero after quantization, and 1 otherwise. The two values are the
// coefficients with the block indices 2*i and 2*i+1. Most coefficients become zero.
func (q *quantiser) live(i int, w int64) uint64 {
	d := q.dead[i&31]
	v := uint64((d+w)|(d-w)) & signs
	return (v>>31 | v>>63) & 1
}

// pair quantizes both values of word i and returns a mask of the results that are not zero.
func (q *quantiser) pair(out *block, i int, w int64) uint64 {
	i = i & 31 * 2
	lo, hi := lanes(w + add2)
	a := q.divide(i, lo>>shift2)
	b := q.divide(i+1, hi>>shift2)
	out[i], out[i+1] = int16(a), int16(b)
	return (notZero(a) | notZero(b)<<1) << i
}

// divide quantizes one coefficient.
func (q *quantiser) divide(i int, c int32) int32 {
	sign := c >> 31
	n := (uint32((c^sign)-sign) + q.half[i]) * q.recip[i] >> (q.shift[i] & 31)
	return (int32(n) ^ sign) - sign
}

func notZero(c int32) uint64 { return uint64(uint32(c|-c) >> 31) }
