package widgets

import (
	"image"

	"dashboard/control/notify"
)

// at is the notification in front at a point; over reports whether the wall there is not meant, because it is darkened or one is
// in front of it.
func (w *overlay) at(p image.Point) (n *notice, over bool) {
	if w == nil {
		return nil, false
	}
	for _, n := range w.notices {
		if !n.going && p.In(n.rect.Add(n.off)) {
			return n, true
		}
	}
	if w.dim.to == 0 {
		return nil, false
	}
	for _, n := range w.notices { // beside a card: the first goes
		if !n.going {
			return n, true
		}
	}
	return nil, true
}

// dismiss has a notification go.
func (w *overlay) dismiss(n *notice) bool { return w.inbox.Dismiss(n.n) }

// tap implements tappable: a notification goes.
func (w *notifiableText) tap(image.Point) (Wish, bool) { return dismissed(w.inbox, w.shown) }

// tap implements tappable: a notification goes.
func (w *notifiableImage) tap(image.Point) (Wish, bool) { return dismissed(w.inbox, w.shown) }

func dismissed(in *notify.Inbox, n *notify.Notification) (Wish, bool) {
	return Wish{}, n != nil && in.Dismiss(n)
}
