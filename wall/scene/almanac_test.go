package scene

import (
	"testing"
	"time"

	"dashboard/config/value"
	"dashboard/internal/testing/race"
	"dashboard/theme/sun"
)

// An almanac has the same times as the schedule, for days in any order and in any time zone. Repeated requests need almost no time.
func TestAlmanac(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	a := &almanac{schedule: sun.Schedule{Lat: 69.65, Lon: 18.96}} // here the winter night lasts for weeks
	start := time.Date(2026, 5, 12, 23, 30, 0, 0, time.UTC)
	for _, day := range []int{0, 1, 0, -1, 1, 9, 200, 0, 210, 9} {
		for _, zone := range []*time.Location{time.UTC, tokyo} {
			at := start.AddDate(0, 0, day).In(zone)
			for range 2 {
				rise, set, ok := a.on(at)
				y, m, d := at.Date()
				wantRise, wantSet := a.schedule.DayWindow(time.Date(y, m, d, 12, 0, 0, 0, zone))
				want := wantRise.In(zone).Format(time.DateOnly) == at.Format(time.DateOnly) && !wantSet.IsZero()
				if !want { // without a sunrise or a sunset, compare only ok
					wantRise, wantSet = rise, set
				}
				if !rise.Equal(wantRise) || !set.Equal(wantSet) || ok != want {
					t.Errorf("%v: got %v to %v, %v, want %v to %v, %v", at, rise, set, ok, wantRise, wantSet, want)
				}
			}
		}
	}
	if n := leastAllocs(20, func() { a.on(start); a.on(start.AddDate(0, 0, 1)); a.on(start.AddDate(0, 0, 2)) }); n != 0 && !race.Enabled {
		t.Errorf("got %v allocations, want 0", n)
	}
}

// TestAlmanacAllDay checks days on which the sun does not rise or set. A window between sunrise and
// sunset then lasts all day or does not occur. This depends on whether the sun is up.
func TestAlmanacAllDay(t *testing.T) {
	oslo, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	north, south := &almanac{schedule: sun.Schedule{Lat: 78.22, Lon: 15.65}}, &almanac{schedule: sun.Schedule{Lat: 45, Lon: 15.65}}
	for _, c := range []struct {
		window   string
		month    time.Month
		at       *almanac
		in, noon bool // expected: every hour of the day is in the window, and noon is in the window
	}{
		{"sunset+1h - sunrise", time.December, north, true, true}, {"sunrise - sunset", time.December, north, false, false},
		{"sunset+1h - sunrise", time.June, north, false, false}, {"sunrise-30m - sunset", time.June, north, true, true},
		{"22:00 - sunrise", time.December, north, false, false}, // from a time that exists to a sunrise that does not occur
		{"sunset - sunrise", time.December, south, false, false}, {"sunrise - sunset", time.December, south, false, true},
	} {
		w, err := value.ParseWindow(c.window)
		if err != nil {
			t.Fatal(err)
		}
		held := 0
		for hour := range 24 {
			in, _ := w.Holds(time.Date(2026, c.month, 21, hour, 30, 0, 0, oslo), c.at.on, nil)
			if in {
				held++
			}
			if in != c.noon && hour == 12 {
				t.Errorf("%s at noon in %v: got %v", c.window, c.month, in)
			}
		}
		if all := held == 24; all != c.in || c.at == north && !c.in && held != 0 {
			t.Errorf("%s in %v: holds in %d hours", c.window, c.month, held)
		}
	}
}
