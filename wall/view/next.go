package view

import (
	"time"

	"dashboard/control/page"
	"dashboard/server"
)

// NextKnown returns the next time at which the view is known to change. It considers the rules of pages, the theme, and the parameter
// `due`. `due` is the time of the next change in the widgets. If no such time is known, it returns zero. It ignores the rotation of pages,
// because an e-reader would otherwise never sleep.
func (v *View) NextKnown(now, due time.Time) (next time.Time) {
	sooner := func(t time.Time) {
		if t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	sooner(due)
	for _, p := range v.Pages.List(now) {
		if p.Why != page.Turn && p.Why != page.Only {
			sooner(p.Until)
		}
	}
	if !v.Shown.Load().Single() {
		st := v.Themes.holder.At(v.Themes.Now())
		if sooner(st.HeldUntil); st.FollowingSun {
			sooner(st.NextChange)
		}
	}
	return next
}

// Health returns the description of the notifications for /healthz: the number of waiting
// notifications for each widget, and the state of the pictures.
func (n *notifier) Health() map[string]any {
	waiting := map[string]any{}
	for name, count := range n.board.Waiting {
		waiting[name] = count
	}
	st := n.Poster.Stats()
	return map[string]any{"waiting": waiting, "pictures_to_fetch": st.Fetching, "pictures_failed": st.Failed}
}

func (n *notifier) Measures(yield func(string, float64) bool) bool {
	for name, count := range n.board.Waiting {
		if !yield(server.MetricName("dashboard_notifications_waiting", "widget", name), float64(count)) {
			return false
		}
	}
	st := n.Poster.Stats()
	return yield("dashboard_notification_pictures_to_fetch", float64(st.Fetching)) &&
		yield("dashboard_notification_pictures_failed_total", float64(st.Failed))
}
