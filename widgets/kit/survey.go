package kit

import (
	"image"

	"dashboard/render"
)

// An Area is where a widget is on the frame.
type Area struct {
	Kind, Name, Pos string
	Bounds          image.Rectangle // px; its visible part
}

// A Survey notes which widgets paint where, while it is taken. A tree has one, or none.
type Survey struct {
	under bool // one is taken now
	areas []Area
	taps  []Handle
}

// Take paints the tree of a renderer once more, which changes no pixel, and returns the widgets that are
// seen on its frame: those behind first. It has to be called where the renderer may be used.
func (s *Survey) Take(r *render.Renderer) []Area {
	s.areas, s.taps, s.under = nil, nil, true
	r.Trace()
	s.under = false
	return s.areas
}

// Handles returns the places of the last survey that take taps, those behind first.
func (s *Survey) Handles() []Handle { return s.taps }

// see notes a widget that paints itself.
func (s *Survey) see(g *Guard, c render.Canvas) {
	if s == nil || !s.under {
		return
	}
	if at := (image.Rectangle{Max: g.size}).Add(c.Org).Intersect(c.Clip).Add(c.Base); !at.Empty() {
		s.areas = append(s.areas, Area{Kind: g.kind, Name: g.name, Pos: g.pos, Bounds: at})
		s.handles(g, c, at)
	}
}
