package arrange

import (
	"image"
	"image/color"
	"strings"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

const turningPages = "widgets: [{widget: pages, dwell: 10s, margin: 0, transition: {kind: KIND, duration: 2s, ease: 1}, children: [{widget: empty, color: red}, {widget: empty, color: blue}]}]"

// turning() returns a wall of two pages in the middle of its first transition.
func turning(t *testing.T, kind string, reduced bool) (*render.Renderer, time.Time) {
	t.Helper()
	s, r := walltest.Parse(t, strings.Replace(turningPages, "KIND", kind, 1))
	e := walltest.TestEnv()
	e.Reduced = reduced
	root := screen.Build(walltest.Builder(e), s, image.Pt(100, 60))
	if r.Failed() {
		t.Fatal(r)
	}
	show, now := render.New(root, image.Pt(100, 60)), time.Unix(1000, 0)
	show.Step(now)
	show.Step(now.Add(10 * time.Second))
	show.Step(now.Add(11 * time.Second))
	return show, now.Add(11 * time.Second)
}

// TestTransitions checks that the picture in the middle of each transition shows half of the
// motion. With reduced motion, this picture already shows only the new page.
func TestTransitions(t *testing.T) {
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	for _, tc := range []struct {
		kind        string
		reduced     bool
		left, right color.RGBA
	}{
		{"slide", false, color.RGBA{204, 0, 0, 255}, blue}, {"push", false, red, blue}, {"none", false, blue, blue},
		{"fade", false, color.RGBA{0, 0, 78, 255}, color.RGBA{0, 0, 78, 255}},
		{"slide", true, blue, blue}, {"fade", true, blue, blue},
	} {
		show, now := turning(t, tc.kind, tc.reduced)
		if l, r := show.Frame().RGBAAt(10, 30), show.Frame().RGBAAt(90, 30); l != tc.left || r != tc.right {
			t.Errorf("%s, reduced %v: got %v and %v, want %v and %v", tc.kind, tc.reduced, l, r, tc.left, tc.right)
		}
		show.Step(now.Add(time.Second))
		if l := show.Frame().RGBAAt(10, 30); l != blue {
			t.Errorf("%s, at its end: got %v, want blue", tc.kind, l)
		}
	}
}

// TestTransitionsAllocateNothing checks that the frames of a running transition allocate no memory. The start and the end of a later
// transition allocate no memory either.
func TestTransitionsAllocateNothing(t *testing.T) {
	for _, kind := range []string{"slide", "push", "fade"} {
		show, now := turning(t, kind, false)
		if n := testing.AllocsPerRun(20, func() { now = now.Add(20 * time.Millisecond); show.Step(now) }); n != 0 {
			t.Errorf("%s: got %v allocations a frame, want 0", kind, n)
		}
		for range 3 {
			now = now.Add(10 * time.Second)
			show.Step(now)
			now = now.Add(3 * time.Second)
			show.Step(now)
		}
		if n := testing.AllocsPerRun(10, func() {
			now = now.Add(11 * time.Second)
			show.Step(now)
			now = now.Add(time.Second)
			show.Step(now)
			now = now.Add(3 * time.Second)
			show.Step(now)
		}); n != 0 {
			t.Errorf("%s: got %v allocations for a whole transition, want 0", kind, n)
		}
	}
}

// BenchmarkTransition draws one frame of a page transition in 1080p.
func BenchmarkTransition(b *testing.B) {
	for kind, m := range map[string]render.Motion{"slide": render.Slide, "push": render.Push, "fade": render.Fade} {
		b.Run(kind, func(b *testing.B) {
			size := image.Pt(1920, 1080)
			tr := render.NewTransition(size, m, render.Left)
			tr.Last.Begin(image.Rectangle{Max: size}, image.Point{}).Fill(image.Rectangle{Max: size}, color.RGBA{255, 0, 0, 255})
			tr.Next.Begin(image.Rectangle{Max: size}, image.Point{}).Fill(image.Rectangle{Max: size}, color.RGBA{0, 0, 255, 255})
			frame := image.NewRGBA(image.Rectangle{Max: size})
			c := render.Canvas{Dst: frame, Clip: frame.Rect}
			for b.Loop() {
				tr.Paint(c, 0.4)
			}
		})
	}
}

// TestPace checks the default easing of a transition. At the start, the transition is at least twice as fast as with a constant speed. It
// never moves back and is complete at the end.
func TestPace(t *testing.T) {
	m := transition{motion: render.Slide}
	before := 0.0
	for i := 1; i <= 100; i++ {
		x := float64(i) / 100
		at := m.pace(x)
		if at < before || at > 1.0001 {
			t.Fatalf("at %v: %v after %v", x, at, before)
		}
		before = at
	}
	if got := m.pace(0.25); got < 0.5 {
		t.Errorf("after a quarter of its time a slide is at %.2f of its way", got)
	}
	if got := m.pace(1); got < 0.9999 {
		t.Errorf("ends at %v", got)
	}
}
