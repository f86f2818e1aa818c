package bilinear

import (
	"fmt"
	"image"
	"testing"

	"golang.org/x/image/draw"
)

// benchSizes are the screens that a 1920x1080 frame is scaled to.
var benchSizes = []image.Point{{1366, 768}, {1280, 720}, {800, 480}, {480, 320}, {128, 64}, {3840, 2160}}

// BenchmarkScale is the grid of targets 2 and 3: filter, size, kernels, and the scalers of
// golang.org/x/image/draw as peers. One run is one full picture.
func BenchmarkScale(b *testing.B) {
	src := noise(1920, 1080, 1)
	for _, size := range benchSizes {
		dst := image.NewRGBA(image.Rectangle{Max: size})
		for _, f := range []struct {
			name     string
			num, den int
			peer     draw.Interpolator
		}{
			{"point", 1 << 14, 1, draw.ApproxBiLinear},
			{"area", 0, 1, draw.BiLinear},
		} {
			name := fmt.Sprintf("%s/%dx%d/", f.name, size.X, size.Y)
			for _, k := range sets() {
				if f.name == "point" && size.X*pointNum < src.Rect.Dx()*pointDen {
					continue // wider steps than New ever allows
				}
				s := newScaler(size.X, size.Y, 1920, 1080, k, f.num, f.den)
				b.Run(name+k.name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						s.Scale(dst, dst.Rect, src)
					}
				})
			}
			b.Run(name+"ximage", func(b *testing.B) {
				for b.Loop() {
					f.peer.Scale(dst, dst.Rect, src, src.Rect, draw.Src, nil)
				}
			})
		}
	}
}

// BenchmarkCopy copies the whole source: what reading and writing a frame costs at least.
func BenchmarkCopy(b *testing.B) {
	from := noise(1920, 1080, 1).Pix
	to := make([]byte, len(from))
	for b.Loop() {
		copy(to, from)
	}
}

// BenchmarkDamage scales what a clock's tick changed, 2 % of a 1920x1080 frame.
func BenchmarkDamage(b *testing.B) {
	src, dst := noise(1920, 1080, 1), image.NewRGBA(image.Rect(0, 0, 1366, 768))
	s := New(1366, 768, 1920, 1080)
	r := s.DstRect(image.Rect(1500, 40, 1780, 188))
	b.ReportAllocs()
	for b.Loop() {
		s.Scale(dst, r, src)
	}
}
