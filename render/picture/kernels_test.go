package picture

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// The fast functions give the same values as the plain functions. The cases have lengths that are not multiples of a vector, edges with
// fewer taps, enlarged pictures, and parts of pictures.
func TestScalingKernels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, tc := range []struct{ from, to, at, n int }{
		{1, 1, 0, 1}, {1, 9, 0, 9}, {2, 3, 1, 2}, {5, 4, 0, 4}, {17, 5, 0, 5}, {64, 17, 3, 11}, {100, 139, 40, 60}, {2000, 1440, 0, 1440}, {333, 84, 0, 84},
	} {
		k := boxFactor(tc.from, tc.to)
		cols := newTaps(tc.from, k, tc.to, tc.at, tc.n)
		a := newAcross(cols)
		wide := 4 * (cols.end() - cols.first())
		src := make([]byte, wide+a.slack())
		for i := range src {
			src[i] = uint8(rnd.Uint32())
		}
		lines := make([][]int32, 1+rnd.IntN(9))
		for i := range lines {
			got, want := make([]int32, 4*tc.n), make([]int32, 4*tc.n)
			a.apply(got, src[:wide])
			cols.apply(want, src, cols.first())
			if !slices.Equal(got, want) {
				t.Fatalf("%v across: got %v, want %v", tc, got, want)
			}
			a.apply(got, slices.Clip(src[:wide])) // with this capacity, apply must not read beyond the slice
			if !slices.Equal(got, want) {
				t.Fatalf("%v across, no slack: got %v, want %v", tc, got, want)
			}
			for j := range want {
				want[j] += rnd.Int32N(40_000) - 20_000 // some sums are far below 0 or far above 255
			}
			lines[i] = want
		}
		weights, sum := normalise(slices.Repeat([]float64{1, -0.2, 0.7}, 3)[:len(lines)]), make([]int32, 4*tc.n)
		got, want := make([]byte, 4*tc.n), make([]byte, 4*tc.n)
		mix(got, sum, lines, weights)
		mixPlain(want, sum, lines, weights, 0)
		if !bytes.Equal(got, want) {
			t.Fatalf("%v mixed: got %v, want %v", tc, got, want)
		}
	}
}

// Weights that do not fit in 16 bits are handled by the plain function.
func TestLargeWeights(t *testing.T) {
	cols := taps{{0, []int32{40_000, -23_616}}, {0, []int32{1 << weightBits}}}
	a := newAcross(cols)
	src := append([]byte{255, 0, 7, 255, 1, 2, 3, 4}, make([]byte, a.slack())...)
	got, want := make([]int32, 8), make([]int32, 8)
	a.apply(got, src[:8])
	cols.apply(want, src[:8], 0)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
