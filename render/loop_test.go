package render

import (
	"context"
	"image"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// script is a root widget whose Update calls a function of the test.
type script struct{ update func(Tick) }

func (s *script) Update(t Tick) { s.update(t) }
func (s *script) Paint(c Canvas) {
	c.Fill(image.Rect(0, 0, 8, 8), white)
}

// run starts a loop whose root widget calls `update`, and returns this loop. The loop ends with the test. Call run inside synctest.Test.
func run(t *testing.T, interval time.Duration, update func(Tick)) *Loop {
	l := NewLoop(New(&script{update}, image.Pt(8, 8)), interval)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); l.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return l
}

// passes records the times of updates, relative to the first update.
type passes struct {
	start time.Time
	at    []time.Duration
}

func (p *passes) note(t Tick) {
	if p.start.IsZero() {
		p.start = t.Now()
	}
	p.at = append(p.at, t.Now().Sub(p.start))
}

func (p *passes) want(t *testing.T, want ...time.Duration) {
	t.Helper()
	if !slices.Equal(p.at, want) {
		t.Errorf("passes: got %v, want %v", p.at, want)
	}
}

func TestLoopSleepsUntilDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p passes
		run(t, time.Millisecond, func(t Tick) { p.note(t); t.Wake(t.Now().Add(10 * time.Second)) })
		time.Sleep(25 * time.Second)
		synctest.Wait()
		p.want(t, 0, 10*time.Second, 20*time.Second)
	})
}

func TestLoopNeverSleepsLongerThanMaxSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p passes
		run(t, 0, func(t Tick) { p.note(t); t.Wake(t.Now().Add(time.Hour)) })
		time.Sleep(2*MaxSleep + time.Second)
		synctest.Wait()
		p.want(t, 0, MaxSleep, 2*MaxSleep)
	})
}

func TestLoopKeepsInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const interval = 100 * time.Millisecond
		var p passes
		run(t, interval, func(t Tick) { p.note(t); t.Wake(t.Now()) })
		time.Sleep(350 * time.Millisecond)
		synctest.Wait()
		p.want(t, 0, interval, 2*interval, 3*interval)
	})
}

// A limit of 30 frames a second is exact, because the interval is measured between the starts of
// two passes. If a pass is longer than the interval, the next pass begins at once.
func TestLoopIntervalIsARate(t *testing.T) {
	for _, tc := range []struct {
		painting, interval time.Duration
		want               int
	}{{20 * time.Millisecond, time.Second / 30, 30}, {0, time.Second / 30, 30}, {50 * time.Millisecond, time.Second / 30, 20}} {
		synctest.Test(t, func(t *testing.T) {
			frames := 0
			run(t, tc.interval, func(t Tick) { frames++; time.Sleep(tc.painting); t.Wake(t.Now()) })
			time.Sleep(time.Second - time.Millisecond)
			synctest.Wait()
			if frames != tc.want {
				t.Errorf("painting takes %v: got %d frames in a second, want %d", tc.painting, frames, tc.want)
			}
		})
	}
}

func TestLoopWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const interval = 100 * time.Millisecond
		var p passes
		l := run(t, interval, p.note)
		time.Sleep(time.Second)
		l.Wake() // the loop serves this request at once
		l.Wake() // this call and the call before it count as one request
		time.Sleep(time.Millisecond)
		l.Wake() // the loop serves this request when the interval is over
		time.Sleep(time.Second)
		synctest.Wait()
		p.want(t, 0, time.Second, time.Second+interval)
	})
}

func TestLoopRepaint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := run(t, time.Millisecond, func(Tick) {})
		time.Sleep(time.Second)
		before := l.Stats().Frames
		l.Wake()
		time.Sleep(time.Second)
		if got := l.Stats().Frames; got != before {
			t.Errorf("nothing changed: got %d frames more, want none", got-before)
		}
		l.Repaint()
		time.Sleep(time.Second)
		if got := l.Stats().Frames; got != before+1 {
			t.Errorf("asked to repaint: got %d frames more, want 1", got-before)
		}
	})
}

func TestLoopDo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p passes
		l := run(t, time.Millisecond, func(Tick) {})
		err := l.Do(t.Context(), func(r *Renderer) { r.SetRoot(&script{p.note}) })
		synctest.Wait()
		if err != nil || len(p.at) != 1 {
			t.Errorf("got error %v and %d passes of the new tree, want none and 1", err, len(p.at))
		}
		if err := l.Do(t.Context(), func(*Renderer) { panic("in Do") }); err != nil {
			t.Errorf("panic in Do: got error %v, want none", err)
		}
		synctest.Wait()
		if s := l.Stats(); s.Crashes != 1 {
			t.Errorf("crashes: got %d, want 1", s.Crashes)
		}
	})
}

func TestLoopDoGivesUp(t *testing.T) {
	l := NewLoop(New(&script{func(Tick) {}}, image.Pt(8, 8)), 0) // no goroutine runs this loop
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Do(ctx, func(*Renderer) {}); err != context.Canceled {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestLoopSurvivesPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p passes
		var crashes []any
		broken := true
		l := NewLoop(nil, time.Millisecond)
		l.renderer = New(&script{func(t Tick) {
			p.note(t)
			if broken {
				broken = false
				panic("broken tree")
			}
		}}, image.Pt(8, 8))
		l.Crashed = func(v any) { crashes = append(crashes, v) }
		var shown []image.Rectangle
		l.Show = func(_ *image.RGBA, damage []image.Rectangle) { shown = append(shown, damage...) }
		go l.Run(t.Context())
		time.Sleep(2 * crashPause)
		synctest.Wait()
		p.want(t, 0, crashPause)
		if len(crashes) != 1 || crashes[0] != "broken tree" {
			t.Errorf("crashes: got %v, want [broken tree]", crashes)
		}
		if len(shown) != 1 || shown[0] != image.Rect(0, 0, 8, 8) {
			t.Errorf("shown after the crash: got %v, want the whole frame", shown)
		}
	})
}

func TestLoopStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		l := run(t, time.Millisecond, func(t Tick) {
			if n++; n == 2 {
				t.DamageAll()
			}
			t.Wake(t.Now().Add(time.Second))
		})
		start := time.Now()
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		s := l.Stats()
		if s.Passes != 3 || s.Frames != 2 || s.Crashes != 0 {
			t.Errorf("got %d passes, %d frames, %d crashes, want 3, 2, 0", s.Passes, s.Frames, s.Crashes)
		}
		if want := start.Add(time.Second); !s.Painted.Equal(want) {
			t.Errorf("painted: got %v, want %v", s.Painted, want)
		}
	})
}
