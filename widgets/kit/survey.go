package kit

import (
	"image"

	"dashboard/render"
)

// An Area is the position of a widget on the frame.
type Area struct {
	Kind, Name, Pos string
	Bounds          image.Rectangle // visible part, in px
}

// A Survey records the widgets and their positions during one paint. A tree has at most one survey.
type Survey struct {
	under bool // true while the survey records
	areas []Area
	taps  []Handle
}

// Take paints the tree of a renderer once more, without changing pixels. It returns the visible widgets, from back to front. It
// must be called in a goroutine that may use the renderer.
func (s *Survey) Take(r *render.Renderer) []Area {
	s.areas, s.taps, s.under = nil, nil, true
	r.Trace()
	s.under = false
	return s.areas
}

// Handles returns the parts that react to taps in the last survey, from back to front.
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
