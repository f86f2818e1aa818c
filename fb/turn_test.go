package fb

import (
	"bytes"
	"fmt"
	"image"
	"testing"
)

func TestQuarterEqualsPlain(t *testing.T) {
	const longest = bandRows + 3
	src := noise(image.Rect(0, 0, longest, longest))
	for n := range 20 {
		for rows := range longest {
			for _, up := range []bool{true, false} {
				got := bytes.Repeat([]byte{0xa5}, 4*n*rows+32)
				want := bytes.Clone(got)
				at, pitch := 0, 4*n
				if up {
					at, pitch = max(0, 4*n*(rows-1)), -4*n
				}
				i := src.PixOffset(1, longest-1)
				quarter(got, at, pitch, src.Pix, i, -src.Stride, n, rows)
				quarterPlain(want, at, pitch, src.Pix, i, -src.Stride, n, rows)
				if k := mismatch(got, want); k >= 0 {
					t.Fatalf("%d pixels, %d rows, pitch %d: byte %d: got %#x, want %#x", n, rows, pitch, k, got[k], want[k])
				}
			}
		}
	}
}

func TestReverse(t *testing.T) {
	src := noise(image.Rect(0, 0, 9, 1)).Pix
	for n := range 10 {
		got := bytes.Repeat([]byte{0xa5}, 40)
		reverse(got[:4*n], src[:4*n])
		want := bytes.Repeat([]byte{0xa5}, 40)
		for k := range n {
			copy(want[4*k:4*k+4], src[4*(n-1-k):])
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%d pixels: got %v, want %v", n, got, want)
		}
	}
}

// TestTurnedEqualsUpright draws squares on rotated screens. Some squares are larger than a band. The test compares each pixel with the
// pixel at the position that Rotation.upright returns.
func TestTurnedEqualsUpright(t *testing.T) {
	const w, h = 81, 77
	for _, r := range []Rotation{90, 180, 270} {
		g := paddedGeometry(XRGB8888, w, h, 4, image.Point{})
		mem := make([]byte, g.Size)
		d, err := New(fakeDevice{g, mem}, Options{TTY: NoTTY, Rotate: r})
		if err != nil {
			t.Fatal(err)
		}
		src := noise(d.Bounds())
		for side := 1; side < bandRows+7; side += 3 {
			clear(mem)
			dirty := image.Rect(2, 1, 2+side, 2+side)
			if err := d.DrawFrame(src, []image.Rectangle{dirty}); err != nil {
				t.Fatal(err)
			}
			if err := turned(g, mem, src, dirty, r); err != nil {
				t.Fatalf("%d degrees, %v: %v", r, dirty, err)
			}
		}
	}
}

func turned(g Geometry, mem []byte, src *image.RGBA, dirty image.Rectangle, r Rotation) error {
	for y := range g.Height {
		for x := range g.Width {
			u := r.upright(x, y, g.Width, g.Height)
			got, want := g.Format.At(mem[g.offset(x, y):]), src.RGBAAt(u.X, u.Y)
			if !u.In(dirty) {
				want.R, want.G, want.B = 0, 0, 0
			}
			if got != want {
				return fmt.Errorf("device %d,%d: got %v, want %v", x, y, got, want)
			}
		}
	}
	return nil
}
