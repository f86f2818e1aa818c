package widgets

import (
	"image"

	"dashboard/render"
)

// reachAll is reach for children that stand in rectangles, the last in front.
func reachAll(p image.Point, all []*child, each func(render.Widget, image.Point) bool) bool {
	for i := len(all) - 1; i >= 0; i-- {
		if k := all[i]; k.shown && p.In(k.rect) && each(k.widget, p.Sub(k.rect.Min)) {
			return true
		}
	}
	return false
}

func (w *line) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return reachAll(p, w.children, each)
}

func (w *widgetList) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return reachAll(p, w.kids, each)
}

func (w *layout) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return reachAll(p, w.children, each)
}

func (w *stack) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return reachAll(p, w.children, each)
}

func (w *card) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return w.column != nil && p.In(w.below) && each(w.column, p.Sub(w.below.Min))
}

func (w *frame) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return w.shown && w.opaque > 0 && w.values.failed.IsZero() && p.In(w.body) && each(w.inner, p.Sub(w.body.Min))
}

// A page that is dragged is the one that is touched.
func (w *pages) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return each(w.children[w.current].widget, p)
}

func (g *grid) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	for i := range g.cells {
		if c := &g.cells[i]; p.In(c.rect) {
			return each(c.child, p.Sub(c.rect.Min))
		}
	}
	return false
}

func (l *label) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return p.In(l.room) && each(l.child, p.Sub(l.room.Min))
}

func (w *pill) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return p.In(w.badgeAt) && each(w.badge, p.Sub(w.badgeAt.Min)) || p.In(w.baseAt) && each(w.base, p.Sub(w.baseAt.Min))
}

func (w *notifiableText) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return !w.covers && each(w.child, p)
}

func (w *notifiableImage) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return each(w.child, p)
}

func (s *slider) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	shown, next := s.places()
	if s.sliding && p.In(next) {
		return each(s.children[s.next], p.Sub(next.Min))
	}
	return len(s.children) > 0 && p.In(shown) && each(s.children[s.shown], p.Sub(shown.Min))
}
