package bmp

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"testing"

	"dashboard/internal/testing/testpic"

	xbmp "golang.org/x/image/bmp"
)

var sizes = [][2]int{{1, 1}, {2, 3}, {3, 2}, {4, 5}, {5, 4}, {17, 33}, {320, 200}}

func eachSize(t *testing.T, f func(t *testing.T, pic *image.RGBA)) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) { f(t, testpic.Photo(size[0], size[1])) })
	}
}

func encoder(t testing.TB, pic *image.RGBA) *Encoder {
	t.Helper()
	e, err := New(pic.Rect.Dx(), pic.Rect.Dy())
	if err != nil {
		t.Fatal(err)
	}
	e.Update(pic, pic.Rect)
	return e
}

// mustDecode fails unless golang.org/x/image/bmp decodes the file to the wanted picture.
func mustDecode(t *testing.T, file []byte, want *image.RGBA) {
	t.Helper()
	img, err := xbmp.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	got := image.NewRGBA(want.Rect)
	draw.Draw(got, got.Rect, img, image.Point{}, draw.Src)
	if img.Bounds() != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Errorf("got %v with other pixels, want %v", img.Bounds(), want.Rect)
	}
}

func TestRoundTrip(t *testing.T) {
	eachSize(t, func(t *testing.T, pic *image.RGBA) {
		e := encoder(t, pic)
		mustDecode(t, e.Bytes(), pic)
		if got := e.AppendTo(nil); !bytes.Equal(got, e.Bytes()) || len(got) != e.Size() {
			t.Errorf("AppendTo gave %d bytes, want the %d of Bytes", len(got), e.Size())
		}
		var b bytes.Buffer
		if n, err := e.WriteTo(&b); err != nil || int(n) != e.Size() || !bytes.Equal(b.Bytes(), e.Bytes()) {
			t.Errorf("WriteTo: got %d bytes, error %v, want the %d of Bytes", n, err, e.Size())
		}
	})
}

func TestUpdateInPlace(t *testing.T) {
	eachSize(t, func(t *testing.T, pic *image.RGBA) {
		e := encoder(t, pic)
		w, h := pic.Rect.Dx(), pic.Rect.Dy()
		for step := range uint32(8) {
			at := (step + 1) * 2654435761
			r := image.Rect(int(at>>8)%w, int(at>>16)%h, int(at>>4)%w+1, int(at>>12)%h+1)
			draw.Draw(pic, r, testpic.Noise(w, h, step), r.Min, draw.Src)
			e.Update(pic, r, image.Rect(w, h, w+9, h+9), image.Rect(-5, -5, 1, 1))
			mustDecode(t, e.Bytes(), pic)
		}
	})
}

func TestStripsEqualEncoder(t *testing.T) {
	eachSize(t, func(t *testing.T, pic *image.RGBA) {
		var b bytes.Buffer
		s, err := NewStrips(&b, pic.Rect.Dx(), pic.Rect.Dy())
		if err != nil {
			t.Fatal(err)
		}
		for y := 0; y < pic.Rect.Dy(); y += 3 {
			if err := s.Write(pic.SubImage(image.Rect(0, y, pic.Rect.Dx(), y+3)).(*image.RGBA)); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(b.Bytes(), encoder(t, pic).Bytes()) {
			t.Error("strips give another file")
		}
	})
}

var errShort = errors.New("no room")

// shortWriter accepts `left` bytes in total. A write of more bytes than are left returns errShort.
type shortWriter struct{ left int }

func (w *shortWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return 0, errShort
	}
	w.left -= len(p)
	return len(p), nil
}

func TestErrors(t *testing.T) {
	for _, size := range [][2]int{{0, 1}, {1, 0}, {MaxSide + 1, 1}, {1, MaxSide + 1}} {
		if _, err := New(size[0], size[1]); err == nil {
			t.Errorf("New(%d, %d): got no error", size[0], size[1])
		}
	}
	if _, err := NewStrips(&shortWriter{}, 8, 8); err != errShort {
		t.Errorf("NewStrips: got %v, want the writer's error", err)
	}
	s, err := NewStrips(&shortWriter{left: 100}, 8, 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []image.Rectangle{image.Rect(0, 0, 7, 8), image.Rect(0, 0, 8, 9)} {
		if err := s.Write(image.NewRGBA(r)); err == nil {
			t.Errorf("a strip of %v: got no error", r)
		}
	}
	for range 2 {
		if err := s.Write(image.NewRGBA(image.Rect(0, 0, 8, 4))); err != errShort {
			t.Errorf("got %v, want the writer's error", err)
		}
	}
}

func TestUpdateDoesNotAllocate(t *testing.T) {
	pic := testpic.Photo(100, 100)
	e := encoder(t, pic)
	damage := []image.Rectangle{image.Rect(3, 4, 50, 60)}
	if got := testing.AllocsPerRun(20, func() { e.Update(pic, damage...) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

func BenchmarkUpdate(b *testing.B) {
	pic := testpic.Dashboard(1920, 1080)
	e := encoder(b, pic)
	b.SetBytes(int64(len(pic.Pix)))
	b.ReportAllocs()
	for b.Loop() {
		e.Update(pic, pic.Rect)
	}
}
