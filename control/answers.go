package control

import (
	"time"

	"dashboard/control/page"
	"dashboard/control/power"
	"dashboard/control/timer"
)

// PageFields returns the state of a widget with pages, for a JSON answer.
func PageFields(st page.Status) Result {
	return Result{
		"name": OrNull(st.Name), "page": st.Page, "why": st.Why, "rule": OrNull(st.Rule), "at": st.At,
		"since": Moment(st.Since), "until": Moment(st.Until), "pages": st.Names,
	}
}

// PowerFields returns the state of a view's screens, for a JSON answer. The list `screens` contains the result of the last switch of each
// screen.
func PowerFields(st power.State) Result {
	screens := []any{}
	for _, r := range st.Screens {
		screens = append(screens, Result{
			"screen": r.Screen, "backend": OrNull(r.Backend), "dimmer": OrNull(r.Dimmer), "problem": OrNull(r.Problem),
		})
	}
	f := Result{"on": st.On, "why": st.Why, "hand": st.Hand.String(), "hand_until": nil, "brightness": nil, "screens": screens,
		"brightness_by": OrNull(st.By), "brightness_rule": st.Ruled,
	}
	if !st.HandUntil.IsZero() {
		f["hand_until"] = st.HandUntil.UTC().Format(time.RFC3339)
	}
	if st.Level >= 0 {
		f["brightness"] = st.Level
	}
	return f
}

// ThemeFields returns the state of a view's theme, for a JSON answer.
func ThemeFields(t ThemeState) Result {
	return Result{"mode": t.Mode, "following_sun": t.FollowingSun, "held_until": Moment(t.HeldUntil)}
}

// TimerFields returns the state of a timer, for a JSON answer. Durations are in seconds.
func TimerFields(t timer.Status) Result {
	f := Result{
		"name": t.Name, "label": t.Label, "state": t.State, "duration": nil, "left": nil,
		"passed": t.Passed.Seconds(), "ends_at": Moment(t.EndsAt),
	}
	if t.Usual > 0 {
		f["usual"] = t.Usual.Seconds()
	}
	if t.Duration > 0 {
		f["duration"], f["left"] = t.Duration.Seconds(), t.Left.Seconds()
	}
	return f
}

// Moment formats a time as ISO 8601 in UTC. It includes microseconds only if they are not zero. For the zero time it returns nil, which
// is null in JSON.
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

// OrNull returns s, or nil (null in JSON) if s is "".
func OrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
