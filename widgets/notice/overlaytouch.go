package notice

import (
	"image"

	"dashboard/control"
	"dashboard/control/verb"
)

// at() returns the notification that receives a tap at a point. `over` reports whether a notification covers the point or the wall is
// darkened.
func (w *overlay) at(p image.Point) (n *notice, over bool) {
	for _, n := range w.notices {
		if !n.going && p.In(n.rect.Add(n.off)) {
			return n, true
		}
	}
	if w.dim.to == 0 {
		return nil, false
	}
	for _, n := range w.notices { // a tap next to the cards goes to the first card
		if !n.going {
			return n, true
		}
	}
	return nil, true
}

// Covers implements Front.
func (w *overlay) Covers(p image.Point) bool {
	_, over := w.at(p)
	return over
}

// Tapped implements Front. A tap on a button selects the action of the button. A tap on another part of a notification dismisses the
// notification. While the wall is darkened, a tap next to the notifications dismisses the first notification.
func (w *overlay) Tapped(p image.Point) (control.Action, bool) {
	by := control.Caller{From: "notifications"}
	n, _ := w.at(p)
	if n == nil {
		return control.Action{}, false // no notification receives the tap
	}
	if i := n.chosen(p); i >= 0 {
		return control.Action{By: by, Verb: "choose", Args: verb.Args{"id": n.n.ID, "action": i + 1}}, true
	}
	return control.Action{By: by}, w.dismiss(n)
}

// dismiss() removes a notification.
func (w *overlay) dismiss(n *notice) bool { return w.inbox.Dismiss(n.n) }
