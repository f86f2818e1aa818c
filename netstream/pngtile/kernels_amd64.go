//go:build amd64 && !purego

package pngtile

import "golang.org/x/sys/cpu"

// haveAVX2 reports whether this processor has the instructions of the assembly.
var haveAVX2 = cpu.X86.HasAVX2

// group is the number of bytes that adlerAVX2 processes at a time, and `eight` is the number of pixels that packAVX2 processes at a time.
const (
	group = 32
	eight = 8
)

//go:noescape
func adlerAVX2(p *byte, n int, sums *[3]uint64)

//go:noescape
func packAVX2(dst, src *byte, n int)

// sumOf returns the checksum of p. The sum is the same as the sum of hash/adler32.
func sumOf(p []byte) adler {
	if !haveAVX2 {
		return sumWords(p)
	}
	all, s1, s2 := len(p), uint64(1), uint64(0)
	for len(p) >= group {
		var sums [3]uint64
		n := min(len(p), foldBytes) &^ (group - 1)
		adlerAVX2(&p[0], n, &sums)
		s2 = (s2 + uint64(n)*s1 + group*sums[1] + sums[2]) % adlerBase
		s1 = (s1 + sums[0]) % adlerBase
		p = p[n:]
	}
	s1, s2 = sumPart(s1, s2, p)
	return adler{uint32(s2)<<16 | uint32(s1), all}
}

// pack copies RGBA pixels to dst as bytes R, G, B. dst must have `slack` bytes after the pixels.
func pack(dst, rgba []byte) {
	if n := len(rgba) / 4 &^ (eight - 1); haveAVX2 && n > 0 {
		_ = dst[pixelBytes*n+slack-1]
		packAVX2(&dst[0], &rgba[0], n)
		dst, rgba = dst[pixelBytes*n:], rgba[4*n:]
	}
	packWords(dst, rgba)
}
