// Command armv6 does one thing several times, so that the instructions it takes on 32-bit ARM can be counted.
//
//	armv6 CASE RUNS
package main

import (
	"encoding/binary"
	"fmt"
	"image"
	"os"
	"strconv"

	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/internal/testpic"
	"dashboard/netstream/bilinear"
)

// Sizes of the cases, px.
const (
	width, height  = 800, 480
	smallW, smallH = 320, 192
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "armv6:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("want a case and a number of runs, got %d arguments", len(args))
	}
	runs, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	do, err := newCase(args[0], testpic.Dashboard(width, height))
	if err != nil {
		return err
	}
	for range runs {
		do()
	}
	return nil
}

// newCase returns one run of a case.
func newCase(name string, src *image.RGBA) (func(), error) {
	switch name {
	case "dither":
		g := fb.Geometry{Width: width, Height: height, Format: fb.RGB565}
		d, err := fb.New(fbtest.NewMemory(g), fb.Options{})
		return func() { _ = d.DrawFrame(src, nil) }, err
	case "ditherSimply":
		dst := make([]byte, 2*width*height)
		return func() { ditherSimply(dst, src) }, nil
	case "scale":
		s, dst := bilinear.New(smallW, smallH, width, height), image.NewRGBA(image.Rect(0, 0, smallW, smallH))
		return func() { s.Scale(dst, dst.Rect, src) }, nil
	case "scaleSimply":
		dst := image.NewRGBA(image.Rect(0, 0, smallW, smallH))
		return func() { scaleSimply(dst, src) }, nil
	}
	return nil, fmt.Errorf("no case %q", name)
}

// bayer4 is the ordered dither matrix of four by four, times sixteen levels.
var bayer4 = [4][4]uint32{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

// ditherSimply is what one would write first: a pixel after the other, from bytes to bytes.
func ditherSimply(dst []byte, src *image.RGBA) {
	for y := range height {
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

// scaleSimply gives each pixel the mean of the whole pixels from its left and upper edge to the next ones.
func scaleSimply(dst, src *image.RGBA) {
	for y := range smallH {
		y0, y1 := y*height/smallH, (y+1)*height/smallH
		for x := range smallW {
			x0, x1 := x*width/smallW, (x+1)*width/smallW
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
