package output

import (
	"context"
	"errors"
	"image"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/render/ink"
)

// TestPacerTellsWhatHangs: after its limit, a draw that does not end is reported as hanging. Stats does not wait for the draw.
func TestPacerTellsWhatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(4, 4)
		l := NewLatest(s, nil)
		stop := start(t, l.Run)
		f := frame(4, 4, 1)
		_ = l.DrawFrame(f, rects(f.Rect))
		synctest.Wait()
		s.block = make(chan struct{})
		_ = l.DrawFrame(f, rects(f.Rect))
		time.Sleep(DefaultLimit)
		if st := l.Stats(); st.Hung || !st.OK() || st.Busy != DefaultLimit {
			t.Errorf("after %v: got %+v, want no alarm yet", DefaultLimit, st)
		}
		time.Sleep(time.Millisecond)
		if st := l.Stats(); !st.Hung || st.OK() {
			t.Errorf("after more than %v: got %+v, want it told", DefaultLimit, st)
		}
		close(s.block)
		synctest.Wait()
		if st := l.Stats(); st.Hung || !st.OK() || st.Busy != 0 || st.Took <= DefaultLimit {
			t.Errorf("when it has ended: got %+v, want all well", st)
		}
		stop()
	})
}

// TestPacerOfAPanel uses a Pacer in the same way as an output of another package. The output copies frames to a buffer, and sends the
// buffer slowly, once in each interval. The test also checks the statistics.
func TestPacerOfAPanel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var buffer, shown, after []uint8
		var areas []image.Rectangle
		fails, closed := 1, false
		p := NewPacer(Pacing{
			Name: "panel", Interval: time.Minute,
			Draw: func(f *image.RGBA, damage []image.Rectangle) error {
				buffer = append(buffer[:0], f.Pix[0])
				areas = append(areas, damage...)
				return nil
			},
			Send: func(context.Context) error {
				time.Sleep(5 * time.Second)
				if fails--; fails >= 0 {
					return errCable
				}
				shown = append(shown, buffer[0], uint8(time.Since(begun)/time.Second))
				return nil
			},
			After: func(context.Context) error { after = append(after, buffer[0]); panic("no cleaner") },
			Close: func() error { closed = true; return nil },
		})
		stop := start(t, p.Run)
		f := frame(8, 8, 1)
		_ = p.DrawFrame(f, rects(f.Rect))
		time.Sleep(2 * time.Second) // the change below happens during the first upload, which fails
		corner := image.Rect(0, 0, 2, 2)
		fill(f, corner, 2)
		_ = p.DrawFrame(f, rects(corner))
		time.Sleep(10 * time.Second) // the upload fails at 5 s, begins again at 6 s, and succeeds at 11 s
		fill(f, corner, 3)
		_ = p.DrawFrame(f, rects(corner))
		time.Sleep(5 * time.Minute) // the change is sent at 66 s and shown at 71 s. Then nothing changes
		stop()
		if want := []uint8{2, 11, 3, 71}; !slices.Equal(shown, want) || !slices.Equal(after, []uint8{2, 3}) {
			t.Errorf("got %v shown at these seconds, and %v after; want %v and 2, 3", shown, after, want)
		}
		if want := []image.Rectangle{f.Rect, f.Rect, corner}; !slices.Equal(areas, want) {
			t.Errorf("got damage %v, want %v", areas, want)
		}
		if st := p.Stats(); st.Frames != 2 || st.Errors != 1 || !st.OK() || st.Lost != 0 {
			t.Errorf("got %+v, want 2 frames and an error", st)
		}
		if err := p.Halt(); err != nil || !closed || p.String() != "panel" {
			t.Errorf("halt: got %v, closed %v, of %q", err, closed, p)
		}
	})
}

// TestPacerBrokenOff: an attempt that is canceled because the context ends is not a failure.
func TestPacerBrokenOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines, log := newBook()
		p := NewPacer(Pacing{Name: "slow", Log: log, Draw: func(*image.RGBA, []image.Rectangle) error { return nil },
			Send: func(ctx context.Context) error { <-ctx.Done(); return errors.New("broken off") }})
		stop := start(t, p.Run)
		_ = p.DrawFrame(frame(2, 2, 1), nil)
		synctest.Wait()
		stop()
		if st := p.Stats(); st.Errors != 0 || st.Frames != 0 || st.Busy != 0 || lines.String() != "" {
			t.Errorf("got %+v and %q, want nothing told", st, lines.String())
		}
	})
}

// While a wall changes its size, a frame of the old size may arrive late. It is ignored without an error.
func TestPacerOfOneSize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScreen(4, 4)
		var log strings.Builder
		l := NewLatest(s, slog.New(slog.NewTextHandler(&log, nil)))
		l.Expect(image.Pt(4, 4))
		defer start(t, l.Run)()
		for _, size := range []int{5, 4, 3} {
			f := frame(size, size, uint8(size))
			_ = l.DrawFrame(f, rects(f.Rect))
			synctest.Wait()
		}
		if st := l.Stats(); st.Frames != 1 || !st.OK() || log.Len() > 0 {
			t.Errorf("got %+v and the log %q, want the one frame of 4x4", st, &log)
		}
	})
}

// TestPacerKeepsRegionsWithTheirFrame: during a draw, the regions belong to the drawn frame, even if newer frames arrive during the draw.
// If the frame is rotated, its regions are rotated too.
func TestPacerKeepsRegionsWithTheirFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		var p *Pacer
		var got [][]ink.Region
		p = NewPacer(Pacing{Name: "panel", Draw: func(*image.RGBA, []image.Rectangle) error {
			<-hold
			got = append(got, slices.Clone(p.Regions()))
			return nil
		}})
		stop := start(t, p.Run)
		var photo ink.Regions
		give := func(v uint8, at image.Rectangle) {
			photo.Reset()
			photo.Add(ink.Region{Rect: at, Photo: true})
			p.Mark(&photo)
			f := frame(8, 4, v)
			_ = p.DrawFrame(f, rects(f.Rect))
			synctest.Wait()
		}
		one, two := image.Rect(0, 0, 2, 2), image.Rect(4, 0, 8, 2)
		give(1, one)
		give(2, two) // arrives while the first frame is read
		hold <- struct{}{}
		synctest.Wait()
		hold <- struct{}{}
		synctest.Wait()
		stop()
		want := [][]ink.Region{{{Rect: one, Photo: true}}, {{Rect: two, Photo: true}}}
		if !slices.EqualFunc(got, want, slices.Equal[[]ink.Region]) {
			t.Errorf("got %v, want %v", got, want)
		}
		turned := NewPacer(Pacing{Name: "panel", Draw: func(*image.RGBA, []image.Rectangle) error { return nil }})
		turned.Turn(true)
		stop = start(t, turned.Run)
		p = turned
		give(1, one)
		stop()
		if got, want := turned.Regions()[0].Rect, image.Rect(6, 2, 8, 4); got != want {
			t.Errorf("turned: got %v, want %v", got, want)
		}
	})
}
