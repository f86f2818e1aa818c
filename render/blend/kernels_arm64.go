//go:build arm64 && !purego

package blend

import "image/color"

// Kernels returns the name of the row functions in use.
func Kernels() string { return "neon" }

// vector is the number of bytes that the assembly processes at a time.
const vector = 32

//go:noescape
func fillNEON(row *uint8, n int, col, keep uint32)

//go:noescape
func fadeNEON(dst, a, b *uint8, n int, first, second uint32)

func cover(b block, col color.RGBA) { coverLanes(b, col) }

func fill(row []uint8, col color.RGBA) {
	if n := len(row) &^ (vector - 1); n > 0 {
		fillNEON(&row[0], n, word(col), uint32(255-col.A))
		row = row[n:]
	}
	fillLanes(row, col)
}

func fade(dst, a, b []uint8, t uint32) {
	if n := len(dst) &^ (vector - 1); n > 0 {
		fadeNEON(&dst[0], &a[0], &b[0], n, Steps-t, t)
		dst, a, b = dst[n:], a[n:], b[n:]
	}
	fadeLanes(dst, a, b, t)
}
