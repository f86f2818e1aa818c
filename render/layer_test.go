package render

import (
	"bytes"
	"image"
	"image/color"
	"testing"
)

// halves() returns a transition from red to blue. Both layers are opaque.
func halves(m Motion, to Direction) *Transition {
	t := NewTransition(image.Pt(8, 4), m, to)
	for _, l := range []*Layer{t.Last, t.Next} {
		l.Opaque = true
	}
	t.Last.Begin(t.Last.Bounds(), image.Point{}).Fill(t.Last.Bounds(), color.RGBA{R: 255, A: 255})
	t.Next.Begin(t.Next.Bounds(), image.Point{}).Fill(t.Next.Bounds(), color.RGBA{B: 255, A: 255})
	return t
}

func TestTransition(t *testing.T) {
	r, b := color.RGBA{R: 255, A: 255}, color.RGBA{B: 255, A: 255}
	for _, tc := range []struct {
		name     string
		motion   Motion
		to       Direction
		progress float64
		at       image.Point
		want     color.RGBA
	}{
		{"push left: the last one leaves", Push, Left, 0.25, image.Pt(5, 0), r},
		{"push left: the next one comes", Push, Left, 0.25, image.Pt(6, 0), b},
		{"push right", Push, Right, 0.25, image.Pt(1, 0), b},
		{"slide up", Slide, Up, 0.5, image.Pt(0, 2), b},
		{"slide up: the last one darkens", Slide, Up, 0.5, image.Pt(0, 1), color.RGBA{R: 204, A: 255}},
		{"slide up: and moves a quarter", Slide, Up, 1 - 1e-9, image.Pt(0, 0), b},
		{"through: the last one leaves first", Through, Left, 0.14, image.Pt(3, 3), color.RGBA{R: 125, A: 125}},
		{"through: then the next one comes", Through, Left, 0.64, image.Pt(3, 3), color.RGBA{B: 128, A: 128}},
		{"slide down", Slide, Down, 0.5, image.Pt(0, 1), b},
		{"fade", Fade, Left, 0.5, image.Pt(3, 3), color.RGBA{R: 128, B: 128, A: 255}},
		{"cut begins", Cut, Left, 0, image.Pt(3, 3), r},
		{"cut ends", Cut, Left, 1, image.Pt(3, 3), b},
		{"beyond the end", Push, Down, 7, image.Pt(3, 3), b},
		{"before the start", Push, Down, -7, image.Pt(3, 3), r},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := image.NewRGBA(image.Rect(0, 0, 8, 4))
			halves(tc.motion, tc.to).Paint(NewCanvas(m), tc.progress)
			if got := m.RGBAAt(tc.at.X, tc.at.Y); got != tc.want {
				t.Errorf("at %v: got %v, want %v", tc.at, got, tc.want)
			}
		})
	}
}

// TestTransitionStepIsEnough: two pictures of the same step must be equal, because the transition is repainted only at a new step.
func TestTransitionStepIsEnough(t *testing.T) {
	for _, motion := range []Motion{Cut, Slide, Push, Fade, Through} {
		tr := halves(motion, Left)
		pictures := map[int][]uint8{}
		for i := range 1001 {
			progress := float64(i) / 1000
			m := image.NewRGBA(image.Rect(0, 0, 8, 4))
			tr.Paint(NewCanvas(m), progress)
			step := tr.Step(progress)
			if pictures[step] == nil {
				pictures[step] = m.Pix
			}
			if !bytes.Equal(m.Pix, pictures[step]) {
				t.Fatalf("motion %d: the pictures of step %d differ", motion, step)
			}
		}
	}
}

func TestTransitionStep(t *testing.T) {
	tr := halves(Push, Left)
	if a, b := tr.Step(0.5), tr.Step(0.55); a != 4 || b != 4 {
		t.Errorf("got steps %d and %d of 8 px, want 4", a, b)
	}
	if tr.Motion = Fade; tr.Step(0.5) != 64 {
		t.Errorf("got step %d of a fade, want 64", tr.Step(0.5))
	}
}

// Under a layer with transparent pixels, the background stays visible.
func TestLayerOpacity(t *testing.T) {
	l := NewLayer(image.Pt(4, 1))
	l.Begin(l.Bounds(), image.Point{}).Fill(image.Rect(0, 0, 2, 1), white)
	m := image.NewRGBA(image.Rect(0, 0, 4, 1))
	c := NewCanvas(m)
	c.Fill(m.Rect, color.RGBA{A: 255})
	l.Show(c, image.Point{}, 51)
	if a, b := m.RGBAAt(0, 0), m.RGBAAt(3, 0); a != (color.RGBA{51, 51, 51, 255}) || b != (color.RGBA{A: 255}) {
		t.Errorf("got %v and %v, want a fifth of white, and black", a, b)
	}
	if l.Begin(image.Rect(0, 0, 1, 1), image.Point{}); l.pic.RGBAAt(0, 0).A != 0 || l.pic.RGBAAt(1, 0).A != 255 {
		t.Error("Begin must clear what it is told to, and no more")
	}
}

func TestTransitionAllocatesNothing(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 8, 4))
	for _, tr := range []*Transition{halves(Push, Left), halves(Fade, Left), NewTransition(image.Pt(8, 4), Fade, Up)} {
		if n := testing.AllocsPerRun(10, func() { tr.Paint(NewCanvas(m), 0.3) }); n != 0 {
			t.Errorf("motion %d: got %v allocations, want 0", tr.Motion, n)
		}
	}
}
