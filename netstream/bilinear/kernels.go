package bilinear

// kernels is one set of row functions. Every set writes the same bytes. The content of rows between the steps is
// private to the set, within these shapes.
type kernels struct {
	name string
	// minWidth is the narrowest source, in pixels, the set can read.
	minWidth int
	// sumWords is how many words a pixel has in a row of sums: 1 for four 16-bit lanes
	// in any order (exclusive-or bias), 2 for 32-bit lanes R B, G A.
	sumWords int
	bias     uint64

	// groups appends the tables that filter reads for four neighbouring pixels, or nil if
	// it reads off and weight only.
	groups func(t *pointX)
	// filter writes columns [x0, x1) of a point-sampled row, one word of four 16-bit lanes a pixel, from the source row
	// src. It may write up to the next multiple of four.
	filter func(row []uint64, src []byte, t *pointX, x0, x1 int)
	// blend writes len(dst)/4 pixels of a + (b−a)·weight/2¹⁵. A and b hold eight pixels
	// more than dst.
	blend func(dst []byte, a, b []uint64, weight int)
	// sum writes columns [x0, x1) of the weighted sum of source rows (8 fractional
	// bits). Row k begins at src[off[k]], has the weight w[k], and width pixels; w has
	// an even length. It may write other columns of the row.
	sum func(row []uint64, src []byte, off []int, w []uint8, x0, x1, width int)
	// shrink writes destination pixels [x0, x1) from a row of sums.
	shrink func(dst []byte, row []uint64, t *areaX, x0, x1 int)
}

// portable is the set that runs everywhere and that the others are tested against.
var portable = newPortable(wideWords)

// newPortable returns the portable set, in four-lane words of 64 bits or two-lane words of 32.
func newPortable(wide bool) *kernels {
	k := &kernels{name: "portable", sumWords: 2}
	if wide {
		k.filter, k.blend, k.sum, k.shrink = filter64, blend64, sum64, shrink64
	} else {
		k.sumWords = 1
		k.filter, k.blend, k.sum, k.shrink = filter32, blend32, sum32, shrink32
	}
	return k
}
