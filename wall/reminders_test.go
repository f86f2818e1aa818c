package wall

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dashboard/provider/calendar"
)

// A reminder is due once between the reminder time and the beginning of the event. The next check is at the time of the next reminder.
func TestRemindersDue(t *testing.T) {
	noon := time.Date(2026, 5, 14, 12, 0, 0, 0, time.UTC)
	event := func(title string, in, remind time.Duration) *calendar.Event {
		return &calendar.Event{Title: title, Start: noon.Add(in), Remind: remind, Calendar: &calendar.Calendar{Name: "c"}}
	}
	all := []*calendar.Agenda{{Events: []*calendar.Event{
		event("over", -time.Minute, time.Hour), event("due", 9*time.Minute, 10*time.Minute), event("silent", 5*time.Minute, 0), event("later", time.Hour, 10*time.Minute),
	}}}
	r := reminders{told: map[string]time.Time{}}
	for _, c := range []struct {
		after time.Duration
		want  string
		next  time.Duration
	}{{0, "due", 50 * time.Minute}, {time.Minute, "", 50 * time.Minute}, {50 * time.Minute, "later", 0}, {2 * time.Hour, "", 0}} {
		due, next := r.due(all, noon.Add(c.after))
		var titles []string
		for _, e := range due {
			titles = append(titles, e.Title)
		}
		if strings.Join(titles, ",") != c.want || c.next == 0 != next.IsZero() || c.next > 0 && !next.Equal(noon.Add(c.next)) {
			t.Errorf("after %v: got %q, next %v", c.after, titles, next)
		}
	}
	if len(r.told) != 0 {
		t.Errorf("what is over is still remembered: %v", r.told)
	}
}

// A reminder is shown on the wall as a notification.
func TestReminderIsShown(t *testing.T) {
	port := freePort(t)
	at := time.Now().UTC().Add(30 * time.Minute).Format("20060102T150405Z")
	p := start(t, port, files{
		"conf.yaml":      wallConf(port, "") + "notifications: card\n",
		"providers.yaml": "providers:\n  us: {type: calendar, calendars: [{name: us, path: a.ics, remind: 1h}]}\n",
		"widgets.yaml":   plainWall("red"),
		"a.ics":          fmt.Sprintf("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Dentist\r\nLOCATION:Main Street\r\nDTSTART:%s\r\nDURATION:PT1H\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", at),
	})
	eventually(t, "the reminder", func() bool {
		_, body := p.get("/notify")
		return strings.Contains(body, "Dentist") && strings.Contains(body, "reminder-")
	})
}
