package bilinear

import (
	"cmp"
	"slices"
)

// Weights are fractions of a power of two. The power is the greatest that fits in the lanes of the kernels:
const (
	// pointBits is 7, because 255·2⁷ fits in the signed 16-bit lanes that blend two rows.
	pointBits = 7
	// blendBits is the precision of the 16-bit rounding multiply (PMULHRSW, SQRDMULH).
	blendBits = 15
	// sumBits is 8, because 255·2⁸ fits in an unsigned 16-bit lane, so that rows are summed without widening.
	sumBits = 8
	// fineBits is 14, because (255·2⁸)·2¹⁴ fits in a signed 32-bit lane with room for rounding.
	fineBits = 14
)

// point returns the left of the two source pixels next to the center of destination pixel i, and the weight of the right one as a
// fraction of 2^bits. At an edge, only the edge pixel is used.
func (a *axis) point(i, bits int) (left, weight int) {
	num, den := a.centre(i), 2*a.dst
	if num <= 0 {
		return 0, 0
	}
	left = num / den
	if left >= a.src-1 {
		return a.src - 1, 0
	}
	return left, ((num%den)<<bits + a.dst) / den
}

// triangle returns the first source pixel under the triangle of destination pixel i, and appends the weights from that pixel on.
// They are whole numbers greater than 0, in units of 1/(2·dst), and are not normalized.
func (a *axis) triangle(i int, w []int) (int, []int) {
	num, den := a.centre(i), 2*a.dst
	reach := 2 * max(a.src, a.dst)
	first := max(0, floorDiv(num-reach, den)+1)
	for j := first; j < a.src; j++ {
		v := reach - abs(j*den-num)
		if v <= 0 {
			break
		}
		w = append(w, v)
	}
	return first, w
}

// quantise turns w in place into whole numbers that sum to total exactly, by largest
// remainder: no weight is off by a whole unit.
func quantise(w []int, total int) {
	sum := 0
	for _, v := range w {
		sum += v
	}
	order := make([]int, len(w))
	rest := make([]int, len(w))
	left := total
	for i, v := range w {
		scaled := int64(v) * int64(total)
		order[i], rest[i] = i, int(scaled%int64(sum))
		w[i] = int(scaled / int64(sum))
		left -= w[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for _, i := range order[:left] {
		w[i]++
	}
}

// trim drops zero weights from both ends and returns how many it dropped at the front.
func trim(w []int) (int, []int) {
	front := 0
	for w[front] == 0 {
		front++
	}
	end := len(w)
	for w[end-1] == 0 {
		end--
	}
	return front, w[front:end]
}

// floorDiv is a/b rounded down, for b > 0.
func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
