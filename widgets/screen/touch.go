package screen

import (
	"image"
	"time"

	"dashboard/control"
	"dashboard/control/touch"
	"dashboard/widgets/kit"
)

// Touch handles a gesture. It returns the action of the gesture, with the touched widget as the action's caller. If there is no action,
// ok is false. If `twice` is not nil, the caller of Touch must wait for a second tap before it runs the action. If the second tap comes,
// the caller of Touch must run *twice instead of the action. Touch must be called between two passes, in the goroutine that paints.
func (w *Screen) Touch(g touch.Gesture, now time.Time) (a control.Action, twice *control.Action, ok bool) {
	if w.front(g.From) == nil && w.woken(g.Kind, now) {
		w.release(now)
		return control.Action{}, nil, false
	}
	switch g.Kind {
	case touch.Tap:
		return w.tapped(g.From)
	case touch.Hold:
		a, ok = w.find(g.From, func(t *kit.Guard) *control.Action { return t.Common().OnHold })
	case touch.Drag:
		w.dragged(g, now)
	case touch.Cancel, touch.Up:
		w.release(now)
	case touch.Swipe:
		a, ok = w.swiped(g, now)
	}
	return a, nil, ok
}

// woken() reports whether a gesture belongs to a touch that shows the whole wall. All gestures of this touch have no other effect, because
// the finger is lifted when the wall is already visible.
func (w *Screen) woken(k touch.Kind, now time.Time) bool {
	red, glance := w.red.touch(now), w.glance.touch(now) // both, because one touch shows the whole wall
	woken := red || glance || w.waking && k != touch.Down
	w.waking = woken && (k == touch.Down || k == touch.Drag || k == touch.Hold)
	return woken
}

// tapped() returns the action of a tap. If a notification covers the point, the layer of the notifications handles the tap. Otherwise, the
// action comes from the innermost widget that reacts to taps.
func (w *Screen) tapped(p image.Point) (a control.Action, twice *control.Action, ok bool) {
	if f := w.front(p); f != nil {
		a, ok = f.Tapped(p)
		return a, nil, ok
	}
	ok = kit.Touched(w.Child, p, func(g *kit.Guard, p image.Point) bool {
		if both := g.Common().OnDoubleTap; both != nil && twice == nil {
			asked := g.Asked(both)
			twice = &asked
		}
		in, at := g.Content()
		if t, is := in.(kit.Tappable); is {
			if asked, taken := g.Tap(t, p.Sub(at)); taken {
				a = asked
				return true
			}
		}
		if on := g.Common().OnTap; on != nil {
			a = g.Asked(on)
			return true
		}
		return false
	})
	if twice != nil {
		a.By.From = twice.By.From
	}
	return a, twice, ok || twice != nil
}

// front() returns the layer that hides the widgets at a point, or nil if the widgets are visible.
func (w *Screen) front(p image.Point) Front {
	for _, l := range w.Layers {
		if f, ok := l.(Front); ok && f.Covers(p) {
			return f
		}
	}
	return nil
}

// find returns the action that `of` returns for the innermost widget at a point. It skips widgets for which `of` returns nil.
func (w *Screen) find(p image.Point, of func(*kit.Guard) *control.Action) (a control.Action, ok bool) {
	ok = kit.Touched(w.Child, p, func(g *kit.Guard, _ image.Point) bool {
		on := of(g)
		if on != nil {
			a = g.Asked(on)
		}
		return on != nil
	})
	return a, ok
}

// swipes() returns the widget that handles a swipe: either a widget with an action for the direction, or a widget with pages. If both
// exist, the innermost of them handles the swipe.
func (w *Screen) swipes(g touch.Gesture) (by *kit.Guard, turn Turner) {
	if w.front(g.From) != nil {
		return nil, nil
	}
	kit.Touched(w.Child, g.From, func(t *kit.Guard, _ image.Point) bool {
		if t.Common().OnSwipe.Of(g.To) != nil {
			by = t
			return true
		}
		in, _ := t.Content()
		if p, ok := in.(Turner); ok && g.To.Sideways() && p.Several() {
			turn = p
			return true
		}
		return false
	})
	return by, turn
}

// dragged() moves pages with the finger, if the pages handle swipes in this direction.
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

// sought identifies a drag whose widget is already known, so that the widget is searched only once.
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

// swiped() returns the action of a swipe, or turns pages.
func (w *Screen) swiped(g touch.Gesture, now time.Time) (control.Action, bool) {
	by, turn := w.swipes(g)
	if by != nil {
		w.release(now)
		return by.Asked(by.Common().OnSwipe.Of(g.To)), true
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
