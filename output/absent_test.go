package output

import (
	"errors"
	"image"
	"testing"
	"testing/synctest"
)

// Without a consumer, no frame is stored. A new consumer gets the whole next frame.
func TestPacerAbsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, gone := newScreen(20, 10), errors.New("no screen")
		away := true
		p := NewPacer(Pacing{Name: "window", Draw: s.DrawFrame, Absent: func() error {
			if away {
				return gone
			}
			return nil
		}})
		defer start(t, p.Run)()
		f := frame(20, 10, 1)
		draw := func(r image.Rectangle, v byte) {
			t.Helper()
			fill(f, r, v)
			_ = p.DrawFrame(f, rects(r))
			synctest.Wait()
		}
		empty := func(what string) {
			t.Helper()
			if p.mail.front != nil || p.mail.back != nil || p.mail.spare != nil {
				t.Errorf("%s: memory for a frame is kept", what)
			}
			if p.Invalidate() {
				t.Errorf("%s: a frame is said to be kept", what)
			}
		}
		draw(image.Rect(0, 0, 2, 2), 2)
		empty("nobody yet")
		if st := p.Stats(); st.Frames != 0 || st.Errors != 1 || st.LastError != "no screen" || st.OK() {
			t.Errorf("nobody yet: got %+v", st)
		}
		if n := testing.AllocsPerRun(100, func() { _ = p.DrawFrame(f, rects(f.Rect)) }); n > 1 { // rects
			t.Errorf("%v allocations a frame", n)
		}
		away = false
		draw(image.Rect(3, 3, 5, 5), 3)
		equal(t, s.img, f)
		if !p.Invalidate() || !p.Stats().OK() {
			t.Error("a frame that was drawn is not kept")
		}
		away = true
		draw(image.Rect(6, 6, 9, 9), 4)
		empty("gone")
		away = false
		draw(image.Rect(0, 0, 1, 1), 5)
		equal(t, s.img, f)
	})
}

// If the consumer disappears during a draw, the frame stays valid until the draw ends. When the consumer appears again, it gets the
// changes of all frames that it has missed.
func TestPacerAbsentMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(20, 10)
		s.block, s.began = make(chan struct{}), make(chan struct{})
		var away error
		p := NewPacer(Pacing{Name: "window", Draw: s.DrawFrame, Absent: func() error { return away }})
		defer start(t, p.Run)()
		f := frame(20, 10, 1)
		_ = p.DrawFrame(f, rects(f.Rect))
		<-s.began
		away = errors.New("no screen")
		fill(f, image.Rect(2, 2, 8, 8), 7)
		_ = p.DrawFrame(f, rects(image.Rect(2, 2, 8, 8)))
		if p.Invalidate() {
			t.Error("a frame older than the newest is said to be kept")
		}
		away = nil
		fill(f, image.Rect(0, 0, 1, 1), 9)
		_ = p.DrawFrame(f, rects(image.Rect(0, 0, 1, 1)))
		s.block <- struct{}{}
		<-s.began
		s.block <- struct{}{}
		synctest.Wait()
		equal(t, s.img, f)
	})
}
