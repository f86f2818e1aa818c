//go:build amd64 && !purego

package bilinear

import "golang.org/x/sys/cpu"

// best is the fastest set this processor runs.
var best = detect()

func detect() *kernels {
	if !cpu.X86.HasAVX2 {
		return portable
	}
	// VPMADDWD needs signed lanes. The bias converts unsigned 16-bit lanes to signed ones.
	return newVector("avx2", 0x8000_8000_8000_8000, pickDwords)
}

// pickDwords appends the indices for VPERMD, one byte for each dword: left, right, left, right …
func pickDwords(perm []uint8, left [groupPixels]uint8) []uint8 {
	for _, n := range left {
		perm = append(perm, n, n+1)
	}
	return perm
}
