package output

import (
	"image"
	"testing"
	"testing/synctest"
)

// trier is a screen whose TryDrawFrame accepts frames, unless the screen is busy.
type trier struct {
	*screen
	busy, panics bool
}

func (d *trier) TryDrawFrame(src *image.RGBA, damage []image.Rectangle) bool {
	if d.panics {
		panic("no")
	}
	return !d.busy && d.DrawFrame(src, damage) == nil
}

// Frames that a Trier has taken are not stored. The other frames are drawn later, and no change is lost.
func TestLatestTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &trier{screen: newScreen(20, 10)}
		l := NewLatest(d, nil)
		defer start(t, l.Run)()
		f := frame(20, 10, 1)
		draw := func(r image.Rectangle, v byte) {
			t.Helper()
			fill(f, r, v)
			_ = l.DrawFrame(f, rects(r))
			synctest.Wait()
			equal(t, d.img, f)
		}
		draw(image.Rect(0, 0, 2, 2), 2) // the whole first frame is drawn
		if l.mail.front != nil {
			t.Error("a frame that was taken is kept")
		}
		draw(image.Rect(3, 3, 5, 5), 3)
		d.busy = true
		draw(image.Rect(4, 4, 8, 8), 4)
		draw(image.Rect(5, 5, 9, 9), 5)
		if l.mail.front == nil {
			t.Error("a frame that was not taken is not kept")
		}
		d.busy = false
		for i := range passedMost {
			draw(image.Rect(i, 0, i+3, 9), byte(10+i))
		}
		d.panics = true // Draw does not
		draw(image.Rect(0, 0, 20, 3), 30)
		if st := l.Stats(); st.Frames != 5+passedMost || st.Lost != 0 || !st.OK() {
			t.Errorf("got %+v, want %d frames", st, 5+passedMost)
		}
	})
}

// After a Trier has taken several frames in a row, the memory for stored frames is freed.
func TestLatestLetsGo(t *testing.T) {
	m := newMailbox()
	f, all := frame(20, 10, 1), rects(image.Rect(0, 0, 20, 10))
	take := func(*image.RGBA, []image.Rectangle) bool { return true }
	m.put(f, all)
	m.fresh.Reset()
	before := m.front
	m.pass(f, all, take)
	if m.put(f, all); m.front != before {
		t.Error("the memory was not used again")
	}
	m.fresh.Reset()
	for range passedMost {
		m.pass(f, all, take)
	}
	if m.front != nil || m.back != nil || m.spare != nil {
		t.Errorf("memory is kept after %d frames", passedMost)
	}
	if n := testing.AllocsPerRun(100, func() { m.pass(f, all, take) }); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}
