package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
)

// TestZones reads one calendar in five zones, on both days when clocks change in Berlin. A whole-day event begins at midnight in the zone
// of the wall.
func TestZones(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(
		event("night", "DTSTART;TZID=Europe/Berlin:20260329T023000"), event("morning", "DTSTART;TZID=Europe/Berlin:20260328T090000 | RRULE:FREQ=DAILY;COUNT=3"),
		event("twice", "DTSTART;TZID=Europe/Berlin:20261025T023000"), event("day", "DTSTART;VALUE=DATE:20260329 | DTEND;VALUE=DATE:20260330"))})
	for name, want := range map[string]string{
		"Pacific/Auckland":    "28T21:00+13:00 29T00:00+13:00 29T14:30+13:00 29T20:00+13:00 30T20:00+13:00",
		"Europe/Berlin":       "28T09:00+01:00 29T00:00+01:00 29T03:30+02:00 29T09:00+02:00 30T09:00+02:00",
		"UTC":                 "28T08:00Z 29T00:00Z 29T01:30Z 29T07:00Z 30T07:00Z",
		"America/Los_Angeles": "28T01:00-07:00 28T18:30-07:00 29T00:00-07:00 29T00:00-07:00 30T00:00-07:00",
		"Asia/Kolkata":        "28T13:30+05:30 29T00:00+05:30 29T07:00+05:30 29T12:30+05:30 30T12:30+05:30",
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Skip(err)
		}
		for _, now := range []time.Time{time.Date(2026, 3, 29, 0, 59, 59, 0, time.UTC), time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)} {
			a, err := in(t, zone, now, dir, Entry{Path: "a.ics"}).once(t)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range a.Events[:5] {
				got = append(got, e.Start.Format("02T15:04Z07:00"))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s at %v: got %s, want %s", name, now, strings.Join(got, " "), want)
			}
			if e := a.Events[1]; name == "Europe/Berlin" && e.End.Sub(e.Start) != 23*time.Hour {
				t.Errorf("the day when clocks go forward has %v", e.End.Sub(e.Start))
			}
		}
		autumn, err := in(t, zone, time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC), dir, Entry{Path: "a.ics"}).once(t)
		if e := autumn.Events; err != nil || len(e) != 1 || !e[0].Start.Equal(time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)) || autumn.Now != nil {
			t.Errorf("%s: got %+v, %v: an hour that is there twice is the first", name, e, err)
		}
	}
}

// TestUnknownZones: each unknown time zone is reported once, with the zone that is used instead.
func TestUnknownZones(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.ics": feed(event("x", "DTSTART;TZID=Mars/Olympus:20260515T090000"), event("y", "DTSTART;TZID=Mars/Olympus:20260516T090000"))})
	a, err := in(t, time.UTC, noon, dir, Entry{Name: "Anna", Path: "a.ics"}).once(t)
	want := `[Anna: unknown time zone "Mars/Olympus"; its times are read as UTC]`
	if got := fmt.Sprint(provider.Warnings(a)); err != nil || got != want || a.Left != 0 {
		t.Errorf("got %s, %d left out, %v, want %s", got, a.Left, err, want)
	}
}
