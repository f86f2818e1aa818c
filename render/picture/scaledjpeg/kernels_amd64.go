//go:build amd64 && !purego

package scaledjpeg

import "golang.org/x/sys/cpu"

const (
	blocksAtOnce = 4  // number of blocks that transform4 processes at a time
	pixelsAtOnce = 16 // number of pixels that convertVector processes at a time
)

// transform4 does the same as inverse4 for the first blocks of a line. It returns the number of transformed blocks.
func transform4(out []uint8, stride int, coefs []int16, factors *[16]int16, blocks int) int {
	blocks &^= blocksAtOnce - 1
	if !cpu.X86.HasAVX2 || blocks == 0 {
		return 0
	}
	_, _ = out[3*stride+4*blocks-1], coefs[16*blocks-1]
	inverse4AVX2(&out[0], stride, &coefs[0], factors, blocks/blocksAtOnce)
	return blocks
}

// convertVector converts the first pixels of a row. Two pixels share each value of `cbs` and `crs`. convertVector returns how many pixels
// it has converted.
func convertVector(dst, ys, cbs, crs []uint8) int {
	n := len(dst) / 4 &^ (pixelsAtOnce - 1)
	if !cpu.X86.HasAVX2 || n == 0 {
		return 0
	}
	_, _, _, _ = dst[4*n-1], ys[n-1], cbs[n/2-1], crs[n/2-1]
	convertAVX2(&dst[0], &ys[0], &cbs[0], &crs[0], n/pixelsAtOnce)
	return n
}

//go:noescape
func inverse4AVX2(out *uint8, stride int, coefs *int16, factors *[16]int16, groups int)

//go:noescape
func convertAVX2(dst, ys, cbs, crs *uint8, groups int)
