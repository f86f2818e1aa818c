package pngtile

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"testing"

	"dashboard/internal/testpic"
)

func encoder(t testing.TB, pic *image.RGBA) *Encoder {
	t.Helper()
	e, err := New(pic.Rect.Dx(), pic.Rect.Dy())
	if err != nil {
		t.Fatal(err)
	}
	e.Update(pic, pic.Rect)
	return e
}

func decode(t testing.TB, file []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("image/png does not read the file: %v", err)
	}
	return img
}

// mustEqual demands the same pixels.
func mustEqual(t testing.TB, got image.Image, want *image.RGBA) {
	t.Helper()
	if got.Bounds().Size() != want.Rect.Size() {
		t.Fatalf("got size %v, want %v", got.Bounds().Size(), want.Rect.Size())
	}
	plain := image.NewRGBA(want.Rect)
	draw.Draw(plain, plain.Rect, got, got.Bounds().Min, draw.Src)
	for i, v := range plain.Pix {
		if v != want.Pix[i] {
			t.Fatalf("byte %d of row %d: got %d, want %d", i%plain.Stride, i/plain.Stride, v, want.Pix[i])
		}
	}
}

var pictures = map[string]func(w, h int) *image.RGBA{
	"dashboard": testpic.Dashboard,
	"photo":     testpic.Photo,
	"noise":     func(w, h int) *image.RGBA { return testpic.Noise(w, h, 5) },
	"flat": func(w, h int) *image.RGBA {
		pic := image.NewRGBA(image.Rect(0, 0, w, h))
		draw.Draw(pic, pic.Rect, image.NewUniform(color.RGBA{18, 22, 30, 255}), image.Point{}, draw.Src)
		return pic
	},
}

// sizes are the edges: one pixel, odd widths, one row more or less than a band.
var sizes = [][2]int{{1, 1}, {1, 70}, {2, 31}, {3, 32}, {5, 33}, {17, 64}, {33, 17}, {640, 360}, {1001, 65}}

func eachPicture(t *testing.T, f func(t *testing.T, pic *image.RGBA)) {
	for name, draw := range pictures {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s/%dx%d", name, size[0], size[1]), func(t *testing.T) {
				f(t, draw(size[0], size[1]))
			})
		}
	}
}

func TestRoundTrip(t *testing.T) {
	eachPicture(t, func(t *testing.T, pic *image.RGBA) {
		e := encoder(t, pic)
		file := e.AppendTo(nil)
		if e.Size() != len(file) {
			t.Errorf("Size is %d, want %d", e.Size(), len(file))
		}
		mustEqual(t, decode(t, file), pic)
	})
}
