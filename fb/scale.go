package fb

import (
	"image"
	"math"
)

// A Scaler scales pictures. Scale maps all of src to all of dst, but paints only the part `dr` of dst. Each painted pixel must be the same
// as if `dr` was all of dst. A painted pixel may only depend on source pixels within the reach of a triangle filter.
type Scaler interface {
	Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA)
}

// PlainScaler is the default Scaler. It interpolates linearly between source pixels when it enlarges a picture, and averages source pixels
// when it shrinks a picture. It accepts any size, allocates memory and is slow. The results differ by at most 1 from the results of
// draw.BiLinear in golang.org/x/image, which adds 20 kB of code to a program.
type PlainScaler struct{}

// Scale implements Scaler.
func (PlainScaler) Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA) {
	dr = dr.Intersect(dst.Rect)
	if dr.Empty() || src.Rect.Empty() {
		return
	}
	cols := make([]triangle, dr.Dx())
	for i := range cols {
		cols[i] = newTriangle(dr.Min.X-dst.Rect.Min.X+i, dst.Rect.Dx(), src.Rect.Dx())
	}
	for y := dr.Min.Y; y < dr.Max.Y; y++ {
		row := newTriangle(y-dst.Rect.Min.Y, dst.Rect.Dy(), src.Rect.Dy())
		out := dst.Pix[dst.PixOffset(dr.Min.X, y):]
		for i, col := range cols {
			*(*[4]uint8)(out[4*i:]) = average(src.Pix[row.first*src.Stride+4*col.first:], src.Stride, col.weights, row.weights)
		}
	}
}

// average returns the weighted average of a block of RGBA pixels, whose first pixel is at the beginning of `pix`. The block has one
// column for each weight in `across` and one row for each weight in `down`.
func average(pix []uint8, stride int, across, down []int64) (out [4]uint8) {
	var sum [4]int64
	for y, v := range down {
		p := pix[y*stride:][:4*len(across)]
		for x, h := range across {
			w, p := v*h, p[4*x:][:4]
			sum[0] += w * int64(p[0])
			sum[1] += w * int64(p[1])
			sum[2] += w * int64(p[2])
			sum[3] += w * int64(p[3])
		}
	}
	for c, s := range sum {
		out[c] = uint8((s + 1<<(2*triangleBits-1)) >> (2 * triangleBits))
	}
	return out
}

// triangleBits is the number of fraction bits of a weight. Two weights and a color have 2*15+8 bits together.
const triangleBits = 15

// A triangle holds the weights of the source pixels that contribute to one target pixel along one axis. The first of these source pixels
// has the index `first`. The sum of the weights is 1<<triangleBits.
type triangle struct {
	first   int
	weights []int64
}

// newTriangle returns the weights for target pixel i if n source pixels are scaled to `size` target pixels. When a picture shrinks, the
// triangle filter is as wide as two target pixels.
func newTriangle(i, size, n int) triangle {
	step := float64(n) / float64(size)
	wide, center := max(step, 1), (float64(i)+0.5)*step-0.5
	first, end := max(0, int(math.Floor(center-wide))), min(n, int(math.Ceil(center+wide))+1)
	exact, total := make([]float64, end-first), 0.0
	for j := range exact {
		exact[j] = max(0, 1-math.Abs(float64(first+j)-center)/wide)
		total += exact[j]
	}
	t := triangle{first, make([]int64, len(exact))}
	rest, largest := int64(1<<triangleBits), 0
	for j, e := range exact {
		t.weights[j] = int64(math.Round(e / total * (1 << triangleBits)))
		rest -= t.weights[j]
		if t.weights[j] > t.weights[largest] {
			largest = j
		}
	}
	t.weights[largest] += rest // the sum is exact, so that flat colors stay exact
	return t
}
