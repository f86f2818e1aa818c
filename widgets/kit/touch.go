package kit

import (
	"image"
	"time"

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

// touched calls f for the widgets at a point until f returns true. It starts with the innermost widget and goes outward.
func touched(w render.Widget, p image.Point, f func(g *Guard, p image.Point) bool) bool {
	if g, ok := w.(*Guard); ok {
		if g.down {
			return false
		}
		return g.within(p, f) || f(g, p)
	}
	h, ok := w.(Holder)
	return ok && h.Reach(p, func(w render.Widget, p image.Point) bool { return touched(w, p, f) })
}

// within is like touched, but it starts with the content of a guard.
func (g *Guard) within(p image.Point, f func(*Guard, image.Point) bool) bool {
	defer g.contain()
	return touched(g.Inner, p, f)
}

// content returns the widget without its guard and its frame, and the position of the widget in the guard.
func (g *Guard) content() (render.Widget, image.Point) {
	if f, ok := g.Inner.(*Frame); ok {
		return f.Inner, f.Body.Min
	}
	return g.Inner, image.Point{}
}

// Touch handles a gesture. It returns the action of the gesture, with the touched widget as its caller, and false if there is no action.
// If twice is not nil, the caller must wait for a second tap before it runs the action. If the second tap comes, the caller runs *twice
// instead. Touch must be called between two passes, in the goroutine that paints.
func (w *Screen) Touch(g touch.Gesture, now time.Time) (a control.Action, twice *control.Action, ok bool) {
	if w.front(g.From) == nil && (w.red.touch(now) || w.glance.touch(now)) {
		w.release(now)
		return control.Action{}, nil, false
	}
	switch g.Kind {
	case touch.Tap:
		return w.tapped(g.From)
	case touch.Hold:
		a, ok = w.find(g.From, func(t *Guard) *control.Action { return t.common().OnHold })
	case touch.Drag:
		w.dragged(g, now)
	case touch.Cancel, touch.Up:
		w.release(now)
	case touch.Swipe:
		a, ok = w.swiped(g, now)
	}
	return a, nil, ok
}

// tapped returns the action of a tap. If a notification covers the point, the layer of the notifications handles the tap. Otherwise, the
// action comes from the innermost widget that reacts to taps.
func (w *Screen) tapped(p image.Point) (a control.Action, twice *control.Action, ok bool) {
	if f := w.front(p); f != nil {
		a, ok = f.Tapped(p)
		return a, nil, ok
	}
	ok = touched(w.Child, p, func(g *Guard, p image.Point) bool {
		if both := g.common().OnDoubleTap; both != nil && twice == nil {
			asked := g.asked(both)
			twice = &asked
		}
		in, at := g.content()
		if t, is := in.(Tappable); is {
			if asked, taken := g.tap(t, p.Sub(at)); taken {
				a = asked
				a.By.From = g.name
				return true
			}
		}
		if on := g.common().OnTap; on != nil {
			a = g.asked(on)
			return true
		}
		return false
	})
	if twice != nil {
		a.By.From = twice.By.From
	}
	return a, twice, ok || twice != nil
}

// front returns the layer that hides the widgets at a point, or nil if they are visible.
func (w *Screen) front(p image.Point) Front {
	for _, l := range w.Layers {
		if f, ok := l.(Front); ok && f.Covers(p) {
			return f
		}
	}
	return nil
}

// tap calls Tap of a widget, and recovers if the widget panics.
func (g *Guard) tap(t Tappable, p image.Point) (a control.Action, ok bool) {
	defer g.contain()
	return t.Tap(p)
}

// find returns the action that `of` returns for the innermost widget at a point. It skips widgets for which `of` returns nil.
func (w *Screen) find(p image.Point, of func(*Guard) *control.Action) (a control.Action, ok bool) {
	ok = touched(w.Child, p, func(g *Guard, _ image.Point) bool {
		on := of(g)
		if on != nil {
			a = g.asked(on)
		}
		return on != nil
	})
	return a, ok
}

// common returns the common parameters of the widget.
func (g *Guard) common() *Common {
	if g.spec.common == nil {
		return &noCommon
	}
	return g.spec.common
}

var noCommon Common

// asked returns an action whose caller is the widget. For a toggle, it fills in the widget's entity.
func (g *Guard) asked(on *control.Action) control.Action {
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

// of returns the action for a swipe direction, or nil if the file sets none.
func (s *Swipes) of(d touch.Direction) *control.Action {
	if s == nil {
		return nil
	}
	return [...]*control.Action{s.Left, s.Right, s.Up, s.Down}[d&3]
}

// swipes returns the widget that handles a swipe: either a widget with an action for the direction, or a widget with pages. If both
// exist, the inner widget handles the swipe.
func (w *Screen) swipes(g touch.Gesture) (by *Guard, turn Turner) {
	if w.front(g.From) != nil {
		return nil, nil
	}
	touched(w.Child, g.From, func(t *Guard, _ image.Point) bool {
		if t.common().OnSwipe.of(g.To) != nil {
			by = t
			return true
		}
		in, _ := t.content()
		if p, ok := in.(Turner); ok && g.To.Sideways() && p.Several() {
			turn = p
			return true
		}
		return false
	})
	return by, turn
}

// dragged moves pages with the finger, if the pages handle swipes in this direction.
func (w *Screen) dragged(g touch.Gesture, now time.Time) {
	if !w.sought.is(g) { // search only once for each drag, because a search allocates memory
		by, turn := w.swipes(g)
		if by != nil {
			turn = nil
		}
		if w.drags != nil && w.drags != turn {
			w.release(now)
		}
		w.drags, w.sought = turn, sought{true, g.From, g.To}
	}
	if w.drags != nil {
		w.drags.Drag(g.At.X - g.From.X)
	}
}

// sought identifies a drag for which the widget that handles it is already known.
type sought struct {
	any  bool
	from image.Point
	to   touch.Direction
}

func (s sought) is(g touch.Gesture) bool { return s == sought{true, g.From, g.To} }

// release ends a drag without a turn. The pages move back.
func (w *Screen) release(now time.Time) {
	w.sought = sought{}
	if w.drags != nil {
		w.drags.LetGo(now, false, 0)
		w.drags = nil
	}
}

// swiped returns the action of a swipe, or turns pages.
func (w *Screen) swiped(g touch.Gesture, now time.Time) (control.Action, bool) {
	by, turn := w.swipes(g)
	if by != nil {
		w.release(now)
		return by.asked(by.common().OnSwipe.of(g.To)), true
	}
	if turn == nil {
		w.release(now)
		return control.Action{}, false
	}
	if w.drags != turn {
		w.release(now)
	}
	w.drags, w.sought = nil, sought{}
	turn.Drag(g.At.X - g.From.X)
	way := 1
	if g.To == touch.Right {
		way = -1
	}
	turn.LetGo(now, true, way)
	return control.Action{By: control.Caller{From: "pages"}}, true
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
