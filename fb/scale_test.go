package fb

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/draw"
)

// speckled returns a picture of random pixels whose colors are at most as large as their alpha.
func speckled(r image.Rectangle, seed uint64) *image.RGBA {
	m, random := image.NewRGBA(r), rand.New(rand.NewPCG(seed, 1))
	for i := 0; i < len(m.Pix); i += 4 {
		a := 1 + random.IntN(255)
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = uint8(random.IntN(a)), uint8(random.IntN(a)), uint8(random.IntN(a)), uint8(a)
	}
	return m
}

// PlainScaler returns the same pictures as the bilinear scaler of golang.org/x/image, except for rounding. If only a part is scaled, its
// pixels are the same as in the whole scaled picture. Pixels outside of the part do not change.
func TestPlainScaler(t *testing.T) {
	sizes := []image.Point{{1, 1}, {1, 7}, {5, 3}, {16, 9}, {33, 47}, {100, 4}}
	for i, from := range sizes {
		for _, to := range sizes {
			src := speckled(image.Rectangle{Max: from}.Add(image.Pt(2, 3)), uint64(i))
			at := image.Rectangle{Max: to}.Add(image.Pt(-4, 5))
			whole, want := image.NewRGBA(at), image.NewRGBA(at)
			PlainScaler{}.Scale(whole, at, src)
			draw.BiLinear.Scale(want, at, src, src.Rect, draw.Src, nil)
			if d := farthest(whole, want); d > 1 {
				t.Errorf("%v to %v: the colors differ by up to %d", from, to, d)
			}
			part, dr := speckled(at, 99), image.Rect(-3, 6, 20, 8)
			PlainScaler{}.Scale(part, dr, src)
			expected := speckled(at, 99)
			draw.Draw(expected, dr, whole, dr.Min, draw.Src)
			if d := farthest(part, expected); d > 0 {
				t.Errorf("%v to %v: the part %v has other pixels than the whole, by up to %d", from, to, dr, d)
			}
		}
	}
	PlainScaler{}.Scale(speckled(image.Rect(0, 0, 3, 3), 1), image.Rect(0, 0, 3, 3), &image.RGBA{}) // an empty source changes nothing
}

// farthest returns the largest difference between two channels of the same pixel.
func farthest(a, b *image.RGBA) (d int) {
	for i := range a.Pix {
		d = max(d, int(a.Pix[i])-int(b.Pix[i]), int(b.Pix[i])-int(a.Pix[i]))
	}
	return d
}

// BenchmarkPlainScaler compares PlainScaler with the scaler of golang.org/x/image.
func BenchmarkPlainScaler(b *testing.B) {
	for _, to := range []image.Point{{1920, 1080}, {400, 240}} {
		src, dst := speckled(image.Rect(0, 0, 800, 480), 1), image.NewRGBA(image.Rectangle{Max: to})
		b.Run(fmt.Sprintf("plain-%d", to.X), func(b *testing.B) {
			for b.Loop() {
				PlainScaler{}.Scale(dst, dst.Rect, src)
			}
		})
		b.Run(fmt.Sprintf("ximage-%d", to.X), func(b *testing.B) {
			for b.Loop() {
				draw.BiLinear.Scale(dst, dst.Rect, src, src.Rect, draw.Src, nil)
			}
		})
	}
}
