package draft

import (
	"slices"
	"strings"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider"
	"dashboard/provider/calendar"
)

// Default and maximum of the number of days whose events are counted.
const (
	usualDays = 7
	mostDays  = 400
)

// stateOf describes a provider. The description contains the age of the provider's newest value and the error of its last attempt. For a
// calendar, the description also contains the numbers of events in the next days.
func stateOf(st provider.Status, days int, now time.Time, mask *strings.Replacer) map[string]any {
	out := map[string]any{"age": nil, "stale": st.Stale, "type": st.Kind, "error": nil}
	if !st.At.IsZero() {
		out["age"] = int(now.Sub(st.At).Seconds())
	}
	if st.Err != nil {
		out["error"] = mask.Replace(st.Err.Error())
	}
	if a, ok := st.Value.(*calendar.Agenda); ok && a != nil {
		out["events"] = eventsIn(a, days, now)
		if next := nextEvent(a, now); next != nil {
			out["next"] = shortTime(next.Start, now.In(next.Start.Location()))
		}
	}
	return out
}

// eventsIn counts the events of each calendar that have not ended and that begin within the given
// number of days. Today is the first of these days.
func eventsIn(a *calendar.Agenda, days int, now time.Time) map[string]int {
	count := map[string]int{}
	for _, c := range a.Calendars {
		count[c.Name] = 0
	}
	y, m, d := now.In(a.Zone).Date()
	end := localtime.At(y, m, d+min(max(days, 1), mostDays), 0, a.Zone)
	for _, e := range a.Events {
		if e.End.After(now) && e.Start.Before(end) && e.Calendar != nil {
			count[e.Calendar.Name]++
		}
	}
	return count
}

// nextEvent returns the first event that has a time of day and begins after `now`. If there is none, it returns nil.
func nextEvent(a *calendar.Agenda, now time.Time) *calendar.Event {
	i := slices.IndexFunc(a.Events, func(e *calendar.Event) bool { return !e.AllDay && e.Start.After(now) })
	if i < 0 {
		return nil
	}
	return a.Events[i]
}

// shortTime formats a time. For today it returns only the time of day, for the next days also the
// weekday, and for later days only the date.
func shortTime(at, now time.Time) string {
	const days = 6
	switch a, b := at.YearDay(), now.YearDay(); {
	case a == b && at.Year() == now.Year():
		return at.Format("15:04")
	case at.Sub(now) < days*24*time.Hour:
		return at.Format("Mon 15:04")
	}
	return at.Format("2 Jan")
}
