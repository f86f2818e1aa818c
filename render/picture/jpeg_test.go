package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"dashboard/internal/testing/testpic"
)

// photoJPEG returns a JPEG with 4:2:0 chroma subsampling, like the photos of a telephone.
func photoJPEG(t testing.TB, w, h int) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, testpic.Photo(w, h), &jpeg.Options{Quality: 92}) })
}

// wholeScaled decodes all pixels and then scales them. This is slower than Decode.
func wholeScaled(t testing.TB, data []byte, to target) *image.RGBA {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return still(img, jpegOrientation(data), to).Frames[0].Img
}

// inFull enables the complete test. The command "make long" sets it.
var inFull = flag.Bool("long", false, "every orientation with every fit and every size, instead of any two")

// TestScaledJPEGLooksLikeTheWhole decodes a picture at a fraction of its size, and compares it with
// the completely decoded picture after scaling.
func TestScaledJPEGLooksLikeTheWhole(t *testing.T) {
	data := photoJPEG(t, 800, 600)
	for o := uint16(1); o <= 8; o++ {
		turned := withOrientation(data, o, binary.BigEndian)
		for _, fit := range []Fit{Contain, Cover, Stretch} {
			for i, box := range []image.Point{{320, 240}, {150, 150}, {45, 80}} {
				if !*inFull && (int(o)+int(fit)+i)%3 != 0 {
					continue // without -long, each pair of orientation, fit and box is tested, but not every triple
				}
				to := target{t.Context(), box, fit, true}
				p, err := Decode(t.Context(), turned, box, fit, true)
				if err != nil {
					t.Fatal(err)
				}
				want := wholeScaled(t, turned, to)
				got := p.Frames[0].Img
				if got.Rect != want.Rect {
					t.Fatalf("orientation %d, fit %d, box %v: got size %v, want %v", o, fit, box, got.Rect, want.Rect)
				}
				const least = 34 // in dB. A wrongly rotated or cut picture has 10 to 15 dB
				if db := testpic.PSNR(got, want); db < least {
					t.Errorf("orientation %d, fit %d, box %v: got %.1f dB, want %d", o, fit, box, db, least)
				}
			}
		}
	}
}

// TestEighths: the decoded picture is never smaller than the shown picture.
func TestEighths(t *testing.T) {
	for _, tt := range []struct {
		size, shown image.Point
		want        int
	}{
		{image.Pt(4000, 3000), image.Pt(1440, 1080), 4}, {image.Pt(4000, 3000), image.Pt(2000, 1500), 4}, {image.Pt(4000, 3000), image.Pt(2001, 1501), 8},
		{image.Pt(8000, 6000), image.Pt(1440, 1080), 2}, {image.Pt(8000, 6000), image.Pt(100, 75), 1}, {image.Pt(100, 100), image.Pt(300, 300), 8},
		{image.Pt(1000, 1000), image.Pt(100, 1000), 8}, {image.Pt(65535, 65535), image.Pt(7680, 7680), 1},
	} {
		if got := eighths(tt.size, tt.shown); got != tt.want {
			t.Errorf("%v shown as %v: got %d, want %d", tt.size, tt.shown, got, tt.want)
		}
	}
}

// BenchmarkPhoto scales a photo of 12 megapixels to 1080p. The environment variable PICTURE_BENCH can name a folder with more files to
// measure.
func BenchmarkPhoto(b *testing.B) {
	files := map[string][]byte{"baseline": photoJPEG(b, 4000, 3000)}
	names, _ := filepath.Glob(filepath.Join(os.Getenv("PICTURE_BENCH"), "*.jpg"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files[filepath.Base(name)] = data
	}
	to := target{b.Context(), image.Pt(1920, 1080), Contain, true}
	for name, data := range files {
		b.Run(name+"/scaled", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(b.Context(), data, to.box, to.fit, to.smooth); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/whole", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				wholeScaled(b, data, to)
			}
		})
	}
}

// A file with more than maxScans scans is refused before it is decoded, because each scan takes the time of a whole picture. The scans of
// a video after the end of the picture are not counted.
func TestManyScans(t *testing.T) {
	data := photoJPEG(t, 160, 120)
	i := bytes.Index(data, []byte{0xff, 0xda})
	head, scan := data[:i], data[i:len(data)-2]
	of := func(n int) []byte { return append(append(slices.Clone(head), bytes.Repeat(scan, n)...), 0xff, 0xd9) }
	video := bytes.Repeat([]byte{0xff, 0xda, 0, 2}, 2*maxScans)
	if _, err := Decode(t.Context(), append(of(maxScans), video...), image.Pt(160, 120), Contain, true); err != nil {
		t.Errorf("%d scans: %v", maxScans, err)
	}
	if _, err := Decode(t.Context(), of(maxScans+1), image.Pt(160, 120), Contain, true); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%d scans: got %v, want ErrTooLarge", maxScans+1, err)
	}
}
