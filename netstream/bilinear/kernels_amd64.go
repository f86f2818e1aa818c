//go:build amd64 && !purego

package bilinear

import "golang.org/x/sys/cpu"

// best is the fastest set this processor runs.
var best = detect()

func detect() *kernels {
	if !cpu.X86.HasAVX2 {
		return portable
	}
	// The bias turns unsigned 16-bit lanes into signed ones, which VPMADDWD requires.
	return newVector("avx2", 0x8000_8000_8000_8000, pickDwords)
}

// pickDwords appends one byte a dword for VPERMD: left, right, left, right …
func pickDwords(perm []uint8, left [groupPixels]uint8) []uint8 {
	for _, n := range left {
		perm = append(perm, n, n+1)
	}
	return perm
}
