//go:build amd64 && !purego

package picture

import (
	"math"

	"golang.org/x/sys/cpu"
)

const (
	group     = 4  // number of taps that the assembly sums at a time. A tap has 4 bytes
	mixValues = 16 // number of values that the assembly computes at a time: four pixels
)

// across filters rows horizontally. All target pixels have the same number of groups of taps, which is enough for the longest weighting.
// A shorter weighting is filled up with taps of weight 0.
type across struct {
	taps
	groups  int
	starts  []int32 // for each target pixel, the byte offset of its first source pixel
	weights []int16 // 16 weights for each group: for each channel the first two taps, then for each channel the other two taps
	reach   int     // length in bytes of the part of a source row that the assembly reads
}

func newAcross(t taps) across {
	a := across{taps: t}
	if !cpu.X86.HasAVX2 || !t.small() {
		return a
	}
	a.groups = (t.longest() + group - 1) / group
	a.starts, a.weights = make([]int32, len(t)), make([]int16, 4*group*a.groups*len(t))
	for i, w := range t {
		at := 4 * (w.start - t.first())
		a.starts[i], a.reach = int32(at), max(a.reach, at+4*group*a.groups)
		to := a.weights[4*group*a.groups*i:]
		for k, f := range w.weights {
			for channel := range 4 {
				to[k/group*4*group+k%group/2*8+2*channel+k%2] = int16(f)
			}
		}
	}
	return a
}

// small() reports whether all weights fit in an int16.
func (t taps) small() bool {
	for _, w := range t {
		for _, f := range w.weights {
			if f < math.MinInt16 || f > math.MaxInt16 {
				return false
			}
		}
	}
	return true
}

// slack returns how many bytes after the end of a row the assembly may read. Their weight is 0.
func (a across) slack() int { return 4 * group * a.groups }

// apply filters a row. The result is the same as the result of taps.apply.
func (a across) apply(dst []int32, src []uint8) {
	if a.groups == 0 || cap(src) < a.reach {
		a.taps.apply(dst, src, a.first())
		return
	}
	_ = dst[4*len(a.starts)-1]
	acrossAVX2(&dst[0], &src[0], &a.starts[0], &a.weights[0], len(a.starts), a.groups)
}

// mix adds filtered rows, multiplied by their weights, and writes the pixels to dst. The result is the same as the result of mixPlain.
// `sum` is working memory.
func mix(dst []uint8, sum []int32, lines [][]int32, weights []int32) {
	n := len(sum) &^ (mixValues - 1)
	if !cpu.X86.HasAVX2 || n == 0 {
		n = 0
	} else {
		for _, l := range lines {
			_ = l[n-1]
		}
		_, _ = dst[n-1], weights[len(lines)-1]
		mixAVX2(&dst[0], &lines[0], &weights[0], len(lines), n)
	}
	mixPlain(dst[n:], sum[n:], lines, weights, n)
}

//go:noescape
func acrossAVX2(dst *int32, src *uint8, starts *int32, weights *int16, n, groups int)

//go:noescape
func mixAVX2(dst *uint8, lines *[]int32, weights *int32, rows, n int)
