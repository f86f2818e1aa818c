package fb_test

import (
	"encoding/binary"
	"image"
	"testing"

	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/internal/testing/testpic"
)

// BenchmarkDither shows the picture of a small screen in 16 bits, and compares the display with the simplest implementation.
func BenchmarkDither(b *testing.B) {
	src := testpic.Dashboard(800, 480)
	b.Run("ours", func(b *testing.B) {
		d, err := fb.New(fbtest.NewMemory(fb.Geometry{Width: 800, Height: 480, Format: fb.RGB565}), fb.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			_ = d.DrawFrame(src, nil) // cannot fail, because the device is memory
		}
	})
	b.Run("peer=simple loop", func(b *testing.B) {
		dst := make([]byte, 2*800*480)
		for b.Loop() {
			ditherSimply(dst, src)
		}
	})
}

// bayer4 is the four by four matrix of ordered dithering, with thresholds from 0 to 15.
var bayer4 = [4][4]uint32{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

// ditherSimply converts one pixel after the other.
func ditherSimply(dst []byte, src *image.RGBA) {
	width := src.Rect.Dx()
	for y := range src.Rect.Dy() {
		row, out := src.Pix[y*src.Stride:][:4*width], dst[2*width*y:][:2*width]
		for x := range width {
			p := row[4*x : 4*x+4 : 4*x+4]
			t := bayer4[y&3][x&3]
			r, g, b := uint32(p[0]), uint32(p[1]), uint32(p[2])
			r, g, b = r-r>>5+t>>1, g-g>>6+t>>2, b-b>>5+t>>1
			binary.LittleEndian.PutUint16(out[2*x:], uint16(r>>3<<11|g>>2<<5|b>>3))
		}
	}
}
