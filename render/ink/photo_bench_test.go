package ink

import (
	"image"
	"image/draw"
	"math"
	"testing"

	"dashboard/internal/testing/testpic"
)

// BenchmarkPhoto shows a photo in the six inks of a color e-paper, and compares a Quantizer with a simple loop.
func BenchmarkPhoto(b *testing.B) {
	paper := image.Rect(0, 0, 800, 480)
	photo := image.NewRGBA(paper)
	draw.Draw(photo, paper, testpic.Photo(1920, 1080), image.Pt(300, 300), draw.Src)
	b.Run("ours", func(b *testing.B) {
		q := New(named(b, "spectra6"), paper.Size(), Diffuse)
		dst, all := q.NewPicture(), []Region{{Rect: paper, Photo: true}}
		for b.Loop() {
			q.Quantize(dst, photo, all)
		}
	})
	b.Run("peer=nearest ink", func(b *testing.B) {
		dst := make([]uint8, paper.Dx()*paper.Dy())
		for b.Loop() {
			nearestInks(dst, photo)
		}
	})
}

// nearestInks sets each pixel of dst to its nearest ink. It passes the errors on with the weights of Floyd and Steinberg, in integers.
func nearestInks(dst []uint8, m *image.RGBA) {
	six := [6][3]int{{0, 0, 0}, {255, 255, 255}, {255, 255, 0}, {200, 30, 30}, {30, 60, 200}, {40, 140, 60}}
	w := m.Rect.Dx()
	below, now := make([][3]int, w+2), make([][3]int, w+2)
	for y := range m.Rect.Dy() {
		now, below = below, now
		clear(below)
		for x := range w {
			pix := m.Pix[m.PixOffset(x, y):]
			best, least := 0, math.MaxInt
			var v [3]int
			for k := range v {
				v[k] = int(pix[k]) + now[x+1][k]/16
			}
			for i, c := range six {
				r, g, b := v[0]-c[0], v[1]-c[1], v[2]-c[2]
				if d := r*r + g*g + b*b; d < least {
					best, least = i, d
				}
			}
			dst[y*w+x] = uint8(best)
			for k := range v {
				e := v[k] - six[best][k]
				now[x+2][k] += 7 * e
				below[x][k] += 3 * e
				below[x+1][k] += 5 * e
				below[x+2][k] += e
			}
		}
	}
}
