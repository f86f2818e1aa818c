package kit

import (
	"image"

	"dashboard/render"
)

// An Area is the position of a widget on the frame.
type Area struct {
	Kind, Name, Pos string
	Bounds          image.Rectangle // visible part of the widget, in px
}

// A Survey records the widgets of a tree and their positions while the tree is painted once. A tree has at most one Survey.
type Survey struct {
	under bool // true while the Survey records widgets
	areas []Area
	taps  []Handle
}

// Take paints the tree of a renderer without changing pixels. It returns the visible widgets, from back to front. Only the goroutine that
// uses the renderer may call it.
func (s *Survey) Take(r *render.Renderer) []Area {
	s.areas, s.taps, s.under = nil, nil, true
	r.Trace()
	s.under = false
	return s.areas
}

// Handles returns the parts that react to taps, as found by the last Take. They are sorted from back to front.
func (s *Survey) Handles() []Handle { return s.taps }

// see records a widget that is being painted.
func (s *Survey) see(g *Guard, c render.Canvas) {
	if s == nil || !s.under {
		return
	}
	if at := (image.Rectangle{Max: g.size}).Add(c.Org).Intersect(c.Clip).Add(c.Base); !at.Empty() {
		s.areas = append(s.areas, Area{Kind: g.kind, Name: g.name, Pos: g.pos, Bounds: at})
		s.handles(g, c, at)
	}
}
