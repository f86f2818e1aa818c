package scaledjpeg

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// decode reads a whole picture at n eighths.
func decode(data []byte, n int) (*image.RGBA, error) {
	d, err := New(data)
	if err != nil {
		return nil, err
	}
	if err := d.Start(n); err != nil {
		return nil, err
	}
	img := image.NewRGBA(image.Rectangle{Max: d.Scaled(n)})
	for y := range img.Rect.Dy() {
		if err := d.ReadRow(img.Pix[y*img.Stride:][:img.Stride], 0, y); err != nil {
			return nil, err
		}
	}
	return img, nil
}

// reduced() decodes a picture with image/jpeg, and averages each square with a side of 8/n pixels.
func reduced(t testing.TB, data []byte, n int) *image.RGBA {
	t.Helper()
	src, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	k, b := 8/n, src.Bounds()
	img := image.NewRGBA(image.Rect(0, 0, (b.Dx()*n+7)/8, (b.Dy()*n+7)/8))
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			img.SetRGBA(x, y, mean(src, image.Rect(x*k, y*k, x*k+k, y*k+k).Intersect(b)))
		}
	}
	return img
}

func mean(src image.Image, r image.Rectangle) color.RGBA {
	var sum [3]uint32
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			red, green, blue, _ := src.At(x, y).RGBA()
			sum[0], sum[1], sum[2] = sum[0]+red>>8, sum[1]+green>>8, sum[2]+blue>>8
		}
	}
	n := uint32(max(1, r.Dx()*r.Dy()))
	return color.RGBA{uint8((sum[0] + n/2) / n), uint8((sum[1] + n/2) / n), uint8((sum[2] + n/2) / n), 255}
}

// psnr compares two pictures of one size, in decibels.
func psnr(t testing.TB, a, b *image.RGBA) float64 {
	t.Helper()
	if a.Rect != b.Rect {
		t.Fatalf("got size %v, want %v", a.Rect, b.Rect)
	}
	sum := 0.0
	for i, v := range a.Pix {
		d := float64(v) - float64(b.Pix[i])
		sum += d * d
	}
	return 10 * math.Log10(255*255/(sum/float64(len(a.Pix))+1e-9))
}

// TestAgainstImageJPEG compares all kinds of files, at all sizes, with averages of the completely decoded picture.
func TestAgainstImageJPEG(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jpg")
	if err != nil || len(files) < 8 {
		t.Fatalf("got %d files, %v", len(files), err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 4} {
			t.Run(fmt.Sprintf("%s/%d", filepath.Base(f), n), func(t *testing.T) {
				got, err := decode(data, n)
				if err != nil {
					t.Fatal(err)
				}
				least := 35.0 // in dB. A coefficient at a wrong place costs 10 dB, and a different low-pass filter costs some dB
				if strings.HasPrefix(filepath.Base(f), "42") || strings.HasPrefix(filepath.Base(f), "440") {
					least = map[int]float64{1: 24, 2: 29, 4: 34}[n] // lower, because decode repeats the few color samples of this file
				}
				if p := psnr(t, got, reduced(t, data, n)); p < least {
					t.Errorf("got %.1f dB, want %g", p, least)
				} else {
					t.Logf("%.1f dB", p)
				}
			})
		}
	}
}

// TestProgressiveIsTheSame: a progressive file has the same coefficients as the sequential file from which it was made.
func TestProgressiveIsTheSame(t *testing.T) {
	for _, pair := range [][2]string{{"420.jpg", "420-progressive.jpg"}, {"420.jpg", "420-scans.jpg"}, {"444.jpg", "444-progressive.jpg"}, {"gray.jpg", "gray-progressive.jpg"}, {"420.jpg", "420-restart.jpg"}} {
		for _, n := range []int{1, 2, 4} {
			var pictures [2]*image.RGBA
			for i, name := range pair {
				data, err := os.ReadFile("testdata/" + name)
				if err != nil {
					t.Fatal(err)
				}
				if pictures[i], err = decode(data, n); err != nil {
					t.Fatal(name, err)
				}
			}
			if !bytes.Equal(pictures[0].Pix, pictures[1].Pix) {
				t.Errorf("%s at %d eighths is not what %s is", pair[1], n, pair[0])
			}
		}
	}
}

func TestErrors(t *testing.T) {
	data, err := os.ReadFile("testdata/420-progressive.jpg")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 2, 3, 20, 200, 700, len(data) / 2} {
		if _, err := decode(data[:n], 4); !errors.Is(err, ErrBroken) {
			t.Errorf("cut to %d bytes: got %v, want ErrBroken", n, err)
		}
	}
	broken := bytes.Clone(data)
	first := bytes.Index(data, []byte{0xff, sos})
	table := first + bytes.Index(data[first:], []byte{0xff, dht})
	broken[table+4] = 0xff // the class and the number of the first table between two scans
	if _, err := decode(broken, 4); !errors.Is(err, ErrBroken) && !errors.Is(err, ErrUnsupported) {
		t.Errorf("a broken table after the first scan: got %v, want an error", err)
	}
	twelve := bytes.Clone(data)
	twelve[bytes.Index(data, []byte{0xff, sof2})+4] = 12
	if _, err := New(twelve); !errors.Is(err, ErrUnsupported) {
		t.Errorf("12 bits: got %v, want ErrUnsupported", err)
	}
}

// TestMemory: the bands and the coefficients take at most as much memory as Memory returns.
func TestMemory(t *testing.T) {
	for _, name := range []string{"420.jpg", "420-progressive.jpg", "444.jpg", "gray.jpg"} {
		data, _ := os.ReadFile("testdata/" + name)
		for _, n := range []int{1, 2, 4} {
			d, err := New(data)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.Start(n); err != nil {
				t.Fatal(err)
			}
			kept := int64(0)
			for i := range d.comps {
				c := &d.comps[i]
				kept += int64(len(c.band) + 4*len(c.columns) + 2*len(c.coefs) + 8*len(c.mask))
			}
			if kept > d.Memory(n) {
				t.Errorf("%s at %d eighths: %d bytes, more than the %d said", name, n, kept, d.Memory(n))
			}
		}
	}
}

func TestRowsAllocateNothing(t *testing.T) {
	data, _ := os.ReadFile("testdata/420.jpg")
	d, err := New(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(4); err != nil {
		t.Fatal(err)
	}
	row, y := make([]uint8, 4*d.Scaled(4).X), -1
	if n := testing.AllocsPerRun(20, func() { y++; d.ReadRow(row, 0, y) }); n != 0 {
		t.Errorf("got %v allocations a row", n)
	}
}

// fuzzPixels bounds the pixels of a picture in FuzzDecode. It is twice the size of the seeds. Decoding a larger picture would take as
// long as many smaller pictures.
const fuzzPixels = 1 << 16

func FuzzDecode(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.jpg")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, n uint8) {
		d, err := New(data)
		if err != nil || d.size.X*d.size.Y > fuzzPixels {
			return
		}
		decode(data, []int{1, 2, 4}[n%3])
	})
}
