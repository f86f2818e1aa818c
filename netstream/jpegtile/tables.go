package jpegtile

import "math/bits"

// zigzag is the coding order of coefficients, the lowest frequencies first (T.81, figure A.6). Its entries are 8*vertical + horizontal
// frequency.
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10,
	17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34,
	27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36,
	29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46,
	53, 60, 61, 54, 47, 55, 62, 63,
}

// baseLuma and baseChroma are the quantization tables for quality 50 (T.81, tables K.1 and K.2). The index is 8*vertical + horizontal
// frequency.
var (
	baseLuma = [64]uint8{
		16, 11, 10, 16, 24, 40, 51, 61,
		12, 12, 14, 19, 26, 58, 60, 55,
		14, 13, 16, 24, 40, 57, 69, 56,
		14, 17, 22, 29, 51, 87, 80, 62,
		18, 22, 37, 56, 68, 109, 103, 77,
		24, 35, 55, 64, 81, 104, 113, 92,
		49, 64, 78, 87, 103, 121, 120, 101,
		72, 92, 95, 98, 112, 100, 103, 99,
	}
	baseChroma = [64]uint8{
		17, 18, 24, 47, 99, 99, 99, 99,
		18, 21, 26, 66, 99, 99, 99, 99,
		24, 26, 56, 99, 99, 99, 99, 99,
		47, 66, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
		99, 99, 99, 99, 99, 99, 99, 99,
	}
)

// scaled() returns a quantization table for a quality from 1 to 100, with the scale that all JPEG programs use. Quality 50 gives the base
// table. In the table for quality 100, every entry is 1. Entries are limited to 1..255.
func scaled(base *[64]uint8, quality int) (t [64]uint8) {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	for i, b := range base {
		t[i] = uint8(min(max((int(b)*scale+50)/100, 1), 255))
	}
	return t
}

// spot returns the index in a [block] of the coefficient with the index `natural` = 8*vertical + horizontal frequency. It exchanges the two
// frequencies, because the transform leaves out the final transposition.
func spot(natural uint8) uint8 { return natural&7<<3 | natural>>3 }

// quantiser divides coefficients, which are 8 times too large, by the steps of a table. It multiplies by reciprocals, in arrays with the
// index [spot]:
//
//	|c| / (8*step) = (|c| + half) * recip >> shift
//
// `half` is added for rounding: see deadZone. The formula is exact for |c| + half < 2^coefBits. The assembly depends on the order of the
// fields.
type quantiser struct {
	half, recip, shift [64]uint32

	// dead[i] contains two values, for the spots 2*i and 2*i+1. Each is the greatest absolute value that certainly becomes zero, in units of
	// the transform before its last shift. The assembly does not use `dead`.
	dead [32]int64

	narrow narrowQuantiser
}

// narrowQuantiser contains the same numbers for 16-bit arithmetic. The assembly of arm64 uses only the upper half of each product and
// shifts it to the right by -shift. `shift` is always negative. The assembly depends on the layout of this struct.
type narrowQuantiser struct {
	half, recip [64]uint16
	shift       [64]int16
}

// coefBits is the number of bits of a coefficient: 64*128 plus half of the greatest divisor is less than 2^14.
const coefBits = 14

// deadZone makes the rounding of AC coefficients prefer smaller values, by 1/deadZone of a step. Small values are more frequent and need
// fewer bits, so the saved bytes are worth the lost quality. Compared with normal rounding (quality 85, 4:2:0), a dashboard gets 1.6 %
// smaller and loses 0.02 dB. A photograph gets 2.7 % smaller and loses 0.00 dB.
const deadZone = 32

func newQuantiser(table *[64]uint8) *quantiser {
	q := new(quantiser)
	for i, step := range table {
		d := 8 * uint32(step)
		s := spot(uint8(i))
		k := coefBits + bits.Len32(d-1)
		q.half[s] = d/2 - d/deadZone
		if s == 0 {
			q.half[s] = d / 2
		}
		q.recip[s] = (1<<k + d - 1) / d
		q.shift[s] = uint32(k)
		q.narrow.half[s], q.narrow.recip[s], q.narrow.shift[s] = uint16(q.half[s]), uint16(q.recip[s]), int16(16-k)
		q.dead[s/2] += int64(d-q.half[s]-1) << shift2 << (s & 1 * 32)
	}
	return q
}

// spotOf lists the spots of the coefficients in coding order.
var spotOf = func() (t [64]uint8) {
	for k, n := range zigzag {
		t[k] = spot(n)
	}
	return t
}()

// codingOrder converts a mask, whose bit numbers are spots, to a mask in coding order, byte by byte. Entry [b][v] is the converted mask
// for the value v of byte b. The table takes 16 kB.
var codingOrder = func() *[8][256]uint64 {
	t := new([8][256]uint64)
	for k, s := range spotOf {
		for v := range 256 {
			if v>>(s&7)&1 != 0 {
				t[s>>3][v] |= 1 << k
			}
		}
	}
	return t
}()

// inCodingOrder converts a mask, whose bit numbers are spots, to a mask in coding order.
func inCodingOrder(m uint64) uint64 {
	t := codingOrder
	return t[0][uint8(m)] | t[1][uint8(m>>8)] | t[2][uint8(m>>16)] | t[3][uint8(m>>24)] |
		t[4][uint8(m>>32)] | t[5][uint8(m>>40)] | t[6][uint8(m>>48)] | t[7][uint8(m>>56)]
}
