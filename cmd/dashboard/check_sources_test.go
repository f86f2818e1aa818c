package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const mixedCalendar = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:tea\nDTSTART:20300101T100000Z\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:far\nDTSTART;TZID=Mars/Olympus:20300102T100000\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:broken\nDTSTART:soon\nEND:VEVENT\nEND:VCALENDAR\n"

// TestCheckFetch checks the option --fetch. A missing answer is an error, and a missing part of an
// answer is a warning. Without --fetch, only a missing file is reported.
func TestCheckFetch(t *testing.T) {
	dir := valueWall(t, `providers:
  family: {type: calendar, calendars: [{name: A, path: a.ics}]}
  gone: {type: calendar, calendars: [{name: B, path: none.ics}]}
  both: {type: calendar, calendars: [{name: A, path: a.ics}, {name: B, path: none.ics}]}
`)
	if err := os.WriteFile(filepath.Join(dir, "a.ics"), []byte(mixedCalendar), 0o600); err != nil {
		t.Fatal(err)
	}
	code, said, _ := command(t, "check", dir)
	if code != 0 || !strings.Contains(said, "providers.yaml:3:9: warning: providers.gone: none.ics is not there") || strings.Contains(said, "left out") {
		t.Errorf("got %d, %s", code, said)
	}
	code, said, _ = command(t, "check", "--fetch", dir)
	for _, want := range []string{
		"providers.yaml:2:11: warning: providers.family: entries left out: 1", `providers.family: A: event "broken" DTSTART "soon"`,
		`warning: providers.family: A: unknown time zone "Mars/Olympus"; its times are read as `, "error: providers.gone: B: none.ics: ",
		"error: providers.both: B: none.ics: ", `providers.both: A: event "broken" DTSTART "soon"`,
	} {
		if code != 1 || !strings.Contains(said, want) {
			t.Errorf("got %d, nothing of %q in %s", code, want, said)
		}
	}
}

// TestCheckFetchOfPushedValue checks a push provider with --fetch. No program has sent a value to the provider yet, which is not an error
// in the files.
func TestCheckFetchOfPushedValue(t *testing.T) {
	dir := valueWall(t, "providers:\n  backup: {type: push, ttl: 26h}\n")
	if code, said, errs := command(t, "check", "--fetch", dir); code != 0 || strings.Contains(said, "backup") {
		t.Errorf("check: got %d, %s %s", code, said, errs)
	}
	_, _, errs := command(t, "render", dir, "-o", filepath.Join(dir, "wall.png"))
	if want := "dashboard: backup: no value yet: a program sends it with PUT /values/backup"; !strings.Contains(errs, want) {
		t.Errorf("render: got %q, want %q", errs, want)
	}
}

// TestCalendarValues checks that the command values prints the value of a calendar in the form that !data programs read.
func TestCalendarValues(t *testing.T) {
	dir := valueWall(t, "providers:\n  family: {type: calendar, timezone: Europe/Berlin, calendars: [{name: A, path: a.ics}]}\n")
	if err := os.WriteFile(filepath.Join(dir, "a.ics"), []byte(strings.ReplaceAll(mixedCalendar, "DTSTART:2030", "RRULE:FREQ=YEARLY\nDTSTART:2020")), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said, errs := command(t, "values", dir, "family")
	var got struct {
		Value struct {
			Events []struct{ Title, Start, Calendar string }
		}
	}
	if err := json.Unmarshal([]byte(said), &got); err != nil || len(got.Value.Events) == 0 {
		t.Fatalf("%v: %s %s", err, said, errs)
	}
	for _, e := range got.Value.Events {
		if e.Title == "tea" { // search for the event, because it is not always the first one
			if !strings.HasSuffix(e.Start, "-01-01T11:00:00+01:00") || e.Calendar != "A" {
				t.Errorf("got %+v", e)
			}
			return
		}
	}
	t.Errorf("got no tea in %+v", got.Value.Events)
}
