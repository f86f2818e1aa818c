package output

import (
	"context"
	"image"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/race"
	"dashboard/render/damage"
	"dashboard/render/ink"

	"pgregory.net/rapid"
)

// start calls `run` in a goroutine. The returned function ends it.
func start(t *testing.T, run func(context.Context)) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); run(ctx) }()
	return func() { cancel(); <-done }
}

func TestLatestDrawsDamageOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(20, 10)
		l := NewLatest(s, nil)
		defer start(t, l.Run)()
		f := frame(20, 10, 1)
		_ = l.DrawFrame(f, rects(image.Rect(0, 0, 2, 2))) // the whole first frame is drawn, not only its damage
		synctest.Wait()
		equal(t, s.img, f)
		fill(f, image.Rect(3, 3, 5, 5), 2)
		fill(f, image.Rect(10, 3, 15, 5), 2) // this change is not in the damage, so it must not appear
		_ = l.DrawFrame(f, rects(image.Rect(3, 3, 5, 5)))
		_ = l.DrawFrame(f, nil)
		synctest.Wait()
		if got := s.calls[len(s.calls)-1]; len(s.calls) != 2 || len(got) != 1 || got[0] != image.Rect(3, 3, 5, 5) {
			t.Errorf("got calls %v, want the whole frame and the damage", s.calls)
		}
		fill(f, image.Rect(10, 3, 15, 5), 1)
		equal(t, s.img, f)
		if st := l.Stats(); st.Frames != 2 || st.Lost != 0 || !st.OK() {
			t.Errorf("got %+v, want 2 frames, none lost", st)
		}
	})
}

// TestLatestNeverWaits: if several frames arrive while the display draws, only the newest of them is drawn.
func TestLatestNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(20, 10)
		s.block, s.began = make(chan struct{}), make(chan struct{})
		l := NewLatest(s, nil)
		defer start(t, l.Run)()
		f := frame(20, 10, 1)
		_ = l.DrawFrame(f, rects(f.Rect))
		<-s.began
		for i := range 10 { // each frame changes another column, and also one pixel that all frames change
			fill(f, image.Rect(2*i, 0, 2*i+1, 1), uint8(10+i))
			fill(f, image.Rect(7, 7, 8, 8), uint8(10+i))
			_ = l.DrawFrame(f, rects(image.Rect(2*i, 0, 2*i+1, 1), image.Rect(7, 7, 8, 8)))
		}
		synctest.Wait()
		if s.count() != 0 {
			t.Fatalf("got %d drawings, want the first still under way", s.count())
		}
		s.block <- struct{}{}
		<-s.began
		s.block <- struct{}{}
		synctest.Wait()
		equal(t, s.img, f)
		if st := l.Stats(); st.Frames != 2 || st.Lost != 9 || s.count() != 2 {
			t.Errorf("got %+v, want 2 frames, 9 lost", st)
		}
	})
}

// TestLatestTriesAgain: if a display fails to draw, the same damage is drawn again a second later, or together with the next frame.
func TestLatestTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(20, 10)
		s.set(errCable, false)
		l := NewLatest(s, nil)
		defer start(t, l.Run)()
		f := frame(20, 10, 1)
		_ = l.DrawFrame(f, rects(f.Rect))
		synctest.Wait()
		if st := l.Stats(); st.Errors != 1 || st.OK() {
			t.Fatalf("got %+v, want one error", st)
		}
		time.Sleep(3*time.Second + time.Millisecond)
		if st := l.Stats(); st.Errors != 4 {
			t.Errorf("got %d errors after 3 s, want 4", st.Errors)
		}
		fill(f, image.Rect(3, 3, 5, 5), 2)
		s.set(nil, true)
		_ = l.DrawFrame(f, rects(image.Rect(3, 3, 5, 5)))
		synctest.Wait()
		s.set(nil, false)
		time.Sleep(redrawAfter)
		synctest.Wait()
		equal(t, s.img, f)
		if st := l.Stats(); st.Errors != 5 || st.Frames != 1 || !st.OK() || st.LastError != "panic: screen on fire" {
			t.Errorf("got %+v, want 5 errors, then a frame", st)
		}
		calls := s.count()
		time.Sleep(time.Minute)
		if s.count() != calls {
			t.Errorf("got %d drawings of nothing new, want 0", s.count()-calls)
		}
	})
}

func TestLatestInvalidateAndResize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(20, 10)
		l := NewLatest(s, nil)
		l.Invalidate() // there is no frame yet, so nothing is drawn
		defer start(t, l.Run)()
		synctest.Wait()
		f := frame(20, 10, 1)
		_ = l.DrawFrame(f, rects(f.Rect))
		synctest.Wait()
		clear(s.img.Pix)
		l.Invalidate()
		synctest.Wait()
		equal(t, s.img, f)
		f = frame(7, 30, 5)
		_ = l.DrawFrame(f, rects(image.Rect(0, 0, 1, 1)))
		synctest.Wait()
		equal(t, s.img, f)
		if s.count() != 3 {
			t.Errorf("got %d drawings, want 3", s.count())
		}
	})
}

func TestLatestHaltAndNames(t *testing.T) {
	s := newScreen(20, 10)
	l := NewLatest(s, nil)
	if err := l.Halt(); err != nil || !s.halted || l.String() != "screen" {
		t.Errorf("got %v, %v, %q", err, s.halted, l.String())
	}
}

// TestMailboxLosesNothing passes frames of random sizes with random damage to a consumer that reads slowly and sometimes fails. Whenever
// no damage is left, the screen must show the newest frame.
func TestMailboxLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMailbox()
		turned := rapid.Bool().Draw(t, "turned")
		m.turn(turned)
		src, shown := frame(17, 13, 0), frame(17, 13, 99)
		var taken *image.RGBA
		var d damage.List
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0, 1, 2: // a frame
				var rs []image.Rectangle
				for range rapid.IntRange(1, 20).Draw(t, "n") {
					r := drawRect(t, src.Rect)
					fill(src, r, uint8(rapid.IntRange(0, 255).Draw(t, "v")))
					rs = append(rs, r)
				}
				m.put(src, rs)
			case 3: // another size
				size := image.Pt(rapid.IntRange(9, 17).Draw(t, "w"), rapid.IntRange(9, 17).Draw(t, "h"))
				src = frame(size.X, size.Y, uint8(rapid.IntRange(0, 255).Draw(t, "v")))
				m.put(src, rects(src.Rect))
			case 4: // the consumer begins
				if taken == nil {
					taken = m.take(&d, &ink.Regions{})
				}
			case 5: // the consumer ends
				if taken != nil {
					failed, unsent := rapid.Bool().Draw(t, "failed"), rapid.Bool().Draw(t, "not sent")
					if !failed && !unsent {
						shown = show(shown, taken, d.Rects())
					}
					m.done(&d, failed)
					if !failed && unsent {
						if rapid.Bool().Draw(t, "another size meanwhile") {
							src = frame(5, 5, 77)
							m.put(src, rects(src.Rect))
						}
						m.restore(&d)
					}
					taken = nil
				}
			}
		}
		if taken != nil {
			shown = show(shown, taken, d.Rects())
			m.done(&d, false)
		}
		if taken = m.take(&d, &ink.Regions{}); taken != nil {
			want := src
			if turned {
				want = turnedPlain(src)
			}
			equalRapid(t, show(shown, taken, d.Rects()), want)
		}
	})
}

// turnedPlain rotates a frame by 180 degrees, one pixel at a time.
func turnedPlain(src *image.RGBA) *image.RGBA {
	dst := image.NewRGBA(src.Rect)
	for y := range src.Rect.Dy() {
		for x := range src.Rect.Dx() {
			dst.SetRGBA(src.Rect.Dx()-1-x, src.Rect.Dy()-1-y, src.RGBAAt(x, y))
		}
	}
	return dst
}

func show(screen, src *image.RGBA, rs []image.Rectangle) *image.RGBA {
	if screen.Rect != src.Rect {
		screen = image.NewRGBA(src.Rect)
	}
	for _, r := range rs {
		copyRect(screen, src, r)
	}
	return screen
}

func drawRect(t *rapid.T, in image.Rectangle) image.Rectangle {
	x := rapid.IntRange(0, in.Max.X).Draw(t, "x")
	y := rapid.IntRange(0, in.Max.Y).Draw(t, "y")
	return image.Rect(x, y, rapid.IntRange(x, in.Max.X).Draw(t, "x1"), rapid.IntRange(y, in.Max.Y).Draw(t, "y1"))
}

func equalRapid(t *rapid.T, got, want *image.RGBA) {
	if got.Rect != want.Rect {
		t.Fatalf("got %v, want %v", got.Rect, want.Rect)
	}
	for i := range got.Pix {
		if got.Pix[i] != want.Pix[i] {
			t.Fatalf("at %d,%d: got %d, want %d", i%got.Stride/4, i/got.Stride, got.Pix[i], want.Pix[i])
		}
	}
}

// TestLatestDoesNotAllocate: a frame causes no allocations, for fast and for slow displays.
func TestLatestDoesNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	l := NewLatest(silent{newScreen(64, 64)}, nil)
	f, rs := frame(64, 64, 3), rects(image.Rect(3, 3, 9, 9), image.Rect(20, 20, 30, 30))
	next := func() {
		if l.mail.due(false) {
			_ = l.attempt(t.Context(), time.Now())
		}
	}
	step := func() {
		_ = l.DrawFrame(f, rs)
		next()
		l.mail.take(&l.damage, &ink.Regions{}) // the display begins to draw
		_ = l.DrawFrame(f, rs)                 // frames arrive during the drawing
		_ = l.DrawFrame(f, rs)
		l.mail.done(&l.damage, false)
		next()
	}
	step()
	if n := testing.AllocsPerRun(100, step); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

func BenchmarkLatest(b *testing.B) {
	l := NewLatest(silent{newScreen(1, 1)}, nil)
	f := frame(1920, 1080, 3)
	for _, bb := range []struct {
		name string
		r    image.Rectangle
	}{{"clock", image.Rect(100, 100, 400, 200)}, {"frame", f.Rect}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			rs := rects(bb.r)
			for b.Loop() {
				_ = l.DrawFrame(f, rs)
				_ = l.attempt(b.Context(), time.Now())
			}
		})
	}
}

// BenchmarkLate measures a tick of a clock while a slow consumer reads. The consumer has missed a whole frame. Only the area of the tick
// must be copied.
func BenchmarkLate(b *testing.B) {
	f, clock := frame(1920, 1080, 3), rects(image.Rect(100, 100, 400, 200))
	m := newMailbox()
	m.put(f, rects(f.Rect))
	var d damage.List
	m.take(&d, &ink.Regions{})
	m.put(f, rects(f.Rect))
	b.ReportAllocs()
	for b.Loop() {
		m.put(f, clock)
	}
}

// TestLateTicksCostWhatTheyCover: if a clock ticks while the consumer reads, pixels outside the clock are not copied again.
func TestLateTicksCostWhatTheyCover(t *testing.T) {
	f, clock := frame(64, 64, 3), image.Rect(10, 10, 20, 20)
	m := newMailbox()
	m.put(f, rects(f.Rect))
	var d damage.List
	m.take(&d, &ink.Regions{})
	m.put(f, rects(image.Rect(0, 0, 64, 40))) // late
	m.put(f, rects(image.Rect(0, 50, 5, 55))) // a change while the consumer reads, in a separate rectangle
	fill(f, f.Rect, 9)                        // only the clock is damage, so the rest must not be copied
	m.put(f, rects(clock))
	want := image.NewRGBA(f.Rect)
	fill(want, image.Rect(0, 0, 64, 40), 3)
	fill(want, image.Rect(0, 50, 5, 55), 3)
	fill(want, clock, 9)
	equal(t, m.back, want)
}
