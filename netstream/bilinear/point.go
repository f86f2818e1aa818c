package bilinear

import "image"

const (
	// minPointWidth is the minimum source width for filtering with two pixels, because the filter reads a pixel and its right neighbor.
	minPointWidth = 2
	// groupPixels is the number of pixels that a vector kernel filters in one step.
	groupPixels = 4
	// windowPixels is the number of neighboring source pixels that contain all source pixels of a group. A group needs at most 7 of them. The
	// last left pixel is at most 5 pixels after the first left pixel, because a step is at most 3/2. The right neighbor of the last left pixel
	// follows.
	windowPixels = 8
	// slackPixels is the number of extra pixels at the end of a row buffer. Kernels may read these pixels.
	slackPixels = 8
)

// pointX holds the horizontal weights of filtering with two pixels.
type pointX struct {
	off    []int32  // for each column, the byte offset of its left source pixel
	weight []uint64 // left weight << 32 | right weight, in units of 1/2⁷

	end int32 // length of a source row in bytes

	// Tables of the vector kernels, one entry for four columns.
	base []int32 // byte offset of a window of eight source pixels
	perm []uint8 // indices of pixels in the window, in the form that the kernel needs
	pair []uint8 // left and right weight of each of the four columns
}

// twoTap scales with two source pixels in each direction. It keeps two source rows after their horizontal filtering.
type twoTap struct {
	x      pointX
	k      *kernels
	top    []int16 // for each destination row, the upper of its two source rows
	weight []int16 // weight of the lower source row, in units of 1/2¹⁵
	rows   [2][]uint64
	have   [2]int // for each buffer in the field rows, the number of the source row that it contains, or −1
}

func newTwoTap(x, y *axis, k *kernels) *twoTap {
	t := &twoTap{k: k}
	t.x.build(x)
	if k.groups != nil {
		k.groups(&t.x)
	}
	for i := range y.dst {
		top, w := y.point(i, blendBits)
		w = min(w, 1<<blendBits-1) // greatest value of a signed 16-bit lane
		t.top = append(t.top, int16(top))
		t.weight = append(t.weight, int16(w))
		y.span(top, top+min(w, 1))
	}
	for i := range t.rows {
		t.rows[i] = make([]uint64, roundUp(x.dst, groupPixels)+slackPixels)
	}
	return t
}

// build computes the weights. It repeats the last column until the number of columns is a multiple of groupPixels. For a column at the
// right edge, the left pixel is the second last pixel of the row, with the weight 0.
func (t *pointX) build(x *axis) {
	t.end = int32(4 * x.src)
	for i := range roundUp(x.dst, groupPixels) {
		left, w := x.point(min(i, x.dst-1), pointBits)
		if i < x.dst {
			lo, hi := left+w>>pointBits, left+min(w, 1)
			x.span(lo, hi)
		}
		if left == x.src-1 {
			left, w = left-1, 1<<pointBits
		}
		t.off = append(t.off, int32(4*left))
		t.weight = append(t.weight, uint64(1<<pointBits-w)<<32|uint64(w))
	}
}

// scale writes the rectangle r of the scaled picture to dst. r must lie in dst and in the scaled picture.
func (t *twoTap) scale(dst *image.RGBA, r image.Rectangle, src *source) {
	t.have = [2]int{-1, -1} // forget the kept rows, because the source may have changed since the last call
	for y := r.Min.Y; y < r.Max.Y; y++ {
		top, w := int(t.top[y]), int(t.weight[y])
		a := t.row(top, top+1, src, r)
		b := a
		if w != 0 {
			b = t.row(top+1, top, src, r)
		}
		t.k.blend(pixels(dst, r, y), a[r.Min.X:], b[r.Min.X:], w)
	}
}

// row returns source row y after horizontal filtering. Two filtered rows are kept. If row y is not kept yet, it replaces a kept row, but
// never the row with the number `keep`.
func (t *twoTap) row(y, keep int, src *source, r image.Rectangle) []uint64 {
	for i, have := range t.have {
		if have == y {
			return t.rows[i]
		}
	}
	i := 0
	if t.have[0] == keep {
		i = 1
	}
	t.have[i] = y
	t.k.filter(t.rows[i], src.row(y), &t.x, r.Min.X, r.Max.X)
	return t.rows[i]
}

func (t *twoTap) bytes() int {
	return 4*(cap(t.x.off)+cap(t.x.base)) + 8*cap(t.x.weight) + cap(t.x.perm) + cap(t.x.pair) +
		2*(cap(t.top)+cap(t.weight)) + 8*(cap(t.rows[0])+cap(t.rows[1]))
}
