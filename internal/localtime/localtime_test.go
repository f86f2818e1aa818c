package localtime

import (
	"testing"
	"time"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

// If an hour occurs twice, Resolve uses the first occurrence. If an hour is missing, Resolve uses the offset before the gap.
func TestResolve(t *testing.T) {
	for _, tc := range []struct{ zone, fields, want string }{
		{"Europe/Berlin", "2026-10-25 02:30", "2026-10-25 00:30"},
		{"Europe/Berlin", "2026-03-29 02:30", "2026-03-29 01:30"},
		{"Europe/Berlin", "2026-07-01 12:00", "2026-07-01 10:00"},
		{"America/New_York", "2026-11-01 01:30", "2026-11-01 05:30"},
		{"America/New_York", "2026-03-08 02:30", "2026-03-08 07:30"},
		{"Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04 14:45"},
		{"America/Santiago", "2026-09-06 00:30", "2026-09-06 04:30"},
		{"Pacific/Apia", "2011-12-30 12:00", "2011-12-30 22:00"},
	} {
		fields, err := time.Parse("2006-01-02 15:04", tc.fields)
		if err != nil {
			t.Fatal(err)
		}
		if got := Resolve(fields, zone(t, tc.zone)).UTC().Format("2006-01-02 15:04"); got != tc.want {
			t.Errorf("%s %s: got %s, want %s", tc.zone, tc.fields, got, tc.want)
		}
	}
}

// If an hour occurs twice, Last returns the second instant. Otherwise it returns the only instant.
func TestLast(t *testing.T) {
	for _, tc := range []struct{ zone, fields, want string }{
		{"Europe/Berlin", "2026-10-25 02:00", "2026-10-25 01:00"},
		{"Europe/Berlin", "2026-10-25 02:59", "2026-10-25 01:59"},
		{"Europe/Berlin", "2026-10-25 03:00", "2026-10-25 02:00"},
		{"Europe/Berlin", "2026-10-25 01:59", "2026-10-24 23:59"},
		{"Europe/Berlin", "2026-03-29 02:30", "2026-03-29 01:30"},
		{"America/New_York", "2026-11-01 01:30", "2026-11-01 06:30"},
		{"Australia/Lord_Howe", "2026-04-05 01:45", "2026-04-04 15:15"},
		{"America/Havana", "2026-11-01 00:00", "2026-11-01 05:00"},
	} {
		fields, err := time.Parse("2006-01-02 15:04", tc.fields)
		if err != nil {
			t.Fatal(err)
		}
		at := Last(Resolve(fields, zone(t, tc.zone)))
		if got := at.UTC().Format("2006-01-02 15:04"); got != tc.want || !Last(at).Equal(at) {
			t.Errorf("%s %s: got %s, want %s", tc.zone, tc.fields, got, tc.want)
		}
	}
}

// For a time that a clock shows, Resolve returns the first instant at which the clock shows this time.
func TestResolveRoundTrips(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/Santiago", "America/Havana", "Atlantic/Azores", "Australia/Lord_Howe", "Africa/Casablanca"} {
		loc := zone(t, name)
		end := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		for at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); at.Before(end); at = at.Add(15 * time.Minute) {
			got := Resolve(Fields(at.In(loc)), loc)
			if !Fields(got).Equal(Fields(at.In(loc))) || got.After(at) || at.Sub(got) > time.Hour {
				t.Fatalf("%s: %v became %v", name, at.In(loc), got)
			}
		}
	}
}

// NextDay returns a time that is after the given instant, at most 25 hours later, and on another date.
func TestNextDay(t *testing.T) {
	for _, name := range []string{"America/Santiago", "America/Havana", "Atlantic/Azores", "Asia/Beirut", "Europe/Berlin"} {
		loc := zone(t, name)
		end := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		for at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); at.Before(end); at = at.Add(10 * time.Minute) {
			local := at.In(loc)
			next := NextDay(local)
			if d := next.Sub(at); d <= 0 || d > 25*time.Hour || next.Day() == local.Day() || next.Add(-time.Second).Day() != local.Day() {
				t.Fatalf("%s: after %v comes %v", name, local, next)
			}
		}
	}
}

// The result of Yesterday is on the day before t, even if the time of t does not occur on that day.
func TestYesterday(t *testing.T) {
	for _, name := range []string{"America/Santiago", "America/Havana", "Atlantic/Azores", "Europe/Berlin"} {
		loc := zone(t, name)
		for at := time.Date(2026, 1, 2, 0, 30, 0, 0, loc); at.Year() == 2026; at = at.Add(12 * time.Hour) {
			if got, want := Yesterday(at).Format(time.DateOnly), time.Date(2026, at.Month(), at.Day()-1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly); got != want {
				t.Fatalf("%s: before %v is %s, want %s", name, at, got, want)
			}
		}
	}
}
