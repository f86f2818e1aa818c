package bilinear

import "image"

const (
	// minPointWidth is two, because a point-sampled row reads two neighbors at once.
	minPointWidth = 2
	// groupPixels is the number of pixels that a vector filter computes at once.
	groupPixels = 4
	// windowPixels is the number of source pixels from which a group is picked. Three steps of at most 3/2, a fraction, and a right
	// neighbor are at most 7.
	windowPixels = 8
	// slackPixels is the number of pixels that may be read after the last pixel of a row buffer.
	slackPixels = 8
)

// pointX is the horizontal half of point sampling.
type pointX struct {
	off    []int32  // byte offset of the left source pixel, one a column
	weight []uint64 // left weight << 32 | right weight, in 1/2⁷

	end int32 // bytes of a source row

	// Tables of the vector kernels, one entry for four columns.
	base []int32 // byte offset of a window of eight source pixels
	perm []uint8 // numbers of the pixels in the window, in the kernel's form
	pair []uint8 // left and right weight of each of the four columns
}

// twoTap scales by two-point sampling. A cache holds two horizontally filtered rows.
type twoTap struct {
	x      pointX
	k      *kernels
	top    []int16 // upper source row of each destination row
	weight []int16 // weight of the lower one, in 1/2¹⁵
	rows   [2][]uint64
	have   [2]int // index of the source row in each cache place, −1 for none
}

func newTwoTap(x, y *axis, k *kernels) *twoTap {
	t := &twoTap{k: k}
	t.x.build(x)
	if k.groups != nil {
		k.groups(&t.x)
	}
	for i := range y.dst {
		top, w := y.point(i, blendBits)
		w = min(w, 1<<blendBits-1) // the greatest value of a signed 16-bit lane
		t.top = append(t.top, int16(top))
		t.weight = append(t.weight, int16(w))
		y.span(top, top+min(w, 1))
	}
	for i := range t.rows {
		t.rows[i] = make([]uint64, roundUp(x.dst, groupPixels)+slackPixels)
	}
	return t
}

// build fills the table, padded to whole groups by repeating the last column. At
// the right edge the left neighbour is the last but one pixel with weight 0.
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

// scale writes the destination rectangle r, which lies in dst and in the picture.
func (t *twoTap) scale(dst *image.RGBA, r image.Rectangle, src *source) {
	t.have = [2]int{-1, -1} // the source may have changed since the last call
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

// row returns source row y filtered. If it is not in the cache, it replaces the cached row that is not keep.
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
