package kit

import (
	"image"

	"dashboard/config/value"
	"dashboard/control"
	"dashboard/control/touch"
	"dashboard/render"
)

// A Holder is a widget that contains other widgets.
type Holder interface {
	// Reach calls `each` for the widgets at a point, from front to back, until a call returns true.
	// Each call gets the point in the coordinates of the widget.
	Reach(p image.Point, each func(w render.Widget, p image.Point) bool) bool
}

// A Tappable is a widget with parts that react to taps.
type Tappable interface {
	// Tap returns the action of a tap at a point. It returns false if the point does not react to taps. A zero action means that the
	// widget has already handled the tap.
	Tap(p image.Point) (control.Action, bool)
}

// Touched calls f for the widgets at a point until f returns true. It starts with the innermost widget and goes outward.
func Touched(w render.Widget, p image.Point, f func(g *Guard, p image.Point) bool) bool {
	if g, ok := w.(*Guard); ok {
		if g.down {
			return false
		}
		return g.within(p, f) || f(g, p)
	}
	h, ok := w.(Holder)
	return ok && h.Reach(p, func(w render.Widget, p image.Point) bool { return Touched(w, p, f) })
}

// within() is like Touched, but it starts with the content of a guard.
func (g *Guard) within(p image.Point, f func(*Guard, image.Point) bool) bool {
	defer g.contain()
	return Touched(g.Inner, p, f)
}

// Content returns the widget without its guard and its frame, and the position of the widget in the guard.
func (g *Guard) Content() (render.Widget, image.Point) {
	if f, ok := g.Inner.(*Frame); ok {
		return f.Inner, f.Body.Min
	}
	return g.Inner, image.Point{}
}

// Tap calls Tap of the widget's content, and recovers from a panic of the content. The widget becomes the caller of the returned action.
func (g *Guard) Tap(t Tappable, p image.Point) (a control.Action, ok bool) {
	defer g.contain()
	a, ok = t.Tap(p)
	a.By.From = g.name
	return a, ok
}

// Common returns the common parameters of the widget.
func (g *Guard) Common() *Common {
	if g.spec.common == nil {
		return &noCommon
	}
	return g.spec.common
}

var noCommon Common

// Asked returns a copy of the action `on` whose caller is the widget. A toggle gets the entity of the widget.
func (g *Guard) Asked(on *control.Action) control.Action {
	a := *on
	if a.Verb == control.Toggle {
		own := thingOf(g.spec)
		a = control.Toggled(own.Entity.ID, own.Provider)
	}
	a.By.From = g.name
	return a
}

// thingOf returns the entity of a widget. It returns a zero Thing if the widget has no entity.
func thingOf(s *Spec) Thing {
	var own struct {
		Entity   *value.Entity `yaml:"entity"`
		Provider string        `yaml:"provider"`
	}
	if s.DecodeCommon == nil || !s.DecodeCommon(&own) {
		return Thing{}
	}
	return Thing{Entity: own.Entity, Provider: own.Provider}
}

// Of returns the action for a swipe direction, or nil if the file sets none.
func (s *Swipes) Of(d touch.Direction) *control.Action {
	if s == nil {
		return nil
	}
	return [...]*control.Action{s.Left, s.Right, s.Up, s.Down}[d&3]
}

// ReachAll implements Reach for children in rectangles. The last child is in front.
func ReachAll(p image.Point, all []*Child, each func(render.Widget, image.Point) bool) bool {
	for i := len(all) - 1; i >= 0; i-- {
		if k := all[i]; k.Shown && p.In(k.Rect) && each(k.Widget, p.Sub(k.Rect.Min)) {
			return true
		}
	}
	return false
}
