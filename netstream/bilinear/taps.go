package bilinear

import (
	"cmp"

	"dashboard/internal/stable"
)

// Weights are integers in units of 1/2ⁿ. Each constant is the greatest n for which all values fit in the lanes of the kernels:
const (
	// pointBits is n for blending two pixels in a row. 255·2⁷ fits in the signed 16-bit lanes that are then blended with
	// another row.
	pointBits = 7
	// blendBits is n for blending two rows. The rounding 16-bit multiplication (PMULHRSW, SQRDMULH) has the same precision.
	blendBits = 15
	// sumBits is n for adding rows. 255·2⁸ fits in an unsigned 16-bit lane.
	sumBits = 8
	// fineBits is n for adding columns. (255·2⁸)·2¹⁴ fits in a signed 32-bit lane, with room for rounding.
	fineBits = 14
)

// point returns the left one of the two source pixels around the center of destination pixel i. It also returns the weight of the right
// source pixel, in units of 1/2^bits. At an edge, the weight of the missing pixel is 0.
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

// triangle returns the first source pixel under the triangle of destination pixel i. It appends the weights of this pixel and of the
// following pixels to w. The weights are whole numbers greater than 0 in units of 1/(2·dst), and are not normalized.
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

// quantise converts the weights w to whole numbers whose sum is exactly `total`. It changes w in place. It adds the remaining units to the
// weights with the largest fractions, one unit to each. So each weight is off by less than 1.
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
	stable.Sort(order, func(a, b int) int { return cmp.Compare(rest[b], rest[a]) })
	for _, i := range order[:left] {
		w[i]++
	}
}

// trim removes zero weights from both ends. It returns the number of weights that it has removed at the start.
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

// floorDiv returns a/b, rounded down. b must be greater than 0.
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
