package jpegtile

import (
	"fmt"
	"image"
	"math"
	"testing"

	"dashboard/internal/testing/testpic"
)

// TestKernelsAgree: the kernel of this processor gives exactly the same coefficients as the portable kernel.
func TestKernelsAgree(t *testing.T) {
	fast := fastestKernel()
	if fast == kernel(portable{}) {
		t.Skip("this processor has no kernel but the portable one")
	}
	pics := map[string]*image.RGBA{
		"noise":     testpic.Noise(256, 256, 11),
		"photo":     testpic.Photo(256, 256),
		"dashboard": testpic.Dashboard(256, 256),
		"extremes":  extremes(),
		"basis":     basis(),
		"bits":      bitNoise(),
	}
	for name, pic := range pics {
		for _, quality := range []int{1, 25, 50, 85, 99, 100} {
			t.Run(fmt.Sprintf("%s/%d", name, quality), func(t *testing.T) {
				luma, chroma := scaled(&baseLuma, quality), scaled(&baseChroma, quality)
				lq, cq := newQuantiser(&luma), newQuantiser(&chroma)
				for at := 0; at < 256*256; at += 16 {
					p := pixels{pic.Pix[4*(at%256)+at/256*16*pic.Stride:], pic.Stride}
					if at/256 == 16 {
						break
					}
					var got, want mcu
					fast.mcu420(p, lq, cq, &got)
					portable{}.mcu420(p, lq, cq, &want)
					compare(t, &got, &want, 6)
					fast.mcu444(p, lq, cq, &got)
					portable{}.mcu444(p, lq, cq, &want)
					compare(t, &got, &want, 3)
				}
			})
		}
	}
}

// extremes() returns a picture of blocks that contain only 0 and 255: checkerboards, stripes and edges of the eight strongest colors.
func extremes() *image.RGBA {
	pic := image.NewRGBA(image.Rect(0, 0, 256, 256))
	for y := range 256 {
		for x := range 256 {
			on := []bool{(x+y)&1 == 0, x&1 == 0, y&1 == 0, x&7 < 3, y&7 < 5, (x^y)&4 == 0, x*y&3 == 0, x&8 == 0}[x/32]
			for c := range 3 {
				if on == (y/32>>c&1 == 1) {
					pic.Pix[pic.PixOffset(x, y)+c] = 255
				}
			}
			pic.Pix[pic.PixOffset(x, y)+3] = 255
		}
	}
	return pic
}

// basis() returns a picture with one block for each pair of frequencies and each sign, in white, red, green and blue. The values in a
// block are 0 or 255. These blocks give the largest sums in both passes.
func basis() *image.RGBA {
	sign := func(k, i int) int { // sign of the cosine of frequency k&7 at i, inverted if k >= 8
		on := math.Cos(float64((2*i+1)*(k&7))*math.Pi/16) > 0
		if on == (k < 8) {
			return 1
		}
		return -1
	}
	pic := image.NewRGBA(image.Rect(0, 0, 256, 256))
	for y := range 256 {
		for x := range 256 {
			at := pic.PixOffset(x, y)
			if sign(x/8&15, x&7)*sign(y/8&15, y&7) > 0 {
				for c := range 3 {
					if q := x>>7<<1 | y>>7; q == 0 || q == c+1 {
						pic.Pix[at+c] = 255
					}
				}
			}
			pic.Pix[at+3] = 255
		}
	}
	return pic
}

// bitNoise returns noise of 0 and 255.
func bitNoise() *image.RGBA {
	pic := testpic.Noise(256, 256, 7)
	for i, v := range pic.Pix {
		pic.Pix[i] = uint8(int8(v) >> 7)
		if i%4 == 3 {
			pic.Pix[i] = 255
		}
	}
	return pic
}

// compare compares the masks and the valid coefficients, which are the DC and the coefficients in the mask.
func compare(t *testing.T, got, want *mcu, blocks int) {
	t.Helper()
	for b := range blocks {
		if got.masks[b] != want.masks[b] {
			t.Fatalf("block %d: got mask %#x, want %#x", b, got.masks[b], want.masks[b])
		}
		for i := range want.blocks[b] {
			if (want.masks[b]>>i&1 != 0 || i == 0) && got.blocks[b][i] != want.blocks[b][i] {
				t.Fatalf("block %d, spot %d: got %d, want %d", b, i, got.blocks[b][i], want.blocks[b][i])
			}
		}
	}
}
