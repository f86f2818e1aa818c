package bilinear

import "image"

const (
	// bandTaps is the maximum number of source rows in a band. For more rows, the 8-bit weights of a band would be too coarse. If a
	// destination row uses more source rows, it has several bands, whose sums are added with 14-bit weights.
	bandTaps = 16
	// quadTaps is the number of columns that a vector kernel multiplies in one step.
	quadTaps = 4
)

// areaX holds the horizontal weights of scaling by area.
type areaX struct {
	start  []int32  // first source column of each destination column
	taps   int      // largest number of source columns that a destination column uses
	stride int      // number of weights for each destination column: taps, rounded up to a multiple of quadTaps
	weight []uint16 // weights, in units of 1/2¹⁴
}

// A band is a run of source rows that are added with 8-bit weights. w[n] is the weight of the source row min(first+n, last). The length
// of w is always even. If the number of rows is odd, w has one extra weight, which also belongs to the last row.
type band struct {
	first, last int16
	weight      int32 // weight of the band in the destination row, in units of 1/2¹⁴
	w           []uint8
}

// area scales with triangle filters that are wide enough to use every source pixel.
type area struct {
	x     areaX
	k     *kernels
	bands []band
	begin []int32 // for each destination row, the index of its first band. An extra entry at the end is the number of bands
	src   int     // source width
	off   [bandTaps]int
	sums  []uint64 // a row of weighted sums
	part  []uint64 // the sums of a single band
	acc   []uint64 // sums of several bands, in 32-bit lanes: two words for each pixel
}

func newArea(x, y *axis, k *kernels) *area {
	t := &area{k: k, src: x.src}
	t.x.build(x)
	var many bool
	for i := range y.dst {
		t.begin = append(t.begin, int32(len(t.bands)))
		t.addRow(y, i)
		many = many || len(t.bands)-int(t.begin[i]) > 1
	}
	t.begin = append(t.begin, int32(len(t.bands)))
	words := k.sumWords * (x.src + t.x.stride)
	t.sums = make([]uint64, words)
	if many {
		t.part = make([]uint64, words)
		t.acc = make([]uint64, 2*x.src)
	}
	return t
}

// build computes the weights of each destination column. After the last column, it repeats the last column's weights, so that a kernel
// can read a whole group from any column on.
func (t *areaX) build(x *axis) {
	var all [][]int
	for i := range x.dst + groupPixels {
		first, w := x.triangle(min(i, x.dst-1), nil)
		quantise(w, 1<<fineBits)
		front, w := trim(w)
		first += front
		if i < x.dst {
			x.span(first, first+len(w)-1)
		}
		t.start = append(t.start, int32(first))
		t.taps = max(t.taps, len(w))
		all = append(all, w)
	}
	t.stride = roundUp(t.taps, quadTaps)
	t.weight = make([]uint16, len(all)*t.stride)
	for i, w := range all {
		for j, v := range w {
			t.weight[i*t.stride+j] = uint16(v)
		}
	}
}

// addRow appends the bands for destination row i.
func (t *area) addRow(y *axis, i int) {
	first, w := y.triangle(i, nil)
	n := (len(w) + bandTaps - 1) / bandTaps
	share := make([]int, n)
	for j, v := range w {
		share[j*n/len(w)] += v
	}
	quantise(share, 1<<fineBits)
	lo, hi := y.src, -1
	for j, b := 0, 0; b < n; b++ {
		from := j
		for j < len(w) && j*n/len(w) == b {
			j++
		}
		if share[b] == 0 {
			continue
		}
		one := newBand(first+from, w[from:j], share[b])
		t.bands = append(t.bands, one)
		lo, hi = min(lo, int(one.first)), max(hi, int(one.last))
	}
	y.span(lo, hi)
}

func newBand(first int, w []int, share int) band {
	quantise(w, 1<<sumBits)
	front, w := trim(w)
	b := band{first: int16(first + front), last: int16(first + front + len(w) - 1), weight: int32(share)}
	if len(w) == 1 { // the single weight 256 does not fit in a uint8, so use two weights of 128
		b.w = []uint8{1 << (sumBits - 1), 1 << (sumBits - 1)}
		return b
	}
	b.w = make([]uint8, roundUp(len(w), 2))
	for i, v := range w {
		b.w[i] = uint8(v)
	}
	return b
}

// scale writes the rectangle r of the scaled picture to dst. r must lie in dst and in the scaled picture. Only the source columns [x0,
// x1) are read.
func (t *area) scale(dst *image.RGBA, r image.Rectangle, src *source, x0, x1 int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		bands := t.bands[t.begin[y]:t.begin[y+1]]
		if len(bands) == 1 {
			t.sum(t.sums, &bands[0], src, x0, x1)
		} else {
			t.combine(bands, src, x0, x1)
		}
		t.k.shrink(pixels(dst, r, y), t.sums, &t.x, r.Min.X, r.Max.X)
	}
}

func (t *area) sum(row []uint64, b *band, src *source, x0, x1 int) {
	off := t.off[:len(b.w)]
	for i := range off {
		off[i] = min(int(b.first)+i, int(b.last)) * src.stride
	}
	t.k.sum(row, src.pix, off, b.w, x0, x1, t.src)
}

// Mask and rounding for two 32-bit lanes in a word.
const (
	low16     = 0x0000_ffff_0000_ffff
	fineRound = 0x0000_2000_0000_2000 // half of 2¹⁴ in each lane
)

// combine computes the weighted mean of several bands, rounds it, and writes it to sums.
func (t *area) combine(bands []band, src *source, x0, x1 int) {
	acc := t.acc[2*x0 : 2*x1]
	for i := range acc {
		acc[i] = fineRound
	}
	for i := range bands {
		t.sum(t.part, &bands[i], src, x0, x1)
		t.addPart(acc, uint64(bands[i].weight), x0)
	}
	if t.k.sumWords == 2 {
		for i, v := range acc {
			t.sums[2*x0+i] = v >> fineBits & low16
		}
		return
	}
	for i := range x1 - x0 {
		e, o := acc[2*i]>>fineBits&low16, acc[2*i+1]>>fineBits&low16
		t.sums[x0+i] = (e | o<<16) ^ t.k.bias
	}
}

func (t *area) addPart(acc []uint64, weight uint64, x0 int) {
	if t.k.sumWords == 2 {
		for i, v := range t.part[2*x0:][:len(acc)] {
			acc[i] += v * weight
		}
		return
	}
	for i, v := range t.part[x0:][:len(acc)/2] {
		v ^= t.k.bias
		acc[2*i] += v & low16 * weight
		acc[2*i+1] += v >> 16 & low16 * weight
	}
}

func (t *area) bytes() int {
	n := 4*(cap(t.x.start)+cap(t.begin)) + 2*cap(t.x.weight) + bandBytes*cap(t.bands) +
		8*(cap(t.sums)+cap(t.part)+cap(t.acc))
	for i := range t.bands {
		n += cap(t.bands[i].w)
	}
	return n
}

// bandBytes is the size of a band on 64-bit machines, including the slice header.
const bandBytes = 32
