package draft

import (
	"testing"
	"time"

	"dashboard/provider/calendar"
)

// TestSampleWithoutMidnight checks the sample events and the sample weather around a day that begins at 01:00.
func TestSampleWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 9, 4, 15, 0, 0, 0, zone) // clocks are set forward on 6 September at 00:00
	for i, e := range sampleAgenda(now).Events {
		if e.Start.Day() != now.Day()+i || e.Start.Hour() != 9+2*i {
			t.Errorf("event %d begins at %v", i, e.Start)
		}
	}
	for i, d := range sampleWeather(now).Days {
		if d.Date.Day() != now.Day()+i || d.Date.Hour() > 1 {
			t.Errorf("day %d of the forecast begins at %v", i, d.Date)
		}
	}
	one := &calendar.Calendar{Name: "one"}
	late := time.Date(2026, 9, 5, 23, 30, 0, 0, zone)
	a := &calendar.Agenda{Zone: zone, Calendars: []*calendar.Calendar{one}, Events: []*calendar.Event{
		{Calendar: one, Start: late, End: late.Add(time.Hour)},
		{Calendar: one, Start: late.Add(time.Hour / 2), End: late.Add(2 * time.Hour)},
	}}
	if got := eventsIn(a, 2, now)["one"]; got != 1 {
		t.Errorf("got %d events on 4 and 5 September, want 1", got)
	}
}
