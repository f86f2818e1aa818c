package arrange

import (
	"image"
	"math"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// Sliding is the parameters of widgets that show one child at a time.
type Sliding struct {
	// Duration of the slide to the next child. 0 shows the child at once.
	Transition float64 `yaml:"transition" default:"1" min:"0" max:"3600" unit:"s"`
	// Easing of the slide. 1 is even.
	Ease float64 `yaml:"ease" default:"2" min:"0" max:"100"`
}

// Slider shows one of its children, and slides from one to the next.
type Slider struct {
	size       image.Point
	Children   []render.Widget
	transition time.Duration
	ease       float64

	Shown   int       // index of the child that is shown, or slides out
	next    int       // index of the child that slides in
	Sliding bool      // from shown to next
	since   time.Time // when the slide began
	offset  int       // px that shown has moved to the left
}

// NewSlider builds the children of s and shows the first.
func NewSlider(b *kit.Builder, s *kit.Spec, p Sliding, size image.Point) Slider {
	length := time.Duration(p.Transition * float64(time.Second))
	if b.Reduced {
		length = 0
	}
	return Slider{size: size, Children: b.Children(s, size), ease: p.Ease, transition: length}
}

// Jump shows a child at once.
func (s *Slider) Jump(t render.Tick, to int) {
	if to != s.Shown || s.Sliding {
		s.Shown, s.Sliding, s.offset = to, false, 0
		t.DamageAll()
	}
}

// Slide begins to show another child, unless a slide is under way; ask again after it.
func (s *Slider) Slide(t render.Tick, to int) {
	switch {
	case s.Sliding || to == s.Shown:
	case s.transition <= 0:
		s.Jump(t, to)
	default:
		s.next, s.Sliding, s.since = to, true, t.Now()
	}
}

// Move brings a slide that is under way to now. A clock set back ends it.
func (s *Slider) Move(t render.Tick) {
	if !s.Sliding {
		return
	}
	elapsed := t.Now().Sub(s.since)
	if elapsed >= s.transition || elapsed < 0 {
		s.Jump(t, s.next)
		return
	}
	offset := int(float64(s.size.X) * eased(float64(elapsed)/float64(s.transition), s.ease))
	if offset != s.offset {
		s.offset = offset
		t.DamageAll()
	}
	t.Wake(t.Now())
}

// eased is how far a slide has come, from 0 to 1, at the share x of its time.
func eased(x, ease float64) float64 {
	in, out := math.Pow(x, ease), math.Pow(1-x, ease)
	if in+out == 0 {
		return math.Round(x) // both too small to see, in the middle of a very soft slide
	}
	return in / (in + out)
}

// places returns where the child that is shown stands, and where the next one does.
func (s *Slider) places() (shown, next image.Rectangle) {
	shown = image.Rectangle{Max: s.size}.Sub(image.Pt(s.offset, 0))
	return shown, shown.Add(image.Pt(s.size.X, 0))
}

// Advance ticks all children; those out of view keep time unseen.
func (s *Slider) Advance(t render.Tick) {
	shown, next := s.places()
	for i, child := range s.Children {
		switch {
		case i == s.Shown:
			child.Update(t.In(shown))
		case i == s.next && s.Sliding:
			child.Update(t.In(next))
		default:
			child.Update(t.Hidden())
		}
	}
}

// Paint implements render.Widget.
func (s *Slider) Paint(c render.Canvas) {
	shown, next := s.places()
	c = c.In(image.Rectangle{Max: s.size})
	if c.Sees(shown) {
		s.Children[s.Shown].Paint(c.In(shown))
	}
	if s.Sliding && c.Sees(next) {
		s.Children[s.next].Paint(c.In(next))
	}
}

// Reach implements kit.Holder.
func (s *Slider) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	shown, next := s.places()
	if s.Sliding && p.In(next) {
		return each(s.Children[s.next], p.Sub(next.Min))
	}
	return len(s.Children) > 0 && p.In(shown) && each(s.Children[s.Shown], p.Sub(shown.Min))
}
