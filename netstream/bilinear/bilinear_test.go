package bilinear

import (
	"bytes"
	"fmt"
	"image"
	"math/rand/v2"
	"testing"
)

// sets() returns all sets of kernels that this machine can run, beginning with the portable set.
func sets() []*kernels {
	narrow := newPortable(!wideWords)
	narrow.name = "portable32"
	if !wideWords {
		narrow.name = "portable64"
	}
	all := []*kernels{portable, narrow}
	if best != portable {
		all = append(all, best)
	}
	return all
}

// noise returns a picture of random bytes with a stride longer than its rows.
func noise(w, h int, seed uint64) *image.RGBA {
	m := &image.RGBA{Stride: 4*w + 12, Rect: image.Rect(0, 0, w, h)}
	m.Pix = make([]byte, m.Stride*(h-1)+4*w) // the slice ends at the last pixel
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range m.Pix {
		m.Pix[i] = byte(r.Uint32())
	}
	return m
}

// full() scales all of src with the given kernels.
func full(src *image.RGBA, w, h int, k *kernels, num, den int) *image.RGBA {
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	newScaler(w, h, src.Rect.Dx(), src.Rect.Dy(), k, num, den).Scale(dst, dst.Rect, src)
	return dst
}

// shapes are sizes (dstW, dstH, srcW, srcH). They cover both filters, the reductions at which the filter changes, and widths that are not
// multiples of groupPixels.
var shapes = [][4]int{
	{1, 1, 1, 1}, {5, 7, 1, 1}, {1, 1, 9, 11}, {1, 1, 640, 480}, {64, 48, 64, 48},
	{2, 2, 3, 3}, {3, 3, 2, 2}, {7, 5, 8, 6}, {8, 6, 7, 5}, {33, 17, 9, 40}, {40, 9, 17, 33},
	{136, 76, 192, 108}, {137, 77, 193, 109}, {80, 48, 192, 108}, {32, 24, 192, 108}, {13, 6, 192, 108},
	{200, 100, 100, 50}, {100, 50, 100, 51}, {100, 50, 101, 50}, {300, 20, 100, 600}, {20, 300, 600, 100},
	{128, 64, 1920, 1080}, {11, 13, 17, 19}, {255, 3, 256, 2}, {9, 700, 10, 7}, {1, 600, 900, 2},
}

func TestKernelsAgree(t *testing.T) {
	for _, n := range shapes {
		src := noise(n[2], n[3], 7)
		for _, num := range []int{0, 1 << 14} {
			if num != 0 && (n[2]*pointDen > n[0]*pointNum) {
				continue // New would not use the filter with two source pixels for these sizes
			}
			want := full(src, n[0], n[1], portable, num, 1)
			for _, k := range sets()[1:] {
				if got := full(src, n[0], n[1], k, num, 1); !bytes.Equal(got.Pix, want.Pix) {
					t.Errorf("%v limit %d, %s: %s", n, num, k.name, firstDiff(got, want))
				}
			}
		}
	}
}

func firstDiff(got, want *image.RGBA) string {
	for y := range want.Rect.Dy() {
		for x := range want.Rect.Dx() {
			if g, w := got.RGBAAt(x, y), want.RGBAAt(x, y); g != w {
				return fmt.Sprintf("pixel %d,%d: got %v, want %v", x, y, g, w)
			}
		}
	}
	return "no difference"
}
