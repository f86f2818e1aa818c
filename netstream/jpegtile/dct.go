package jpegtile

// block holds quantised coefficients by spot.
type block [64]int16

// samples is an 8x8 block of sample values of 0 to 255, two to a word:
//
//	samples[4*y+x/2] = value(x, y) + value(x+1, y)<<32, x even
type samples [32]int64

// The transform is the eight-point DCT of Loeffler, Ligtenberg and Moschytz ("Practical fast 1-D DCT algorithms with
// 11 multiplications", ICASSP 1989), down the columns and then along the rows. Everything before the final shift of
// a pass is additions and multiplications by constants, so two columns share one 64-bit word: for signed
// a and b that fit 32 bits, (a + b<<32)*c = a*c + (b*c)<<32.
const (
	fracBits = 13 // of the constants
	keepBits = 2  // fraction carried from the first pass to the second
	shift1   = fracBits - keepBits
	shift2   = fracBits + keepBits
)

// cos(k*pi/16) sums of the paper's rotations, times 2^fracBits, rounded.
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

// flatDC is the coefficient of a block of 128s: the transform works on 0..255 and takes the
// level shift of T.81, A.3.1 off at the end.
const flatDC = 64 * 128

// dct8 transforms eight words, that is, two times eight values. Results are sqrt(8) * 2^fracBits times the DCT.
func dct8(d *[8]int64) {
	s07, s16, s25, s34 := d[0]+d[7], d[1]+d[6], d[2]+d[5], d[3]+d[4]
	t7, t6, t5, t4 := d[0]-d[7], d[1]-d[6], d[2]-d[5], d[3]-d[4]

	e0, e3 := s07+s34, s07-s34
	e1, e2 := s16+s25, s16-s25
	d[0] = (e0 + e1) << fracBits
	d[4] = (e0 - e1) << fracBits
	z := (e2 + e3) * c0541
	d[2] = z + e3*c0765
	d[6] = z - e2*c1847

	z5 := (t4 + t5 + t6 + t7) * c1175
	z1 := (t4 + t7) * -c0899
	z2 := (t5 + t6) * -c2562
	z3 := z5 - (t4+t6)*c1961
	z4 := z5 - (t5+t7)*c0390
	d[7] = t4*c0298 + z1 + z3
	d[5] = t5*c2053 + z2 + z4
	d[3] = t6*c3072 + z2 + z3
	d[1] = t7*c1501 + z1 + z4
}

// halves1 and halves2 round both values of a word for the shift that ends a pass.
const (
	halves1 = 1<<(shift1-1) + 1<<(shift1-1+32)
	halves2 = 1<<(shift2-1) + 1<<(shift2-1+32)
)

// lanes takes a word apart.
func lanes(v int64) (lo, hi int32) { return int32(v), int32((v + 1<<31) >> 32) }

// transform gives the quantised coefficients of a block and the mask of those that are not zero, by spot.
func transform(in *samples, q *quantiser, out *block) (mask uint64) {
	var mid samples // mid[4*x+u/2]: vertical frequencies u and u+1 of column x
	var d [8]int64
	for c := range 4 {
		for y := range d {
			d[y] = in[4*y+c]
		}
		dct8(&d)
		for p := range 4 {
			alo, ahi := lanes(d[2*p] + halves1)
			blo, bhi := lanes(d[2*p+1] + halves1)
			mid[8*c+p] = int64(alo>>shift1) + int64(blo>>shift1)<<32
			mid[8*c+4+p] = int64(ahi>>shift1) + int64(bhi>>shift1)<<32
		}
	}
	for p := range 4 {
		for x := range d {
			d[x] = mid[4*x+p]
		}
		dct8(&d)
		if p == 0 {
			d[0] -= flatDC << shift2
		}
		for v := range d {
			lo, hi := lanes(d[v] + halves2)
			i := 8*v + 2*p
			a := q.divide(i&63, lo>>shift2)
			b := q.divide((i+1)&63, hi>>shift2)
			out[i&63], out[(i+1)&63] = int16(a), int16(b)
			mask |= (notZero(a) | notZero(b)<<1) << i
		}
	}
	return mask
}

// divide quantises one coefficient, halves away from zero.
func (q *quantiser) divide(i int, c int32) int32 {
	sign := c >> 31
	n := (uint32((c^sign)-sign) + q.half[i]) * q.recip[i] >> (q.shift[i] & 31)
	return (int32(n) ^ sign) - sign
}

func notZero(c int32) uint64 { return uint64(uint32(c|-c) >> 31) }
