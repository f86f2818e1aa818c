// Package blend paints colors, masks and rows of pixels over rows of premultiplied RGBA pixels.
//
// All arithmetic uses integers, so every processor gets the same result. Opacity and coverage are numbers from 0 to 255. The product of
// two such numbers is divided by 255 and rounded to nearest. Tests compare the fast functions with the simple functions in plain.go.
package blend

import (
	"image"
	"image/color"
)

// pixelBytes is the size of a pixel of image.RGBA.
const pixelBytes = 4

// Mask is the coverage of a shape, pixel by pixel: 0 outside and 255 for a pixel that lies completely inside. Its Rect is in px, relative
// to the point at which the mask is painted.
type Mask = image.Alpha

// Paint blends col (premultiplied) over dst within `clip`, through the mask m whose origin is at p. `clip` must lie inside dst.
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
		copy(row[n:], row[:n]) // copy is several times faster than storing single pixels
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

// Over blends the row src of premultiplied pixels over the row dst. It stops at the end of the shorter row.
func Over(dst, src []uint8) {
	n := min(len(dst), len(src)) &^ (pixelBytes - 1)
	over(dst[:n], src[:n])
}

// OverAs does the same as Over, but first multiplies the opacity of src by opacity/255.
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

// Steps is the number of steps of a fade. At step 0 only the first row is visible, and at step Steps only the second row. With more steps,
// the fade would look the same.
const Steps = 128

// Fade writes the mixture of rows a and b to dst, rounded to nearest. t is the step from a (0) to b ([Steps]). dst may be the same slice
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

// premultiplied() returns col with every channel limited to its alpha, because a channel above alpha would overflow the lane arithmetic.
func premultiplied(col color.RGBA) color.RGBA {
	return color.RGBA{R: min(col.R, col.A), G: min(col.G, col.A), B: min(col.B, col.A), A: col.A}
}

// word returns a pixel's four bytes as a little-endian uint32.
func word(col color.RGBA) uint32 {
	return uint32(col.R) | uint32(col.G)<<8 | uint32(col.B)<<16 | uint32(col.A)<<24
}
