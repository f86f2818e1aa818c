package render

import (
	"image"
	"image/color"
	"testing"
	"time"
)

// sheet is a root widget of one color, whose first row is always black.
type sheet struct{ col color.RGBA }

func (s *sheet) Update(Tick) {}
func (s *sheet) Paint(c Canvas) {
	c.Fill(image.Rect(0, 0, 100, 100), s.col)
	c.Fill(image.Rect(0, 0, 100, 1), color.RGBA{A: 255})
}

func TestCrossFade(t *testing.T) {
	start := time.Unix(1000, 0)
	r := New(&sheet{color.RGBA{R: 200, A: 255}}, image.Pt(20, 10))
	r.CrossFade(time.Second) // this call has no effect, because there is no picture to fade from
	r.Step(start)
	if got := r.Frame().RGBAAt(5, 5); got.R != 200 {
		t.Fatalf("the first frame: got %v, want it at once", got)
	}
	r.CrossFade(time.Second)
	r.SetRoot(&sheet{color.RGBA{B: 100, A: 255}})
	for _, tc := range []struct {
		after time.Duration
		want  color.RGBA
	}{
		{0, color.RGBA{R: 200, A: 255}}, {500 * time.Millisecond, color.RGBA{R: 100, B: 50, A: 255}}, {time.Second, color.RGBA{B: 100, A: 255}},
	} {
		damage, next := r.Step(start.Add(tc.after))
		if got := r.Frame().RGBAAt(5, 5); got != tc.want {
			t.Errorf("after %v: got %v, want %v", tc.after, got, tc.want)
		}
		if last := tc.after == time.Second; last != next.IsZero() || len(damage) == 0 {
			t.Errorf("after %v: next %v, damage %v", tc.after, next, damage)
		}
	}
	if damage, next := r.Step(start.Add(2 * time.Second)); len(damage) > 0 || !next.IsZero() || r.fade != nil {
		t.Errorf("after the end: damage %v, next %v; want nothing to do, and the memory given back", damage, next)
	}
}

// An unchanged row is not mixed and not shown again. In this test, the first row never changes.
func TestCrossFadeDamage(t *testing.T) {
	start := time.Unix(1000, 0)
	r := New(&sheet{color.RGBA{R: 200, A: 255}}, image.Pt(20, 10))
	r.Step(start)
	r.CrossFade(time.Second)
	r.SetRoot(&sheet{color.RGBA{B: 100, A: 255}})
	r.Step(start)
	damage, _ := r.Step(start.Add(time.Second / 2))
	if len(damage) != 1 || damage[0] != image.Rect(0, 1, 20, 10) {
		t.Errorf("got damage %v, want all rows but the first", damage)
	}
}

func TestCrossFadeAllocatesNothing(t *testing.T) {
	now := time.Unix(1000, 0)
	r := New(&sheet{color.RGBA{R: 200, A: 255}}, image.Pt(20, 10))
	r.Step(now)
	r.CrossFade(time.Hour)
	r.SetRoot(&sheet{color.RGBA{B: 100, A: 255}})
	n := testing.AllocsPerRun(20, func() { now = now.Add(time.Minute); r.Step(now) })
	if n != 0 {
		t.Errorf("got %v allocations a frame, want 0", n)
	}
}

// BenchmarkCrossFade measures one frame of a fade of a whole screen.
func BenchmarkCrossFade(b *testing.B) {
	now := time.Unix(1000, 0)
	r := New(&sheet{color.RGBA{R: 200, A: 255}}, image.Pt(1920, 1080))
	r.Step(now)
	r.CrossFade(1000 * time.Hour)
	r.SetRoot(&sheet{color.RGBA{B: 100, A: 255}})
	r.Step(now)
	now = now.Add(time.Hour)
	for b.Loop() {
		now = now.Add(time.Second)
		r.Step(now)
	}
}
