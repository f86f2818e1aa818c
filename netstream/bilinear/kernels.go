package bilinear

// kernels is a set of functions that process rows. All sets produce the same bytes. Each set may use its own format for rows between the
// steps, as long as the rows have the sizes described here.
type kernels struct {
	name string
	// minWidth is the minimum width of a source that the set can read, in pixels.
	minWidth int
	// sumWords is the number of words for a pixel in a row of sums. If it is 1, a word has four 16-bit lanes in any order, and every lane
	// is XORed with the bias. If it is 2, each word has two 32-bit lanes: R and B in the first word, G and A in the second word.
	sumWords int
	bias     uint64

	// groups fills the tables base, perm and pair of a pointX, which describe groups of four neighboring pixels. It is nil if the set's
	// filter needs only the fields `off` and `weight`.
	groups func(t *pointX)
	// filter filters the source row src horizontally, for the destination columns [x0, x1). Each result uses two source pixels. For each
	// pixel, filter writes one word with four 16-bit lanes. It may also write the columns up to the next multiple of four.
	filter func(row []uint64, src []byte, t *pointX, x0, x1 int)
	// blend writes len(dst)/4 pixels. Each pixel is a + (b−a)·weight/2¹⁵. a and b have eight more pixels than dst.
	blend func(dst []byte, a, b []uint64, weight int)
	// sum adds source rows with weights (8 fraction bits), and writes columns [x0, x1) of the result to `row`. Source row k begins at
	// src[off[k]] and has the weight w[k]. `width` is the number of pixels in a source row. The length of w is even. sum may also write other
	// columns of `row`.
	sum func(row []uint64, src []byte, off []int, w []uint8, x0, x1, width int)
	// shrink writes destination pixels [x0, x1), computed from a row of sums.
	shrink func(dst []byte, row []uint64, t *areaX, x0, x1 int)
}

// portable is the set of kernels that runs on every machine. Tests compare all other sets with this set.
var portable = newPortable(wideWords)

// newPortable returns the portable set. If `wide` is true, it uses 64-bit words with four lanes, otherwise 32-bit words with two lanes.
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
