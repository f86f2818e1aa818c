package bilinear

import (
	"fmt"
	"image"
	"testing"

	"golang.org/x/image/draw"

	"dashboard/internal/testing/testpic"
)

// benchSizes are the sizes to which a 1920x1080 frame is scaled.
var benchSizes = []image.Point{{1366, 768}, {1280, 720}, {800, 480}, {480, 320}, {128, 64}, {3840, 2160}}

// BenchmarkScale measures both filters at all sizes with all kernels, and also the scalers of golang.org/x/image/draw. One run scales one
// full picture. Rows 2 and 3 of docs/benchmarks.md contain the results.
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
					continue // New would not use the filter with two source pixels for this size
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

// BenchmarkCopy copies the whole source, which is the minimum cost of reading and writing a frame.
func BenchmarkCopy(b *testing.B) {
	from := noise(1920, 1080, 1).Pix
	to := make([]byte, len(from))
	for b.Loop() {
		copy(to, from)
	}
}

// BenchmarkDamage scales the part that a tick of a clock changes, 2 % of a 1920x1080 frame.
func BenchmarkDamage(b *testing.B) {
	src, dst := noise(1920, 1080, 1), image.NewRGBA(image.Rect(0, 0, 1366, 768))
	s := New(1366, 768, 1920, 1080)
	r := s.DstRect(image.Rect(1500, 40, 1780, 188))
	b.ReportAllocs()
	for b.Loop() {
		s.Scale(dst, r, src)
	}
}

// BenchmarkBoxes scales a frame to the size of a small screen, once with a Scaler and once with scaleSimply.
func BenchmarkBoxes(b *testing.B) {
	src, dst := testpic.Dashboard(800, 480), image.NewRGBA(image.Rect(0, 0, 320, 192))
	b.Run("ours", func(b *testing.B) {
		s := New(320, 192, 800, 480)
		for b.Loop() {
			s.Scale(dst, dst.Rect, src)
		}
	})
	b.Run("peer=whole pixels", func(b *testing.B) {
		for b.Loop() {
			scaleSimply(dst, src)
		}
	})
}

// scaleSimply sets each destination pixel to the mean of the source pixels in its area. It rounds the edges of this area down to whole
// source pixels.
func scaleSimply(dst, src *image.RGBA) {
	size, from := dst.Rect.Size(), src.Rect.Size()
	for y := range size.Y {
		y0, y1 := y*from.Y/size.Y, (y+1)*from.Y/size.Y
		for x := range size.X {
			x0, x1 := x*from.X/size.X, (x+1)*from.X/size.X
			var r, g, b, a uint32
			for v := y0; v < y1; v++ {
				for p := src.Pix[v*src.Stride+4*x0:][:4*(x1-x0)]; len(p) >= 4; p = p[4:] {
					r, g, b, a = r+uint32(p[0]), g+uint32(p[1]), b+uint32(p[2]), a+uint32(p[3])
				}
			}
			n := uint32((y1 - y0) * (x1 - x0))
			out := dst.Pix[y*dst.Stride+4*x:][:4]
			out[0], out[1], out[2], out[3] = byte(r/n), byte(g/n), byte(b/n), byte(a/n)
		}
	}
}
