package jpegtile

import "encoding/binary"

// freqs holds the coefficients of a block, multiplied by their steps. The index is 8*vertical + horizontal frequency.
type freqs [64]int32

// The inverse transform also uses the algorithm of Loeffler, Ligtenberg and Moschytz (see dct.go), first along the rows and then down the
// columns. It has the same precision as image/jpeg, and rounds at the same places, so the pixels are the same.
const (
	inv8C    = 181   // 1/sqrt 2, with 8 fraction bits
	inv14C   = 11585 // 1/sqrt 2, with 14 fraction bits
	cos1C    = 4017  // cos pi/16, with 12 fraction bits
	sin1C    = 799   // sin pi/16
	cos3C    = 3406  // cos 3 pi/16
	sin3C    = 2276  // sin 3 pi/16
	cos6C    = 1108  // cos 6 pi/16 / sqrt 2, with 12 fraction bits
	sin6C    = 2676  // sin 6 pi/16 / sqrt 2, with 12 fraction bits
	cos6Fine = 70936 // cos 6 pi/16 / sqrt 2, with 18 fraction bits
	sin6Fine = 171254
)

// rotate rotates the point (a, b) by an angle, whose cosine and sine are given.
func rotate(a, b, cos, sin int32) (int32, int32) {
	sum := cos * (a + b)
	return sum + (sin-cos)*b, sum - (cos+sin)*a
}

// inverse() transforms the block f back to samples and writes them to dst. Bit y of `rows` must be set if row y of f has a value that is
// not zero. inverse changes f.
func inverse(dst []uint8, stride int, f *freqs, rows uint8) {
	for y := range 8 {
		if rows>>y&1 != 0 {
			inverseRow((*[8]int32)(f[8*y:]))
		}
	}
	for x := range 8 {
		inverseColumn(f, x)
	}
	for y := range 8 {
		out, in := dst[y*stride:][:8], f[8*y:][:8]
		for x, v := range in {
			out[x] = sample(v)
		}
	}
}

// inverseRow transforms a row. The results have 20 fraction bits.
func inverseRow(v *[8]int32) {
	if v[1]|v[2]|v[3]|v[4]|v[5]|v[6]|v[7] == 0 {
		dc := v[0] << 17
		*v = [8]int32{dc, dc, dc, dc, dc, dc, dc, dc}
		return
	}
	e0, e1 := (v[0]+v[4])<<17, (v[0]-v[4])<<17
	e2, e3 := rotate(v[2], v[6], cos6Fine, -sin6Fine)
	e1, e2 = e1+e2, e1-e2
	e0, e3 = e0+e3, e0-e3

	o7, o4 := (v[1]+v[7])<<7, (v[1]-v[7])<<7
	o6, o5 := v[5]*inv8C, v[3]*inv8C
	o7, o5 = o7+o5, o7-o5
	o4, o6 = o4+o6, o4-o6
	o4, o7 = rotate(o4>>2, o7>>2, cos3C, -sin3C)
	o5, o6 = rotate(o5>>2, o6>>2, cos1C, -sin1C)

	v[0], v[7] = e0+o7, e0-o7
	v[1], v[6] = e1+o6, e1-o6
	v[2], v[5] = e2+o5, e2-o5
	v[3], v[4] = e3+o4, e3-o4
}

// inverseColumn transforms a column. The results are samples before the level shift, rounded to whole numbers.
func inverseColumn(f *freqs, x int) {
	c := f[x&7:]
	_ = c[56]
	v0 := c[0] + 1<<19
	e0, e1 := (v0+c[32])>>2, (v0-c[32])>>2
	e2, e3 := rotate(c[16]>>13, c[48]>>13, cos6C, -sin6C)
	e1, e2 = e1+e2, e1-e2
	e0, e3 = e0+e3, e0-e3

	o7, o4 := c[8]+c[56], c[8]-c[56]
	o5, o6 := (c[24]>>13)*inv14C, (c[40]>>13)*inv14C
	o7, o5 = o7+o5, o7-o5
	o4, o6 = o4+o6, o4-o6
	o4, o7 = rotate(o4>>14, o7>>14, cos3C, -sin3C)
	o5, o6 = rotate(o5>>14, o6>>14, cos1C, -sin1C)

	const last = 18
	c[0], c[56] = (e0+o7)>>last, (e0-o7)>>last
	c[8], c[48] = (e1+o6)>>last, (e1-o6)>>last
	c[16], c[40] = (e2+o5)>>last, (e2-o5)>>last
	c[24], c[32] = (e3+o4)>>last, (e3-o4)>>last
}

// sample undoes the level shift (T.81, A.3.1) and limits the sample to 0..255.
func sample(v int32) uint8 { return uint8(min(max(v+128, 0), 255)) }

// fillBlock does the work of inverse() for a block whose only coefficient is the DC.
func fillBlock(dst []uint8, stride int, dc int32) {
	const each = 0x0101010101010101
	row := uint64(sample((dc<<17+1<<19)>>20)) * each
	for y := range 8 {
		binary.LittleEndian.PutUint64(dst[y*stride:], row)
	}
}
