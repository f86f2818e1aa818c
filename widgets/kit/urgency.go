package kit

import (
	"time"

	"dashboard/render"
	"dashboard/widgets/kit/format"
)

// Urgent is a widget that rates how urgent its content is.
type Urgent interface {
	// Urgency returns a number from 0 for normal content to 1 for content that needs attention now.
	Urgency(now time.Time) float64
}

// UrgencyOf returns the urgency of a widget, which may be inside a guard and a frame. If the widget does not implement Urgent, or if it
// is hidden, UrgencyOf returns 0.
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

// UrgencyOfValue returns 1 for a value in the color "bad". For other values, it returns 0.
func (b *Builder) UrgencyOfValue(said *format.Shown) float64 {
	if b.AlarmRole(said) == "bad" {
		return 1
	}
	return 0
}
