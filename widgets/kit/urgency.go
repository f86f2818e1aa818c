package kit

import (
	"time"

	"dashboard/render"
)

// Urgent is a widget that reports how urgent its content is.
type Urgent interface {
	// Urgency is 0 for usual content, up to 1 for content that needs attention now.
	Urgency(now time.Time) float64
}

// UrgencyOf is the urgency of a widget inside its guard and its frame. Other widgets have none.
func UrgencyOf(w render.Widget, now time.Time) float64 {
	if g, ok := w.(*Guard); ok {
		w = g.Inner
	}
	f, ok := w.(*Frame)
	if ok {
		w = f.Inner
	}
	if u, urgent := w.(Urgent); urgent && (!ok || f.Shown) {
		return min(1, max(0, u.Urgency(now)))
	}
	return 0
}
