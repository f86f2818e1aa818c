package kit

import (
	"time"

	"dashboard/render"
)

// Urgent is a widget that reports the urgency of its content.
type Urgent interface {
	// Urgency returns 0 for normal content, up to 1 for content that needs attention now.
	Urgency(now time.Time) float64
}

// UrgencyOf returns the urgency of a widget inside its guard and its frame. For other widgets it returns 0.
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
