package control

import (
	"time"

	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
)

// PageFields describes a widget with pages.
func PageFields(st page.Status) Result {
	return Result{
		"name": OrNull(st.Name), "page": st.Page, "why": st.Why, "rule": OrNull(st.Rule), "at": st.At,
		"since": Moment(st.Since), "until": Moment(st.Until), "pages": st.Names,
	}
}

// PowerFields describes the screens of a view. They are in their state after the last switching.
func PowerFields(st power.State) Result {
	screens := []any{}
	for _, r := range st.Screens {
		screens = append(screens, Result{
			"screen": r.Screen, "backend": OrNull(r.Backend), "dimmer": OrNull(r.Dimmer), "problem": OrNull(r.Problem),
		})
	}
	f := Result{"on": st.On, "why": st.Why, "hand": st.Hand.String(), "hand_until": nil, "brightness": nil, "screens": screens}
	if !st.HandUntil.IsZero() {
		f["hand_until"] = st.HandUntil.UTC().Format(time.RFC3339)
	}
	if st.Level >= 0 {
		f["brightness"] = st.Level
	}
	return f
}

// ThemeFields describes the theme of a view.
func ThemeFields(t ThemeState) Result {
	return Result{"mode": t.Mode, "following_sun": t.FollowingSun, "held_until": Moment(t.HeldUntil)}
}

// TimerFields describes a timer, with lengths in seconds.
func TimerFields(t timer.Status) Result {
	f := Result{
		"name": t.Name, "label": t.Label, "state": t.State, "duration": nil, "left": nil,
		"passed": t.Passed.Seconds(), "ends_at": Moment(t.EndsAt),
	}
	if t.Duration > 0 {
		f["duration"], f["left"] = t.Duration.Seconds(), t.Left.Seconds()
	}
	return f
}

// Moment formats a time as ISO 8601, UTC, with microseconds if there are any, or null for the zero time.
func Moment(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	layout := "2006-01-02T15:04:05.000000-07:00"
	if t = t.UTC().Truncate(time.Microsecond); t.Nanosecond() == 0 {
		layout = "2006-01-02T15:04:05-07:00"
	}
	return t.Format(layout)
}

// OrNull returns a text, or nil for "".
func OrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
