package fb

import (
	"fmt"
	"image"
	"testing"
)

// A touch on a pixel of the device gives the pixel of the frame that is visible there. This holds for all rotations, and for frames that
// have the screen's size, are smaller or are larger.
func TestFramePoint(t *testing.T) {
	const w, h = 12, 8
	for _, r := range []Rotation{0, 90, 180, 270} {
		for _, frame := range []image.Point{{}, {6, 4}, {20, 20}} {
			t.Run(fmt.Sprint(r, frame), func(t *testing.T) {
				g := paddedGeometry(XRGB8888, w, h, 4, image.Point{})
				mem := make([]byte, g.Size)
				d, err := New(fakeDevice{g, mem}, Options{TTY: NoTTY, Rotate: r, Frame: frame})
				if err != nil {
					t.Fatal(err)
				}
				src := image.NewRGBA(d.Bounds())
				for i := range src.Pix { // the color of each pixel is its position
					p := i / 4
					src.Pix[i] = [4]byte{byte(1 + p%src.Rect.Dx()), byte(1 + p/src.Rect.Dx()), 0, 255}[i%4]
				}
				if err := d.DrawFrame(src, nil); err != nil {
					t.Fatal(err)
				}
				for y := range h {
					for x := range w {
						b := mem[g.offset(x, y):]
						shown := image.Pt(int(b[2])-1, int(b[1])-1) // XRGB8888, little endian
						got := d.framePoint((float64(x)+0.5)/w, (float64(y)+0.5)/h)
						if shown.X >= 0 && got != shown {
							t.Fatalf("device %d,%d: got %v, shown is %v", x, y, got, shown)
						}
						if !got.In(d.Bounds()) {
							t.Fatalf("device %d,%d: %v is not in the frame", x, y, got)
						}
					}
				}
			})
		}
	}
}

func TestFramePointScaled(t *testing.T) {
	g := paddedGeometry(XRGB8888, 100, 50, 4, image.Point{})
	d, err := New(fakeDevice{g, make([]byte, g.Size)}, Options{TTY: NoTTY, Rotate: 90, Frame: image.Pt(500, 1000), Fullscreen: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x, y float64
		want image.Point
	}{{0, 0, image.Pt(0, 990)}, {0.999, 0, image.Pt(0, 0)}, {0, 0.999, image.Pt(490, 990)}, {0.505, 0.51, image.Pt(250, 490)}, {-3, 7, image.Pt(490, 990)}} {
		if got := d.framePoint(c.x, c.y); got != c.want {
			t.Errorf("%v,%v: got %v, want %v", c.x, c.y, got, c.want)
		}
	}
}
