package jpegtile

import (
	"bytes"
	"image"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
)

func strips(t testing.TB, pic *image.RGBA, o Options, rows int) []byte {
	t.Helper()
	var b bytes.Buffer
	s, err := NewStrips(&b, pic.Rect.Dx(), pic.Rect.Dy(), o)
	if err != nil {
		t.Fatal(err)
	}
	rows *= s.RowHeight()
	for y := 0; y < pic.Rect.Dy(); y += rows {
		part := image.Rect(0, y, pic.Rect.Dx(), y+rows)
		if err := s.Write(pic.SubImage(part).(*image.RGBA)); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestStripsEqualEncoder(t *testing.T) {
	eachSize(t, func(t *testing.T, pic *image.RGBA, o Options) {
		want := encode(t, pic, o)
		for _, rows := range []int{1, 2, 5} {
			if !bytes.Equal(strips(t, pic, o, rows), want) {
				t.Errorf("strips of %d MCU rows give another file", rows)
			}
		}
	})
}

func TestStripsRefuseWhatDoesNotFit(t *testing.T) {
	s, err := NewStrips(&bytes.Buffer{}, 40, 40, Options{Chroma: Chroma420})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []image.Rectangle{image.Rect(0, 0, 39, 16), image.Rect(0, 0, 40, 15), image.Rect(0, 0, 40, 48)} {
		if err := s.Write(image.NewRGBA(r)); err == nil {
			t.Errorf("a strip of %v: got no error", r)
		}
	}
}

func TestStripsReportTheWritersError(t *testing.T) {
	pic := testpic.Noise(600, 600, 1)
	s, err := NewStrips(&testpic.ShortWriter{Left: 100_000}, 600, 600, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(pic); err != testpic.ErrShort {
		t.Errorf("got %v, want the writer's error", err)
	}
}

func TestStripsDoNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	pic := testpic.Photo(1000, 16)
	s, err := NewStrips(&testpic.ShortWriter{Left: 1 << 30}, 1000, 16*100, Options{Chroma: Chroma420})
	if err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(50, func() { _ = s.Write(pic) }); got != 0 {
		t.Errorf("got %v allocations a strip, want 0", got)
	}
}
