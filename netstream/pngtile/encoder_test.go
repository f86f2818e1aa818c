package pngtile

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
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

// mustEqual fails unless the pixels are the same.
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

// sizes lists edge cases: one pixel, odd widths, and one row more or less than a band.
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

// TestSmallAgainstStandardLibrary: a file is at most 6 % larger than a file of image/png at its fastest level.
func TestSmallAgainstStandardLibrary(t *testing.T) {
	for _, size := range [][2]int{{1920, 1080}, {1366, 768}, {800, 480}} {
		pic := testpic.Dashboard(size[0], size[1])
		var ref bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&ref, pic); err != nil {
			t.Fatal(err)
		}
		ratio := float64(encoder(t, pic).Size()) / float64(ref.Len())
		t.Logf("%v: %.3f of image/png's %d bytes", size, ratio, ref.Len())
		if ratio > 1.06 {
			t.Errorf("%v: got %.3f of image/png's bytes, want at most 1.06", size, ratio)
		}
	}
}

// change paints noise into a rectangle of `pic` and returns the rectangle. Both the noise and the rectangle depend on `step`.
func change(pic *image.RGBA, step uint32) image.Rectangle {
	at := (step + 1) * 2654435761
	w, h := pic.Rect.Dx(), pic.Rect.Dy()
	r := image.Rect(int(at>>8)%w, int(at>>16)%h, int(at>>4)%w+1, int(at>>12)%h+1)
	draw.Draw(pic, r, testpic.Noise(w, h, step), r.Min, draw.Src)
	return r
}

func TestUpdateEqualsFullEncode(t *testing.T) {
	eachPicture(t, func(t *testing.T, pic *image.RGBA) {
		e := encoder(t, pic)
		for step := range uint32(6) {
			e.Update(pic, change(pic, step))
			if !bytes.Equal(e.AppendTo(nil), encoder(t, pic).AppendTo(nil)) {
				t.Fatalf("step %d: the file differs from a full encode", step)
			}
		}
	})
}

func TestUpdateReportsChangedBandsOnly(t *testing.T) {
	pic := testpic.Dashboard(640, 360)
	e := encoder(t, pic)
	if got := e.Update(pic, pic.Rect); len(got) != 0 {
		t.Errorf("same picture: got %d changed bands, want 0", len(got))
	}
	pic.SetRGBA(5, 359, color.RGBA{255, 0, 255, 255})
	if got := e.Update(pic, pic.Rect); len(got) != 1 || got[0] != e.Bands()-1 {
		t.Errorf("last row changed: got bands %v, want [%d]", got, e.Bands()-1)
	}
}

func TestDelta(t *testing.T) {
	eachPicture(t, func(t *testing.T, pic *image.RGBA) {
		e := encoder(t, pic)
		shown := image.NewRGBA(pic.Rect)
		copy(shown.Pix, pic.Pix)
		for step := range uint32(3) {
			bands := e.Update(pic, change(pic, step))
			if len(bands) == 0 {
				continue
			}
			delta, err := e.AppendDelta(nil, bands)
			if err != nil {
				t.Fatal(err)
			}
			img := decode(t, delta)
			for _, p := range e.AppendPieces(nil, bands) {
				draw.Draw(shown, p.To, img, p.From, draw.Src)
			}
			mustEqual(t, shown, pic)
		}
	})
}

func TestDeltaBounds(t *testing.T) {
	e, err := New(40, 40)
	if err != nil {
		t.Fatal(err)
	}
	for _, bands := range [][]int{nil, {0, 1, 0}} {
		if _, err := e.AppendDelta(nil, bands); err == nil {
			t.Errorf("bands %v: got no error", bands)
		}
	}
}

func TestBounds(t *testing.T) {
	for _, size := range [][2]int{{0, 1}, {1, 0}, {-1, 1}, {MaxSide + 1, 1}, {1, MaxSide + 1}} {
		if _, err := New(size[0], size[1]); err == nil {
			t.Errorf("New(%d, %d): got no error", size[0], size[1])
		}
		if _, err := NewStrips(io.Discard, size[0], size[1]); err == nil {
			t.Errorf("NewStrips(%d, %d): got no error", size[0], size[1])
		}
	}
}

// TestWideRows encodes rows that are longer than deflate's window, so that no match can refer to the row above.
func TestWideRows(t *testing.T) {
	pic := testpic.Dashboard(12_001, 70)
	mustEqual(t, decode(t, encoder(t, pic).AppendTo(nil)), pic)
}

func TestSourceOffset(t *testing.T) {
	big := testpic.Photo(300, 200)
	part := big.SubImage(image.Rect(37, 21, 37+211, 21+97)).(*image.RGBA)
	own := image.NewRGBA(image.Rect(0, 0, 211, 97))
	draw.Draw(own, own.Rect, part, part.Rect.Min, draw.Src)
	if !bytes.Equal(encoder2(t, part).AppendTo(nil), encoder(t, own).AppendTo(nil)) {
		t.Error("a part of a picture codes differently from its copy")
	}
}

// encoder2 encodes a picture whose rectangle need not begin at the origin.
func encoder2(t *testing.T, pic *image.RGBA) *Encoder {
	t.Helper()
	e, err := New(pic.Rect.Dx(), pic.Rect.Dy())
	if err != nil {
		t.Fatal(err)
	}
	e.Update(pic, e.Bounds())
	return e
}

func TestWriteTo(t *testing.T) {
	e := encoder(t, testpic.Photo(500, 400))
	testpic.CheckWriteTo(t, e)
}

func TestSteadyFramesDoNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	a, b := testpic.Dashboard(640, 367), testpic.Dashboard(640, 367)
	testpic.Tick(b, 7)
	e := encoder(t, a)
	e.Update(b, b.Rect)
	file, delta := make([]byte, 0, 2*e.Size()), make([]byte, 0, 2*e.Size())
	damage := []image.Rectangle{testpic.Clock(640, 367)}
	got := testing.AllocsPerRun(20, func() {
		e.Update(a, damage...)
		changed := e.Update(b, damage...)
		file = e.AppendTo(file[:0])
		delta, _ = e.AppendDelta(delta[:0], changed)
		if _, err := e.WriteTo(io.Discard); err != nil {
			t.Error(err)
		}
	})
	if got != 0 {
		t.Errorf("got %v allocations a frame, want 0", got)
	}
}

func strips(t testing.TB, pic *image.RGBA, rows int) []byte {
	t.Helper()
	var b bytes.Buffer
	s, err := NewStrips(&b, pic.Rect.Dx(), pic.Rect.Dy())
	if err != nil {
		t.Fatal(err)
	}
	for y := 0; y < pic.Rect.Dy(); y += rows {
		if err := s.Write(pic.SubImage(image.Rect(0, y, pic.Rect.Dx(), y+rows)).(*image.RGBA)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestStripsEqualEncoder(t *testing.T) {
	eachPicture(t, func(t *testing.T, pic *image.RGBA) {
		want := encoder(t, pic).AppendTo(nil)
		for _, bands := range []int{1, 3} {
			if !bytes.Equal(strips(t, pic, bands*BandRows), want) {
				t.Errorf("strips of %d bands give another file", bands)
			}
		}
	})
}

func TestStripsErrors(t *testing.T) {
	s, err := NewStrips(&testpic.ShortWriter{Left: 20_000}, 100, 200)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []image.Rectangle{image.Rect(0, 0, 99, 32), image.Rect(0, 0, 100, 31), image.Rect(0, 0, 100, 224)} {
		if err := s.Write(image.NewRGBA(r)); err == nil {
			t.Errorf("a strip of %v: got no error", r)
		}
	}
	if err := s.Write(testpic.Noise(100, 96, 1)); err != testpic.ErrShort {
		t.Errorf("got %v, want the writer's error", err)
	}
	if err := s.Write(testpic.Noise(100, 104, 1)); err != testpic.ErrShort {
		t.Errorf("after an error: got %v, want it again", err)
	}
}
