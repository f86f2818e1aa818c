// Package blend mixes rows of premultiplied RGBA pixels with colors, coverage and each other.
//
// All of it is integer arithmetic with the same result on every processor: a product of two shares of 255 is divided by
// 255 and rounded to nearest. The fast functions are compared with the functions of plain.go.
package blend

import (
	"image"
	"image/color"
)

// pixelBytes is the size of a pixel of image.RGBA.
const pixelBytes = 4

// Mask is alpha coverage: 255 for a pixel that is completely inside. Its Rect is in px, relative to the point at which it is
// painted.
type Mask = image.Alpha

// Paint blends col (premultiplied) over dst within clip, through the mask m whose origin is at p. clip must lie inside dst.
func Paint(dst *image.RGBA, clip image.Rectangle, m *Mask, p image.Point, col color.RGBA) {
	r := m.Rect.Add(p).Intersect(clip)
	if r.Empty() || col.A == 0 {
		return
	}
	b := block{stride: dst.Stride, coverStride: m.Stride, w: r.Dx(), h: r.Dy()}
	d, s := dst.PixOffset(r.Min.X, r.Min.Y), m.PixOffset(r.Min.X-p.X, r.Min.Y-p.Y)
	b.dst = dst.Pix[d : d+(b.h-1)*b.stride+pixelBytes*b.w]
	b.cover = m.Pix[s : s+(b.h-1)*b.coverStride+b.w]
	cover(b, premultiplied(col))
}

// Set overwrites a row of pixels with col.
func Set(row []uint8, col color.RGBA) {
	if len(row) < pixelBytes {
		return
	}
	row[0], row[1], row[2], row[3] = col.R, col.G, col.B, col.A
	for n := pixelBytes; n < len(row); n *= 2 {
		copy(row[n:], row[:n]) // copying is several times faster than storing pixels
	}
}

// Fill blends col (premultiplied) over a row of pixels.
func Fill(row []uint8, col color.RGBA) {
	switch col.A {
	case 0:
	case 255:
		Set(row, col)
	default:
		fill(row, premultiplied(col))
	}
}

// Over blends a row of premultiplied pixels over another one. It stops at the end of the shorter row.
func Over(dst, src []uint8) {
	n := min(len(dst), len(src)) &^ (pixelBytes - 1)
	over(dst[:n], src[:n])
}

// OverAs is Over with a source whose opacity is first multiplied by opacity/255.
func OverAs(dst, src []uint8, opacity uint8) {
	n := min(len(dst), len(src)) &^ (pixelBytes - 1)
	switch opacity {
	case 0:
	case 255:
		over(dst[:n], src[:n])
	default:
		overAs(dst[:n], src[:n], opacity)
	}
}

// Steps is the number of steps of a fade. Step 0 shows the first row, and step Steps the second. More steps would be invisible.
const Steps = 128

// Fade writes the mixture of rows a and b to dst, at step t of [Steps] from a to b, rounded to nearest. dst may be the same slice
// as a or b. Fade stops at the end of the shortest row.
func Fade(dst, a, b []uint8, t int) {
	n := min(len(dst), len(a), len(b))
	switch {
	case t <= 0:
		copy(dst[:n], a[:n])
	case t >= Steps:
		copy(dst[:n], b[:n])
	default:
		fade(dst[:n], a[:n], b[:n], uint32(t))
	}
}

// premultiplied returns col with every channel limited to its alpha. A greater channel is invalid, and the arithmetic of the lanes
// relies on that.
func premultiplied(col color.RGBA) color.RGBA {
	return color.RGBA{R: min(col.R, col.A), G: min(col.G, col.A), B: min(col.B, col.A), A: col.A}
}

// word returns a pixel as the little-endian word of its four bytes.
func word(col color.RGBA) uint32 {
	return uint32(col.R) | uint32(col.G)<<8 | uint32(col.B)<<16 | uint32(col.A)<<24
}
