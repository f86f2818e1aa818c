package main

import (
	"testing"
	"time"

	"dashboard/theme/sun"
)

// An almanac says what the schedule says, of days in any order and zone, and costs nothing when it is asked again.
func TestAlmanac(t *testing.T) {
	tokyo, err := time.LoadLocation("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	a := &almanac{schedule: sun.Schedule{Lat: 69.65, Lon: 18.96}} // where there is a night in winter that lasts for weeks
	start := time.Date(2026, 5, 12, 23, 30, 0, 0, time.UTC)
	for _, day := range []int{0, 1, 0, -1, 1, 9, 200, 0, 210, 9} {
		for _, zone := range []*time.Location{time.UTC, tokyo} {
			at := start.AddDate(0, 0, day).In(zone)
			for range 2 {
				rise, set, ok := a.on(at)
				y, m, d := at.Date()
				wantRise, wantSet := a.schedule.DayWindow(time.Date(y, m, d, 12, 0, 0, 0, zone))
				want := wantRise.In(zone).Format(time.DateOnly) == at.Format(time.DateOnly) && !wantSet.IsZero()
				if !rise.Equal(wantRise) || !set.Equal(wantSet) || ok != want {
					t.Errorf("%v: got %v to %v, %v, want %v to %v, %v", at, rise, set, ok, wantRise, wantSet, want)
				}
			}
		}
	}
	if n := testing.AllocsPerRun(20, func() { a.on(start); a.on(start.AddDate(0, 0, 1)); a.on(start.AddDate(0, 0, 2)) }); n != 0 && !raceEnabled {
		t.Errorf("got %v allocations, want 0", n)
	}
}
