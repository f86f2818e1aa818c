package output

import (
	"image"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"periph.io/x/conn/v3/display"
)

func TestMultiGivesToAll(t *testing.T) {
	a, b := newScreen(8, 6), newScreen(8, 6)
	m := NewMulti(nil, a, plain{b})
	f := frame(8, 6, 9)
	damage := rects(image.Rect(1, 1, 3, 3), image.Rect(5, 0, 8, 6))
	if err := m.DrawFrame(f, damage); err != nil {
		t.Fatal(err)
	}
	if len(a.calls) != 1 || len(a.calls[0]) != 2 {
		t.Errorf("with DrawFrame: got calls %v, want one with both rectangles", a.calls)
	}
	if len(b.calls) != 2 {
		t.Errorf("without DrawFrame: got calls %v, want one for each rectangle", b.calls)
	}
	want := frame(8, 6, 0)
	clear(want.Pix)
	for _, r := range damage {
		fill(want, r, 9)
	}
	for _, s := range []*screen{a, b} {
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
			equal(t, bad.img, f) // the first frame after a failure is drawn whole
		})
	}
}

// TestMultiReportsRarely: an error is told at once, again after ten minutes, another text after a second, and the end of it.
func TestMultiReportsRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines, log := newBook()
		s := newScreen(4, 4)
		s.set(errCable, false)
		m := NewMulti(log, s)
		f := frame(4, 4, 1)
		drawFor := func(d time.Duration) int {
			before := strings.Count(lines.text(), "\n")
			for range d / (100 * time.Millisecond) {
				_ = m.DrawFrame(f, rects(f.Rect))
				time.Sleep(100 * time.Millisecond)
			}
			return strings.Count(lines.text(), "\n") - before
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
		if got := drawFor(10 * time.Second); got != 1 || !strings.Contains(lines.text(), "works again") {
			t.Errorf("got %d lines for the recovery, want 1", got)
		}
		for range 50 { // a screen that flickers
			s.set(errCable, false)
			_ = m.DrawFrame(f, rects(f.Rect))
			s.set(nil, false)
			_ = m.DrawFrame(f, rects(f.Rect))
		}
		before := strings.Count(lines.text(), "\n")
		for range 50 {
			s.set(errCable, false)
			drawFor(100 * time.Millisecond)
			s.set(nil, false)
			drawFor(100 * time.Millisecond)
		}
		if got := strings.Count(lines.text(), "\n") - before; got > 11 {
			t.Errorf("got %d lines in ten seconds of flicker, want at most one a second", got)
		}
	})
}

func TestMultiDrawHaltBounds(t *testing.T) {
	a, b := newScreen(8, 4), newScreen(4, 9)
	m := NewMulti(nil, a, plain{b})
	if got, want := m.Bounds(), image.Rect(0, 0, 8, 9); got != want {
		t.Errorf("bounds: got %v, want %v", got, want)
	}
	if got, want := m.String(), "screen, plain"; got != want {
		t.Errorf("name: got %q, want %q", got, want)
	}
	_ = m.Draw(image.Rect(0, 0, 2, 2), frame(2, 2, 7), image.Point{})
	if a.count() != 1 || b.count() != 1 {
		t.Errorf("draw: got %d and %d calls, want 1 and 1", a.count(), b.count())
	}
	a.err = errCable
	if err := m.Halt(); err == nil || !a.halted || !b.halted {
		t.Errorf("halt: got %v, %v %v, want an error and both halted", err, a.halted, b.halted)
	}
}

func TestMultiDoesNotAllocate(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	var m display.Drawer = NewMulti(nil, silent{newScreen(64, 64)}, NewLatest(newScreen(64, 64), nil))
	f, damage := frame(64, 64, 3), rects(image.Rect(3, 3, 9, 9), image.Rect(20, 20, 30, 30))
	if n := testing.AllocsPerRun(100, func() { _ = m.(FrameDrawer).DrawFrame(f, damage) }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

// silent draws nothing and allocates nothing.
type silent struct{ *screen }

func (silent) DrawFrame(*image.RGBA, []image.Rectangle) error { return nil }
