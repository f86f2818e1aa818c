//go:build amd64 && !purego

package blend

import (
	"image/color"

	"golang.org/x/sys/cpu"
)

// haveAVX2 is whether this processor has what the assembly needs.
var haveAVX2 = cpu.X86.HasAVX2

// Kernels names the row kernels in use: "portable" or "avx2".
func Kernels() string {
	if haveAVX2 {
		return "avx2"
	}
	return "portable"
}

// vector is how many bytes the assembly works on at a time.
const vector = 32

//go:noescape
func fillAVX2(row *uint8, n int, col, keep uint32)

//go:noescape
func fadeAVX2(dst, a, b *uint8, n int, weights uint32)

func fill(row []uint8, col color.RGBA) {
	n := len(row) &^ (vector - 1)
	if haveAVX2 && n > 0 {
		fillAVX2(&row[0], n, word(col), uint32(255-col.A))
		row = row[n:]
	}
	fillLanes(row, col)
}

func fade(dst, a, b []uint8, t uint32) {
	n := len(dst) &^ (vector - 1)
	if haveAVX2 && n > 0 {
		fadeAVX2(&dst[0], &a[0], &b[0], n, Steps-t|t<<8)
		dst, a, b = dst[n:], a[n:], b[n:]
	}
	fadeLanes(dst, a, b, t)
}
