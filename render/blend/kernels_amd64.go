//go:build amd64 && !purego

package blend

import (
	"image/color"

	"golang.org/x/sys/cpu"
)

// haveAVX2 reports whether this processor has the instructions of the assembly.
var haveAVX2 = cpu.X86.HasAVX2

// Kernels returns the name of the row functions in use: "portable" or "avx2".
func Kernels() string {
	if haveAVX2 {
		return "avx2"
	}
	return "portable"
}

// vector is the number of bytes that the assembly processes at a time.
const vector = 32

//go:noescape
func fillAVX2(row *uint8, n int, col, keep uint32)

//go:noescape
func fadeAVX2(dst, a, b *uint8, n int, weights uint32)

//go:noescape
func lerpAVX2(dst *uint8, stride int, cover *uint8, coverStride, w, h int, col uint32)

//go:noescape
func mixAVX2(dst *uint8, stride int, cover *uint8, coverStride, w, h int, col uint32)

func cover(b block, col color.RGBA) {
	switch {
	case !haveAVX2:
		coverLanes(b, col)
	case col.A == 255:
		lerpAVX2(&b.dst[0], b.stride, &b.cover[0], b.coverStride, b.w, b.h, word(col))
	default:
		mixAVX2(&b.dst[0], b.stride, &b.cover[0], b.coverStride, b.w, b.h, word(col))
	}
}

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
