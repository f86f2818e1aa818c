package client

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
	"dashboard/netstream/bilinear"

	"golang.org/x/image/bmp"
)

// TestWholeDamage: comparing frames finds every change, and reports little more than the changes.
func TestWholeDamage(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {7, 3}, {100, 16}, {333, 50}} {
		rng := rand.New(rand.NewPCG(1, uint64(size.X)))
		f := newFrame(size)
		next := grey(size)
		f.setWhole(next)
		for range 50 {
			f.fresh.Reset()
			before := image.NewRGBA(next.Rect)
			copy(before.Pix, f.pix.Pix)
			var want image.Rectangle
			for range rng.IntN(4) {
				x, y := rng.IntN(size.X), rng.IntN(size.Y)
				c := next.RGBAAt(x, y)
				next.SetRGBA(x, y, color.RGBA{c.R ^ uint8(rng.IntN(2)), c.G, c.B ^ 1, 255})
				want = want.Union(image.Rect(x, y, x+1, y+1))
			}
			f.setWhole(next)
			if !bytes.Equal(f.pix.Pix, next.Pix) {
				t.Fatalf("%v: the frame is not the one that was set", size)
			}
			if got := f.fresh.Bounds(); !got.In(want) {
				t.Errorf("%v: got damage %v, want no more than %v", size, got, want)
			}
			checkDamage(t, before, f.pix, f.fresh.Rects())
		}
	}
}

// checkDamage reports pixels that changed outside of `damage`.
func checkDamage(t *testing.T, before, after *image.RGBA, damage []image.Rectangle) {
	t.Helper()
	covered := image.NewAlpha(after.Rect)
	for _, r := range damage {
		draw.Draw(covered, r, image.Opaque, image.Point{}, draw.Src)
	}
	for y := after.Rect.Min.Y; y < after.Rect.Max.Y; y++ {
		for x := after.Rect.Min.X; x < after.Rect.Max.X; x++ {
			if before.RGBAAt(x, y) != after.RGBAAt(x, y) && covered.AlphaAt(x, y).A == 0 {
				t.Fatalf("pixel %d,%d changed outside of the damage %v", x, y, damage)
			}
		}
	}
}

func TestWholeKinds(t *testing.T) {
	size := image.Pt(160, 90)
	rgba := testpic.Dashboard(size.X, size.Y)
	half := image.NewNRGBA(rgba.Rect)
	draw.Draw(half, half.Rect, image.NewUniform(color.NRGBA{200, 100, 50, 128}), image.Point{}, draw.Src)
	shifted := rgba.SubImage(image.Rect(20, 10, 120, 80)).(*image.RGBA)
	for name, c := range map[string]struct {
		img  image.Image
		want func(x, y int) color.Color // expected color of a pixel. nil means the color in img
		off  int                        // tolerance
	}{
		"rgba":           {img: rgba},
		"jpeg":           {img: ycbcr(t, rgba), off: 1},
		"transparent":    {img: half, want: func(int, int) color.Color { return color.RGBA{100, 50, 25, 255} }, off: 1},
		"sixteen bits":   {img: convert(image.NewRGBA64(rgba.Rect), rgba)},
		"grey":           {img: convert(image.NewGray(rgba.Rect), rgba)},
		"palette":        {img: convert(image.NewPaletted(rgba.Rect, color.Palette{color.Black, color.White}), rgba)},
		"another corner": {img: moved(rgba, image.Pt(30, -7))},
		"other size":     {img: shifted, want: scaled(shifted, size).At},
		"larger":         {img: testpic.Dashboard(320, 400), want: scaled(testpic.Dashboard(320, 400), size).At},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFrame(size)
			f.setWhole(grey(size))
			f.setWhole(c.img)
			want := c.want
			if want == nil {
				min := c.img.Bounds().Min
				want = func(x, y int) color.Color { return c.img.At(min.X+x, min.Y+y) }
			}
			for y := range size.Y {
				for x := range size.X {
					got, want := f.pix.RGBAAt(x, y), color.RGBAModel.Convert(want(x, y)).(color.RGBA)
					if far(got.R, want.R) > c.off || far(got.G, want.G) > c.off || far(got.B, want.B) > c.off || got.A != 255 {
						t.Fatalf("pixel %d,%d: got %v, want %v", x, y, got, want)
					}
				}
			}
		})
	}
}

func far(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func convert[M draw.Image](dst M, src image.Image) M {
	draw.Draw(dst, dst.Bounds(), src, src.Bounds().Min, draw.Src)
	return dst
}

func moved(m *image.RGBA, by image.Point) *image.RGBA {
	return &image.RGBA{Pix: m.Pix, Stride: m.Stride, Rect: m.Rect.Add(by)}
}

func scaled(src *image.RGBA, size image.Point) *image.RGBA {
	dst := image.NewRGBA(image.Rectangle{Max: size})
	bilinear.New(size.X, size.Y, src.Rect.Dx(), src.Rect.Dy()).Scale(dst, dst.Rect, src)
	return dst
}

func ycbcr(t *testing.T, m image.Image) image.Image {
	t.Helper()
	img, err := decode(encode(t, "jpeg", m), m.Bounds().Size())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := img.(*image.YCbCr); !ok {
		t.Fatalf("got a %T", img)
	}
	return img
}

func encode(t testing.TB, kind string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch kind {
	case "jpeg":
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 85})
	case "png":
		err = png.Encode(&b, m)
	case "bmp":
		err = bmp.Encode(&b, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestDecode(t *testing.T) {
	m := testpic.Dashboard(64, 48)
	for _, kind := range []string{"jpeg", "png", "bmp"} {
		file := encode(t, kind, m)
		img, err := decode(file, m.Rect.Size())
		if err != nil || img.Bounds().Size() != m.Rect.Size() {
			t.Errorf("%s: got %v, %v", kind, img, err)
		}
		if _, err := decode(file[:len(file)/2], m.Rect.Size()); err == nil {
			t.Errorf("%s cut in half: got no error", kind)
		}
	}
	for name, file := range map[string]string{"nothing": "", "a page": "<!doctype html>", "gif": "GIF89a"} {
		if _, err := decode([]byte(file), m.Rect.Size()); err != errFormat {
			t.Errorf("%s: got %v, want %v", name, err, errFormat)
		}
	}
}

// TestDecodeHuge: the size in a header is checked before memory is allocated.
func TestDecodeHuge(t *testing.T) {
	m := testpic.Dashboard(1, 1)
	huge := func(kind string, patch func([]byte)) []byte {
		file := encode(t, kind, m)
		patch(file)
		return file
	}
	for name, file := range map[string][]byte{
		"jpeg": huge("jpeg", func(b []byte) {
			sof := bytes.Index(b, []byte{0xff, 0xc0})
			binary.BigEndian.PutUint16(b[sof+5:], 65000)
			binary.BigEndian.PutUint16(b[sof+7:], 65000)
		}),
		"bmp": huge("bmp", func(b []byte) {
			binary.LittleEndian.PutUint32(b[18:], 20000)
			binary.LittleEndian.PutUint32(b[22:], 20000)
		}),
		"long": encode(t, "png", image.NewGray(image.Rect(0, 0, maxSide+1, 1))),
	} {
		allocs := testing.AllocsPerRun(1, func() {
			_, err := decode(file, image.Pt(800, 480))
			if err == nil || !strings.Contains(err.Error(), "a picture of") {
				t.Errorf("%s: got %v, want an error about the size", name, err)
			}
		})
		if allocs > 50 {
			t.Errorf("%s: got %v allocations", name, allocs)
		}
	}
}

// TestDecodeBounds: the size of the screen bounds the memory for decoding a picture.
func TestDecodeBounds(t *testing.T) {
	small, large := image.Pt(800, 480), image.Pt(7680, 4320)
	const baseline, progressive = 0xc0, 0xc2
	for _, c := range []struct {
		name   string
		file   []byte
		screen image.Point
		ok     bool
	}{
		{"one pixel", jpegHead(baseline, 1, 1), small, true},
		{"the screen", jpegHead(baseline, 800, 480), small, true},
		{"a larger wall", jpegHead(baseline, 1920, 1080), small, true},
		{"a photo", jpegHead(baseline, 6000, 4000), small, false},
		{"8K, progressive", jpegHead(progressive, 7680, 4320), small, false},
		{"8K, progressive, on such a screen", jpegHead(progressive, 7680, 4320), large, false},
		{"8K, on such a screen", jpegHead(baseline, 7680, 4320), large, true},
		{"too wide", jpegHead(baseline, 7681, 1), large, false},
		{"nothing", jpegHead(baseline, 0, 1), large, false},
	} {
		f := formats[0]
		at := bytes.Index(c.file, []byte{0xff, 0xd8}) + 2
		size := image.Pt(int(binary.BigEndian.Uint16(c.file[at+7:])), int(binary.BigEndian.Uint16(c.file[at+5:])))
		if err := f.check(c.file, size, c.screen); (err == nil) != c.ok {
			t.Errorf("%s: got %v, want it decoded: %v", c.name, err, c.ok)
		}
	}
}

// jpegHead returns a JPEG up to its frame header, with three components and without chroma subsampling (4:4:4).
func jpegHead(marker byte, w, h int) []byte {
	return []byte{0xff, 0xd8, 0xff, marker, 0, 17, 8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0}
}

// TestTilesError: tiles that cannot be used do not change the frame or its damage.
func TestTilesError(t *testing.T) {
	f := newFrame(image.Pt(40, 30))
	f.setWhole(grey(image.Pt(40, 30)))
	f.fresh.Reset()
	before := bytes.Clone(f.pix.Pix)
	if err := f.setTiles([]byte("DTL1 and then nonsense")); err == nil {
		t.Error("got no error")
	}
	if !bytes.Equal(before, f.pix.Pix) || !f.fresh.Empty() {
		t.Error("the frame changed")
	}
}

func TestFrameAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	size := image.Pt(1366, 768)
	f := newFrame(size)
	for name, img := range map[string]image.Image{
		"jpeg": ycbcr(t, testpic.Dashboard(size.X, size.Y)), "rgba": testpic.Dashboard(size.X, size.Y), "scaled": testpic.Dashboard(640, 360),
	} {
		f.setWhole(img)
		if n := testing.AllocsPerRun(3, func() { f.setWhole(img) }); n != 0 {
			t.Errorf("%s: got %v allocations for a frame, want 0", name, n)
		}
	}
}

// looked counts how often a picture is searched for transparent pixels.
type looked struct {
	*image.RGBA
	times *int
}

func (l looked) Opaque() bool { *l.times++; return l.RGBA.Opaque() }

// TestTransparencyIsLookedForOnce: a frame is searched for transparency once, not once for each strip. Searching each strip took longer
// than all other work.
func TestTransparencyIsLookedForOnce(t *testing.T) {
	for _, size := range []image.Point{{90, 10 * stripRows}, {60, 5 * stripRows}} {
		times := 0
		newFrame(image.Pt(90, 10*stripRows)).setWhole(looked{testpic.Noise(size.X, size.Y, 1), &times})
		if times != 1 {
			t.Errorf("%v: looked through %d times", size, times)
		}
	}
}

func BenchmarkWhole(b *testing.B) {
	size := image.Pt(1366, 768)
	file := encode(b, "jpeg", testpic.Dashboard(size.X, size.Y))
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := decode(file, size); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("take over a PNG", func(b *testing.B) {
		b.ReportAllocs()
		f, img := newFrame(size), testpic.Dashboard(size.X, size.Y)
		for b.Loop() {
			f.setWhole(img)
		}
	})
	b.Run("take over", func(b *testing.B) {
		b.ReportAllocs()
		f := newFrame(size)
		img, err := decode(file, size)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			f.setWhole(img)
		}
	})
}

// TestDecodeScans: a JPEG with very many scans is rejected. 8 MiB of such scans would take minutes.
func TestDecodeScans(t *testing.T) {
	screen := image.Pt(1366, 768)
	for n, ok := range map[int]bool{10: true, maxScans: true, maxScans + 1: false, 400000: false} {
		if _, err := decode(testpic.ManyScans(screen.X, screen.Y, n), screen); (err == nil) != ok {
			t.Errorf("%d scans: got %v, want it decoded: %v", n, err, ok)
		}
	}
}
