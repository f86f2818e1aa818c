package value

import (
	"testing"
	"time"
)

// A sunFrom returns a sun that rises and sets at times after the midnight of each day. A time can be on another day. On days in `up` the sun
// does not set, and on days in `down` it does not rise.
func sunFrom(rise, set time.Duration, up, down string) Sun {
	return func(day time.Time) (time.Time, time.Time, bool) {
		noon := time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, day.Location())
		switch noon.Format(time.DateOnly) {
		case up:
			return noon, time.Time{}, false
		case down:
			return time.Time{}, noon, false
		}
		at := noon.Add(-12 * time.Hour)
		return at.Add(rise), at.Add(set), true
	}
}

// TestWindowAcrossDays checks windows that begin on the day before, end two days later, or include a day without sunrise and sunset.
func TestWindowAcrossDays(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	const h, m = time.Hour, time.Minute
	early, late := sunFrom(5*h, 21*h, "", ""), sunFrom(10*h, 24*h+30*m, "", "")
	polar := sunFrom(11*h, 13*h, "", "2026-03-02")
	for _, c := range []struct {
		window   string
		sun      Sun
		from, to string // the window includes all minutes between them
	}{
		{"sunrise-6h - sunrise", early, "2026-03-01 23:00", "2026-03-02 05:00"},
		{"sunrise-6h - sunrise", early, "2026-03-28 22:00", "2026-03-29 05:00"}, // clocks are set forward
		{"sunrise-7h - sunrise", early, "2026-10-24 23:00", "2026-10-25 05:00"}, // clocks are set back
		{"02:30 - 04:00", nil, "2026-03-29 03:30", "2026-03-29 04:00"},          // the clocks skip 02:30
		{"01:00 - 02:30", nil, "2026-03-29 01:00", "2026-03-29 03:30"},          // the end is skipped
		{"sunset-1h - 00:15", late, "2026-03-01 23:30", "2026-03-02 00:15"},
		{"sunset - 00:15", late, "2026-03-02 00:30", "2026-03-03 00:15"},
		{"23:00 - sunset", late, "2026-03-01 23:00", "2026-03-02 00:30"},
		{"sunset - sunrise", polar, "2026-03-01 13:00", "2026-03-03 11:00"},
		{"sunrise - sunset", sunFrom(h, 23*h-m, "2026-03-02", ""), "2026-03-02 00:00", "2026-03-03 00:00"},
		{"sunset+1h - sunrise-1h", polar, "2026-03-01 14:00", "2026-03-03 10:00"},
	} {
		w, err := ParseWindow(c.window)
		if err != nil {
			t.Fatal(err)
		}
		from, _ := time.ParseInLocation("2006-01-02 15:04", c.from, zone)
		to, _ := time.ParseInLocation("2006-01-02 15:04", c.to, zone)
		for at := from; at.Before(to); at = at.Add(time.Minute) {
			if in, _ := w.Holds(at, c.sun, nil); !in {
				t.Errorf("%s from %s to %s: does not hold at %v", c.window, c.from, c.to, at)
				break
			}
		}
		if in, _ := w.Holds(to, c.sun, nil); in {
			t.Errorf("%s holds at its end %v", c.window, to)
		}
		if in, _ := w.Holds(from.Add(-time.Minute), c.sun, nil); in {
			t.Errorf("%s holds before its beginning %v", c.window, from)
		}
		if got := w.Next(from.Add(-time.Minute), c.sun); !got.Equal(from) {
			t.Errorf("%s: the first edge after %v is %v, want %v", c.window, from.Add(-time.Minute), got, from)
		}
	}
}

// If the windows of two days overlap, each holds on its own day.
func TestOverlappingWindows(t *testing.T) {
	w, err := ParseWindow("sunrise-6h - 23:30")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 2, 23, 15, 0, 0, time.UTC)
	for _, day := range []int{2, 3} {
		of := func(at time.Time) bool { return at.Day() == day }
		if in, at := w.Holds(now, sunFrom(5*time.Hour, 19*time.Hour, "", ""), of); !in || at.Day() != day {
			t.Errorf("the window of day %d: got %v, %v", day, in, at)
		}
	}
}
