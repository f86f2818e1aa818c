package jpegtile

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"testing"

	"dashboard/internal/testpic"
)

func encoder(t testing.TB, pic *image.RGBA, o Options) *Encoder {
	t.Helper()
	e, err := New(pic.Rect.Dx(), pic.Rect.Dy(), o)
	if err != nil {
		t.Fatal(err)
	}
	e.Update(pic, pic.Rect)
	return e
}

func encode(t testing.TB, pic *image.RGBA, o Options) []byte {
	t.Helper()
	return encoder(t, pic, o).AppendTo(nil)
}

func decode(t testing.TB, file []byte) image.Image {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("image/jpeg does not read the file: %v", err)
	}
	return img
}

// stdlib encodes with image/jpeg, the peer.
func stdlib(t testing.TB, pic image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, pic, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNoWorseThanStandardLibrary(t *testing.T) {
	for _, pic := range []struct {
		name string
		pic  *image.RGBA
	}{
		{"dashboard", testpic.Dashboard(1366, 768)},
		{"photo", testpic.Photo(640, 480)},
	} {
		for _, quality := range []int{30, 50, 75, 85, 95, 100} {
			t.Run(fmt.Sprintf("%s/%d", pic.name, quality), func(t *testing.T) {
				ref := stdlib(t, pic.pic, quality)
				want := testpic.PSNR(pic.pic, decode(t, ref))
				file := encode(t, pic.pic, Options{quality, Chroma420})
				got := testpic.PSNR(pic.pic, decode(t, file))
				full := encode(t, pic.pic, Options{quality, Chroma444})
				best := testpic.PSNR(pic.pic, decode(t, full))
				t.Logf("image/jpeg %d B %.2f dB; 4:2:0 %d B (%.3f) %.2f dB; 4:4:4 %d B %.2f dB",
					len(ref), want, len(file), float64(len(file))/float64(len(ref)), got, len(full), best)
				if got < want-0.05 {
					t.Errorf("got %.2f dB, want %.2f", got, want)
				}
				if len(file) > len(ref) {
					t.Errorf("got %d bytes, want at most %d", len(file), len(ref))
				}
				if best < got-0.05 {
					t.Errorf("4:4:4 got %.2f dB, want at least 4:2:0's %.2f", best, got)
				}
			})
		}
	}
}

var _ = color.RGBA{}
var _ = draw.Src
