//go:build !amd64 || purego

package picture

// across filters rows horizontally.
type across struct{ taps }

func newAcross(t taps) across { return across{t} }

func (across) slack() int { return 0 }

func (a across) apply(dst []int32, src []uint8) { a.taps.apply(dst, src, a.first()) }

// mix adds filtered rows, multiplied by their weights, and writes the pixels to dst. `sum` is working memory.
func mix(dst []uint8, sum []int32, lines [][]int32, weights []int32) {
	mixPlain(dst, sum, lines, weights, 0)
}
