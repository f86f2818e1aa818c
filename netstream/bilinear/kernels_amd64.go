//go:build amd64 && !purego

package bilinear

import "golang.org/x/sys/cpu"

// best is the fastest set of kernels that this processor can run.
var best = detect()

func detect() *kernels {
	if !cpu.X86.HasAVX2 {
		return portable
	}
	// VPMADDWD needs signed lanes. The bias converts unsigned 16-bit lanes to signed lanes.
	return newVector("avx2", 0x8000_8000_8000_8000, pickDwords)
}

// pickDwords appends indices for the instruction VPERMD. They select the left and the right pixel of each column in turn. Each index is
// one byte and selects a 32-bit word.
func pickDwords(perm []uint8, left [groupPixels]uint8) []uint8 {
	for _, n := range left {
		perm = append(perm, n, n+1)
	}
	return perm
}
