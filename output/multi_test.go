package output

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/display"

	"dashboard/internal/testing/race"
)

func TestMultiGivesToAll(t *testing.T) {
	a, b := newScreen(8, 6), newScreen(8, 6)
	m := NewMulti(nil, a, OfDrawer(plain{b}))
	f := frame(8, 6, 9)
	damage := rects(image.Rect(1, 1, 3, 3), image.Rect(5, 0, 8, 6))
	if err := m.DrawFrame(f, damage); err != nil {
		t.Fatal(err)
	}
	if len(a.calls) != 1 || len(a.calls[0]) != 2 {
		t.Errorf("with DrawFrame: got calls %v, want one with both rectangles", a.calls)
	}
	all := image.Rect(1, 0, 8, 6)
	if len(b.calls) != 1 || b.calls[0][0] != all {
		t.Errorf("without DrawFrame: got calls %v, want one of %v", b.calls, all)
	}
	for s, shown := range map[*screen][]image.Rectangle{a: damage, b: {all}} {
		want := image.NewRGBA(f.Rect)
		for _, r := range shown {
			fill(want, r, 9)
		}
		equal(t, s.img, want)
	}
}

func TestMultiKeepsFailuresApart(t *testing.T) {
	tests := []struct {
		name   string
		breaks func(*screen)
		want   string
	}{
		{"error", func(s *screen) { s.set(errCable, false) }, "cable pulled"},
		{"panic", func(s *screen) { s.set(nil, true) }, "panic: screen on fire"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad, good := newScreen(4, 4), newScreen(4, 4)
			tt.breaks(bad)
			m := NewMulti(nil, bad, good)
			f := frame(4, 4, 1)
			spot := rects(image.Rect(0, 0, 1, 1))
			for range 3 {
				if err := m.DrawFrame(f, spot); err != nil {
					t.Fatal(err)
				}
			}
			if good.count() != 3 {
				t.Errorf("got %d frames on the good screen, want 3", good.count())
			}
			s := m.Stats()
			if s[0].Errors != 3 || s[0].Frames != 0 || s[0].LastError != tt.want || s[0].OK() {
				t.Errorf("got %+v, want 3 errors, the last %q", s[0], tt.want)
			}
			if s[1].Errors != 0 || s[1].Frames != 3 || !s[1].OK() {
				t.Errorf("got %+v, want 3 frames", s[1])
			}
			bad.set(nil, false)
			_ = m.DrawFrame(f, spot)
			equal(t, bad.img, f) // after a failure, the whole next frame is drawn, and not only the spot
		})
	}
}

// TestMultiReportsAlternatingErrors: if a screen fails in turn with two errors, as with a full drive, each of them is logged once in ten
// minutes.
func TestMultiReportsAlternatingErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines, log := newBook()
		s := newScreen(4, 4)
		m := NewMulti(log, s)
		f := frame(4, 4, 1)
		for i := range 15 * 60 {
			err := errCable
			if i%2 == 1 {
				err = fmt.Errorf("another error with one of %d texts", i/300+1)
			}
			s.set(err, false)
			_ = m.DrawFrame(f, rects(f.Rect))
			time.Sleep(time.Second)
		}
		if got := strings.Count(lines.String(), "\n"); got != 2+3 {
			t.Errorf("got %d lines in fifteen minutes, want two for one error and one for each of three:\n%s", got, lines)
		}
	})
}

// TestMultiReportsRarely: a repeated error is logged when it first occurs, and again after ten minutes. A different error need not wait
// ten minutes. When the output works again, this is logged too.
func TestMultiReportsRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines, log := newBook()
		s := newScreen(4, 4)
		s.set(errCable, false)
		m := NewMulti(log, s)
		f := frame(4, 4, 1)
		drawFor := func(d time.Duration) int {
			before := strings.Count(lines.String(), "\n")
			for range d / (100 * time.Millisecond) {
				_ = m.DrawFrame(f, rects(f.Rect))
				time.Sleep(100 * time.Millisecond)
			}
			return strings.Count(lines.String(), "\n") - before
		}
		if got := drawFor(9 * time.Minute); got != 1 {
			t.Errorf("got %d lines in nine minutes of the same error, want 1", got)
		}
		if got := drawFor(2 * time.Minute); got != 1 {
			t.Errorf("got %d lines when ten minutes are over, want 1", got)
		}
		s.set(nil, true)
		if got := drawFor(10 * time.Second); got != 1 {
			t.Errorf("got %d lines for another error, want 1", got)
		}
		s.set(nil, false)
		if got := drawFor(10 * time.Second); got != 1 || !strings.Contains(lines.String(), "works again") {
			t.Errorf("got %d lines for the recovery, want 1", got)
		}
		for range 50 { // a screen that fails with every second frame
			s.set(errCable, false)
			_ = m.DrawFrame(f, rects(f.Rect))
			s.set(nil, false)
			_ = m.DrawFrame(f, rects(f.Rect))
		}
		before := strings.Count(lines.String(), "\n")
		for range 50 {
			s.set(errCable, false)
			drawFor(time.Second)
			s.set(nil, false)
			drawFor(time.Second)
		}
		if got := strings.Count(lines.String(), "\n") - before; got != 0 {
			t.Errorf("got %d lines in 100 seconds of flicker with a known error, want none: %s", got, lines)
		}
		drawFor(time.Minute)
		s.set(errCable, false)
		if got := drawFor(time.Second); got != 1 {
			t.Errorf("got %d lines for an error after a minute without one, want 1", got)
		}
		s.set(nil, false)
		drawFor(2 * time.Second)
		s.set(errCable, false) // the error returns and stays
		if got := drawFor(5 * time.Minute); got != 1 {
			t.Errorf("got %d lines for an error that returns and stays, want 1", got)
		}
	})
}

func TestMultiHalt(t *testing.T) {
	a, b := newScreen(8, 4), newScreen(4, 9)
	m := NewMulti(nil, a, OfDrawer(plain{b}))
	if got, want := m.String(), "screen, plain"; got != want {
		t.Errorf("name: got %q, want %q", got, want)
	}
	a.err = errCable
	if err := m.Halt(); err == nil || !a.halted || !b.halted {
		t.Errorf("halt: got %v, %v %v, want an error and both halted", err, a.halted, b.halted)
	}
}

// TestOfDrawer: a display with DrawFrame is used directly. For another display, the frame's top
// left pixel is drawn at the display's top left pixel, and damage outside the frame draws nothing.
func TestOfDrawer(t *testing.T) {
	if s := newScreen(8, 4); OfDrawer(display.Drawer(drawerToo{s})) != FrameDrawer(drawerToo{s}) {
		t.Error("a display that has DrawFrame was wrapped")
	}
	s := newScreen(8, 4)
	s.img = image.NewRGBA(image.Rect(10, 20, 18, 24))
	d := OfDrawer(plain{s})
	f := image.NewRGBA(image.Rect(-3, 5, 5, 9))
	fill(f, f.Rect, 7)
	fill(f, image.Rect(0, 6, 1, 7), 9)
	if err := d.DrawFrame(f, nil); err != nil || s.count() != 0 {
		t.Errorf("no damage: got %v and %d calls, want none", err, s.count())
	}
	if err := d.DrawFrame(f, rects(image.Rect(-90, -90, 90, 90))); err != nil || s.count() != 1 {
		t.Fatalf("got %v and %d calls, want one", err, s.count())
	}
	want := image.NewRGBA(s.img.Rect)
	fill(want, want.Rect, 7)
	fill(want, image.Rect(13, 21, 14, 22), 9)
	equal(t, s.img, want)
	s.err = errCable
	if err := d.DrawFrame(f, rects(f.Rect)); !errors.Is(err, errCable) {
		t.Errorf("got %v, want the display's error", err)
	}
}

// drawerToo has the methods Draw and DrawFrame, like fb.Display.
type drawerToo struct{ *screen }

func (d drawerToo) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	return d.draw(r, src, at)
}
func (d drawerToo) Bounds() image.Rectangle { return d.img.Rect }
func (d drawerToo) ColorModel() color.Model { return color.RGBAModel }

func TestMultiDoesNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	m := NewMulti(nil, silent{newScreen(64, 64)}, NewLatest(newScreen(64, 64), nil), OfDrawer(silentPlain{plain{newScreen(64, 64)}}))
	f, damage := frame(64, 64, 3), rects(image.Rect(3, 3, 9, 9), image.Rect(20, 20, 30, 30))
	if n := testing.AllocsPerRun(100, func() { _ = m.DrawFrame(f, damage) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

// silent is a screen that draws nothing and allocates nothing.
type silent struct{ *screen }

func (silent) DrawFrame(*image.RGBA, []image.Rectangle) error { return nil }

// silentPlain is like silent, but has no DrawFrame method.
type silentPlain struct{ plain }

func (silentPlain) Draw(image.Rectangle, image.Image, image.Point) error { return nil }
