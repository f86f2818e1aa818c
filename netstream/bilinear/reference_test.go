package bilinear

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
)

// refTaps are the weights of one destination pixel. w[0] is the weight of the source pixel with the index `first`.
type refTaps struct {
	first int
	w     []float64
}

// refWeights returns the weights of the filter in the package comment for one axis, in floating point.
func refWeights(dst, src int, point bool) []refTaps {
	scale := float64(src) / float64(dst)
	reach := max(1, scale)
	if point {
		reach = 1
	}
	all := make([]refTaps, dst)
	for i := range all {
		c := (float64(i)+0.5)*scale - 0.5
		if point { // beyond the center of an edge pixel, only this edge pixel counts
			c = min(max(c, 0), float64(src-1))
		}
		first, last := max(0, int(math.Ceil(c-reach))), min(src-1, int(math.Floor(c+reach)))
		w, sum := make([]float64, last-first+1), 0.0
		for j := range w {
			w[j] = max(0, reach-math.Abs(float64(first+j)-c))
			sum += w[j]
		}
		for j := range w {
			w[j] /= sum
		}
		all[i] = refTaps{first, w}
	}
	return all
}

// at() returns the weight of source pixel j.
func (t refTaps) at(j int) float64 {
	if j < t.first || j >= t.first+len(t.w) {
		return 0
	}
	return t.w[j-t.first]
}

// reference scales src with refWeights and returns unrounded channels, row by row.
func reference(src *image.RGBA, w, h int, point bool) []float64 {
	sw, sh := src.Rect.Dx(), src.Rect.Dy()
	wx, wy := refWeights(w, sw, point), refWeights(h, sh, point)
	rows := make([]float64, sh*w*4)
	for y := range sh {
		for x := range w {
			for j, v := range wx[x].w {
				accumulate(rows[(y*w+x)*4:], v, src.Pix[y*src.Stride+4*(wx[x].first+j):])
			}
		}
	}
	out := make([]float64, h*w*4)
	for y := range h {
		for j, v := range wy[y].w {
			for i, p := range rows[(wy[y].first+j)*w*4:][:w*4] {
				out[y*w*4+i] += v * p
			}
		}
	}
	return out
}

func accumulate(out []float64, weight float64, pixel []byte) {
	for c, p := range pixel[:4] {
		out[c] += weight * float64(p)
	}
}

// strokes() returns a picture of thin black, white and colored lines, which are as difficult to scale as text.
func strokes(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(3, 3))
	for i := range m.Pix {
		m.Pix[i] = 255
	}
	for range (w + h) / 2 {
		x, y, dx, dy := r.IntN(w), r.IntN(h), r.IntN(2), r.IntN(2)
		for n := r.IntN(40); n > 0 && x < w && y < h; n-- {
			copy(m.Pix[m.PixOffset(x, y):], []byte{0, byte(255 * dx), byte(255 * dy)})
			x, y = x+dx, y+1-dx*dy
		}
	}
	return m
}

// quality returns the PSNR of `got` against `want` in dB, and the largest difference in levels.
func quality(got *image.RGBA, want []float64) (psnr, worst float64) {
	sum := 0.0
	for i, w := range want {
		d := math.Abs(float64(got.Pix[i]) - w)
		sum += d * d
		worst = max(worst, d)
	}
	return 10 * math.Log10(255*255*float64(len(want))/sum), worst
}

func TestQuality(t *testing.T) {
	const minPSNR, maxError = 56, 2
	for _, n := range []struct {
		name                   string
		dstW, dstH, srcW, srcH int
	}{
		{"1.4x smaller", 366, 206, 512, 288},
		{"1.5x smaller", 256, 192, 384, 288},
		{"1.6x smaller", 240, 180, 384, 288},
		{"2.4x smaller", 160, 120, 384, 288},
		{"odd, flattened", 301, 50, 384, 288},
		{"8x smaller", 48, 36, 384, 288},
		{"17x smaller, in bands", 32, 16, 544, 272},
		{"100x lower, in bands", 96, 6, 192, 600},
		{"1.3x larger", 384, 216, 292, 164},
		{"4x larger", 512, 256, 128, 64},
		{"wider and lower", 512, 64, 128, 256},
	} {
		for _, p := range []struct {
			name string
			src  *image.RGBA
		}{{"noise", noise(n.srcW, n.srcH, 5)}, {"strokes", strokes(n.srcW, n.srcH)}} {
			t.Run(n.name+"/"+p.name, func(t *testing.T) {
				s := New(n.dstW, n.dstH, n.srcW, n.srcH)
				got := image.NewRGBA(image.Rect(0, 0, n.dstW, n.dstH))
				s.Scale(got, got.Rect, p.src)
				psnr, worst := quality(got, reference(p.src, n.dstW, n.dstH, s.two != nil))
				t.Logf("PSNR %.1f dB, largest error %.2f", psnr, worst)
				if psnr < minPSNR || worst > maxError {
					t.Errorf("got PSNR %.1f dB and error %.2f, want >= %d and <= %d", psnr, worst, minPSNR, maxError)
				}
			})
		}
	}
}

// TestFlat: a picture of one color keeps this color exactly, at every size.
func TestFlat(t *testing.T) {
	for _, n := range shapes {
		for _, v := range []byte{0, 1, 127, 128, 254, 255} {
			src := image.NewRGBA(image.Rect(0, 0, n[2], n[3]))
			for i := range src.Pix {
				src.Pix[i] = v
			}
			for i, got := range full(src, n[0], n[1], best, pointNum, pointDen).Pix {
				if got != v {
					t.Fatalf("%v: byte %d: got %d, want %d", n, i, got, v)
				}
			}
		}
	}
}
