package draft

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/provider/calendar"
)

// The state of a calendar provider counts the events of each calendar separately. It counts the events that have not ended and that begin
// before the end of the last day. The next event is the first event that has a time of day and has not begun.
func TestStateOfCalendar(t *testing.T) {
	zone := time.FixedZone("", 3600)
	at := func(day, hour int) time.Time { return time.Date(2026, 5, day, hour, 0, 0, 0, zone) }
	anna, bins := &calendar.Calendar{Name: "Anna"}, &calendar.Calendar{Name: "Bins"}
	event := func(of *calendar.Calendar, from, to time.Time, whole bool) *calendar.Event {
		return &calendar.Event{Start: from, End: to, Calendar: of, AllDay: whole}
	}
	a := &calendar.Agenda{Zone: zone, Calendars: []*calendar.Calendar{anna, bins, {Name: "Empty"}}, Events: []*calendar.Event{
		event(anna, at(4, 8), at(4, 9), false),   // already over
		event(bins, at(4, 0), at(5, 0), true),    // all day, today
		event(anna, at(4, 11), at(4, 13), false), // begun, not over
		event(anna, at(5, 9), at(5, 10), false),
		event(anna, at(6, 23), at(7, 1), false), // begins on the last day
		event(anna, at(7, 0), at(8, 0), true),   // begins after the last day
	}}
	now := at(4, 12).UTC()
	got := stateOf(provider.Status{Value: a, At: now.Add(-time.Minute), Err: errors.New("timeout of 5f3a")}, 3, now, strings.NewReplacer("5f3a", "***"))
	if want := "map[Anna:3 Bins:1 Empty:0]"; fmt.Sprint(got["events"]) != want {
		t.Errorf("3 days have %v, want %v", got["events"], want)
	}
	if got["next"] != "Tue 09:00" || got["age"] != 60 || got["error"] != "timeout of ***" {
		t.Errorf("got %v", got)
	}
	for days, want := range map[int]int{-5: 1, 1: 1, 2: 2, 4: 4, math.MaxInt: 4} {
		if n := eventsIn(a, days, now)["Anna"]; n != want {
			t.Errorf("%d days have %d events of Anna, want %d", days, n, want)
		}
	}
}

// shortTime leaves out the parts of an event's time that are clear because the event is near.
func TestShortTime(t *testing.T) {
	now := time.Date(2026, 12, 30, 23, 0, 0, 0, time.UTC)
	for hours, want := range map[int]string{0: "23:00", 2: "Thu 01:00", 50: "Sat 01:00", 24 * 9: "8 Jan"} {
		if got := shortTime(now.Add(time.Duration(hours)*time.Hour), now); got != want {
			t.Errorf("in %d h: got %q, want %q", hours, got, want)
		}
	}
}

// If the address of a calendar leads to a web page, the test of the provider shows the beginning of this page. The result also describes
// which link the person must look for.
func TestCalendarThatIsAPage(t *testing.T) {
	page := "<!doctype html><title>Bins</title>" + strings.Repeat(" ", maxExcerpt)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/bins" {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, page)
			return
		}
		w.Header().Set("Content-Type", "text/calendar")
		fmt.Fprint(w, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20990101T100000Z\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
	}))
	defer web.Close()
	calendars := "    calendars:\n      - {name: Bins, url: '" + web.URL + "/bins'}\n      - {name: Anna, url: '" + web.URL + "/anna'}\n"
	b := newBench(t, map[string]string{"conf.yaml": testConf, "widgets.yaml": testWall, "providers.yaml": "providers:\n  family:\n    type: calendar\n" + calendars})
	id, _ := b.open()
	got := b.call(200, "test", id, map[string]string{"provider": "family"})
	if words, excerpt := got["words"].(string), got["excerpt"].(string); got["works"] != false || !strings.Contains(words, "a web page, not a calendar") ||
		excerpt != page[:maxExcerpt] || got["size"] != len(page) || got["status_text"] != "OK" {
		t.Errorf("got %v", got)
	}
	all := got["calendars"].(map[string]any)
	bins, anna := all["Bins"].(map[string]any), all["Anna"].(map[string]any)
	if words := bins["words"].(string); bins["works"] != false || strings.Contains(words, "Bins: ") || bins["excerpt"] != page[:maxExcerpt] || bins["count"] != nil {
		t.Errorf("Bins: %v", bins)
	}
	if events := anna["events"].([]map[string]any); anna["works"] != true || anna["status"] != 200 || anna["count"] != 0 || len(events) != 0 || anna["excerpt"] != nil {
		t.Errorf("Anna: %v", anna)
	}
}

// The result of a test contains the next events of a calendar. An event that has begun is marked, and a past event is missing.
func TestComingEvents(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	anna, ben := &calendar.Calendar{Name: "Anna"}, &calendar.Calendar{Name: "Ben"}
	var a calendar.Agenda
	for _, e := range []struct {
		of    *calendar.Calendar
		hours int // hours from now to the start
	}{{anna, -3}, {anna, -1}, {ben, 1}, {anna, 2}, {anna, 5}, {anna, 9}} {
		start := now.Add(time.Duration(e.hours) * time.Hour)
		a.Events = append(a.Events, &calendar.Event{Title: fmt.Sprint(e.hours), Start: start, End: start.Add(2 * time.Hour), Calendar: e.of})
	}
	got := ""
	first, count := coming(&a, "Anna", now, strings.NewReplacer())
	for _, e := range first {
		got += fmt.Sprint(e["title"], e["now"], " ")
	}
	if got != "-1true 2false 5false " || count != 4 || first[0]["end"] != "2026-05-04T13:00:00Z" {
		t.Errorf("got %q of %d: %v", got, count, first)
	}
	if first, count = coming(&a, "", now, strings.NewReplacer()); len(first) != maxEvents || count != 5 || first[1]["calendar"] != "Ben" {
		t.Errorf("all calendars: %d of %d: %v", len(first), count, first)
	}
}
