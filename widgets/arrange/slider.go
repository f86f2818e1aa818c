package arrange

import (
	"image"
	"math"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// Sliding holds the parameters of widgets that show one child at a time.
type Sliding struct {
	// Duration of the animation. 0 shows the child at once.
	Transition float64 `yaml:"transition" default:"1" min:"0" max:"3600" unit:"s"`
	// Easing of the animation. 1 is a constant speed.
	Ease float64 `yaml:"ease" default:"2" min:"0" max:"100"`
}

// Slider shows one of its children, and slides to the next.
type Slider struct {
	size       image.Point
	Children   []render.Widget
	transition time.Duration
	ease       float64

	Shown   int       // index of the child that is shown or slides out
	next    int       // index of the child that slides in
	Sliding bool      // true during the slide from Shown to next
	since   time.Time // start time of the slide
	offset  int       // distance in px by which Shown has moved to the left
}

// NewSlider builds the children of s and shows the first child.
func NewSlider(b *kit.Builder, s *kit.Spec, p Sliding, size image.Point) Slider {
	length := time.Duration(p.Transition * float64(time.Second))
	if b.Reduced {
		length = 0
	}
	return Slider{size: size, Children: b.Children(s, size), ease: p.Ease, transition: length}
}

// Jump shows a child immediately, without a slide.
func (s *Slider) Jump(t render.Tick, to int) {
	if to != s.Shown || s.Sliding {
		s.Shown, s.Sliding, s.offset = to, false, 0
		t.DamageAll()
	}
}

// Slide starts the slide to another child. During a slide, it does nothing, and the caller must call it again later.
func (s *Slider) Slide(t render.Tick, to int) {
	switch {
	case s.Sliding || to == s.Shown:
	case s.transition <= 0:
		s.Jump(t, to)
	default:
		s.next, s.Sliding, s.since = to, true, t.Now()
	}
}

// Move updates the position of the current slide. If the clock was set back, the slide ends.
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

// eased() returns the progress of a slide, from 0 to 1. x is the elapsed share of its duration.
func eased(x, ease float64) float64 {
	in, out := math.Pow(x, ease), math.Pow(1-x, ease)
	if in+out == 0 {
		return math.Round(x) // with a large ease, both powers underflow near the middle of the slide
	}
	return in / (in + out)
}

// places() returns the rectangles of the shown child and of the next child.
func (s *Slider) places() (shown, next image.Rectangle) {
	shown = image.Rectangle{Max: s.size}.Sub(image.Pt(s.offset, 0))
	return shown, shown.Add(image.Pt(s.size.X, 0))
}

// Advance updates all children. Children that are not visible get hidden ticks.
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
