package sun

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	l, err := time.LoadLocation(name)
	if err != nil {
		t.Skipf("no time zones on this machine: %v", err)
	}
	return l
}

func TestElevationAgreesWithTheOracle(t *testing.T) {
	const limit = 0.0165 // maximum difference in degrees. The error of the equation of time alone is 0.0155
	for day := 0; day < 365*40; day += 9 {
		at := time.Date(2005, 1, 1, day%24, day%60, 0, 0, time.UTC).AddDate(0, 0, day)
		for _, p := range [][2]float64{{0, 0}, {45.12, -75.34}, {-33.9, 151.2}, {78.22, 15.65}, {-89, 170}} {
			got, want := elevation(at, p[0], p[1]), oracleElevation(at, p[0], p[1])
			if math.Abs(got-want) > limit {
				t.Fatalf("%v at %v: got %.4f, want %.4f", p, at, got, want)
			}
		}
	}
}

// nearest() rounds a time to the nearest minute, as published tables do.
func nearest(at time.Time, loc *time.Location) string {
	return at.Add(30 * time.Second).In(loc).Format("15:04")
}

// checkMinute checks that two times differ by at most one minute. The difference is allowed because places are known only to some
// kilometers, and tables are rounded. "-" means that there is no time.
func checkMinute(t *testing.T, what, got, want string) {
	t.Helper()
	if got == "-" || want == "-" {
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
		return
	}
	g, _ := time.Parse("15:04", got)
	w, _ := time.Parse("15:04", want)
	if d := g.Sub(w).Abs(); d > time.Minute {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

// `places` are at many latitudes, on both sides of the date line, and in both polar regions.
var places = []struct {
	name     string
	lat, lon float64
}{
	{"Quito", -0.18, -78.47}, {"Ottawa", 45.12, -75.34}, {"London", 51.5, -0.13}, {"Sydney", -33.87, 151.21}, {"Suva", -18.14, 178.44},
	{"Samoa", -13.83, -171.77}, {"Kiritimati", 1.87, -157.43}, {"Reykjavik", 64.15, -21.94}, {"Tromsø", 69.65, 18.96},
	{"Longyearbyen", 78.22, 15.65}, {"Ushuaia", -54.8, -68.3}, {"McMurdo", -77.85, 166.67}, {"Anadyr", 64.73, 177.5}, {"date line", 60, 180},
}

// TestYearAgreesWithTheOracle compares sunrises and sunsets at 14 places with the computation in oracle_test.go. It checks the first nine
// days of every four weeks of a year. The two results may differ by a minute. If the sun moves almost along the horizon, a larger
// difference is allowed: the time in which the height of the sun changes by two hundredths of a degree.
func TestYearAgreesWithTheOracle(t *testing.T) {
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			got, want := 0, 0
			for day := 0; day < 365; day += 28 {
				from := time.Date(2026, 1, 1+day, 0, 0, 0, 0, time.UTC)
				to := from.AddDate(0, 0, 9)
				for range crossings(p.lat, p.lon, from, to) {
					got++
				}
				for _, w := range oracleCrossings(p.lat, p.lon, from, to) {
					want++
					if !crosses(p.lat, p.lon, w) && math.Abs(elevation(w.at, p.lat, p.lon)-riseElevation) > 0.02 {
						t.Errorf("no crossing within a minute of %v, rising %v", w.at, w.rising)
					}
				}
			}
			if d := got - want; d < -2 || d > 2 { // either computation may miss two crossings that are only seconds apart
				t.Errorf("got %d crossings, want %d", got, want)
			}
		})
	}
}

// crosses() reports whether the sun crosses the horizon within a minute of the crossing `then`. The sun must move in the same direction
// at both crossings.
func crosses(lat, lon float64, then crossing) bool {
	for c := range crossings(lat, lon, then.at.Add(-time.Minute), then.at.Add(time.Minute)) {
		if c.rising == then.rising {
			return true
		}
	}
	return false
}

// TestShortestDays checks days near the poles that last only a few minutes, so they are shorter than the step of the scan.
func TestShortestDays(t *testing.T) {
	h := heightAt(69.65, 18.96)
	for _, seconds := range []int64{10, 60, 600, 3000} {
		for start := int64(0); start < scanStep; start += 517 {
			at := 86400*200 + start
			// The test shifts the real curve of the sun down until the sun is above the horizon for exactly `seconds` seconds.
			noon := extremum(h, 86400*200, 86400*201, false)
			level := h(noon - seconds/2)
			shifted := func(unix int64) float64 { return h(unix-at+noon-seconds/2) - level }
			var got []int64
			for a, b := range signChanges(shifted, at-86400/2, at+86400/2) {
				got = append(got, bisect(shifted, a, b).at.Unix())
			}
			if len(got) != 2 || got[0] < at-1 || got[0] > at+2 || got[1]-got[0] < seconds-3 || got[1]-got[0] > seconds+3 {
				t.Fatalf("a day of %d s from %d: got %v", seconds, at, got)
			}
		}
	}
}

func TestSameSecondWhenceverAsked(t *testing.T) {
	s := Schedule{Lat: 45.12, Lon: -75.34}
	base := time.Date(2026, 8, 10, 3, 0, 0, 0, time.UTC)
	want, _ := s.NextChange(base)
	for d := time.Duration(0); base.Add(d).Before(want.At); d += 377*time.Second + 123456789 {
		if got, ok := s.NextChange(base.Add(d)); !ok || got != want {
			t.Fatalf("asked at +%v: got %v, want %v", d, got, want)
		}
	}
}

// ottawa() returns the schedule of Ottawa, the place of most tests. In summer, the sun sets there after midnight UTC.
func ottawa(rise, set time.Duration) Schedule {
	return Schedule{Lat: 45.12, Lon: -75.34, SunriseOffset: rise, SunsetOffset: set}
}

var (
	summerNoon = time.Date(2026, 7, 1, 17, 0, 0, 0, time.UTC)
	plain      = ottawa(0, 0)
)

func TestMode(t *testing.T) {
	rise, set := plain.DayWindow(summerNoon)
	if set.Day() == rise.Day() {
		t.Fatalf("the sun is to set after midnight UTC: %v, %v", rise, set)
	}
	const m = time.Minute
	tests := []struct {
		name string
		s    Schedule
		at   time.Time
		want Mode
	}{
		{"a minute after sunrise", plain, rise.Add(m), Day},
		{"a minute before sunrise", plain, rise.Add(-m), Night},
		{"the moment of sunrise", plain, rise, Day},
		{"just before it", plain, rise.Add(-1), Night},
		{"a minute before sunset", plain, set.Add(-m), Day},
		{"the moment of sunset", plain, set, Night},
		{"a minute after sunset", plain, set.Add(m), Night},
		{"night, before midnight UTC is no more", plain, time.Date(2026, 7, 2, 3, 0, 0, 0, time.UTC), Night},
		{"evening, still light after midnight UTC", plain, time.Date(2026, 7, 2, 0, 15, 0, 0, time.UTC), Day},
		{"sunset -30: 40 before", ottawa(0, -30*m), set.Add(-40 * m), Day},
		{"sunset -30: 20 before", ottawa(0, -30*m), set.Add(-20 * m), Night},
		{"sunrise +45: 30 after", ottawa(45*m, 0), rise.Add(30 * m), Night},
		{"sunrise +45: 50 after", ottawa(45*m, 0), rise.Add(50 * m), Day},
		{"sunset's offset leaves sunrise", ottawa(0, -30*m), rise.Add(m), Day},
		{"sunrise's offset leaves sunset", ottawa(45*m, 0), set.Add(m), Night},
		{"Longyearbyen in April", Schedule{Lat: 78.22, Lon: 15.65}, time.Date(2026, 4, 15, 12, 0, 0, 0, time.UTC), Day},
		{"Longyearbyen at midsummer midnight", Schedule{Lat: 78.22, Lon: 15.65}, time.Date(2026, 6, 21, 23, 0, 0, 0, time.UTC), Day},
		{"Longyearbyen at midwinter noon", Schedule{Lat: 78.22, Lon: 15.65}, time.Date(2026, 12, 21, 11, 0, 0, 0, time.UTC), Night},
		{"north pole in summer", Schedule{Lat: 90}, time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC), Day},
		{"south pole in summer", Schedule{Lat: -90}, time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC), Night},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.s.Mode(tt.at); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestNextChange(t *testing.T) {
	rise, set := plain.DayWindow(summerNoon)
	tomorrow, _ := plain.DayWindow(summerNoon.Add(24 * time.Hour))
	arctic := Schedule{Lat: 78.22, Lon: 15.65}
	tests := []struct {
		name  string
		s     Schedule
		after time.Time
		want  Change
	}{
		{"after sunrise", plain, rise.Add(time.Minute), Change{set, Night}},
		{"at sunrise", plain, rise, Change{set, Night}},
		{"before sunrise", plain, rise.Add(-time.Minute), Change{rise, Day}},
		{"after sunset", plain, set.Add(time.Minute), Change{tomorrow, Day}},
		{"Longyearbyen, 21 June", arctic, time.Date(2026, 6, 21, 12, 0, 0, 0, time.UTC), Change{}},
		{"Longyearbyen, 21 December", arctic, time.Date(2026, 12, 21, 12, 0, 0, 0, time.UTC), Change{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := tt.s.NextChange(tt.after)
			if got != tt.want || ok != (tt.want != Change{}) {
				t.Errorf("got %v, %v, want %v", got, ok, tt.want)
			}
		})
	}
}

func TestDescribe(t *testing.T) {
	toronto := zone(t, "America/Toronto")
	day := ottawa(0, -30*time.Minute)
	at := func(d, hour int) time.Time { return time.Date(2025, 8, d, hour, 0, 0, 0, toronto) }
	const window = "Sun at 45.12,-75.34: day from 05:57 to 19:45 local (offsets +0/-30 min); "
	tests := []struct {
		name string
		s    Schedule
		now  time.Time
		want string
	}{
		{"by day", day, at(10, 12), window + "night theme at 19:45"},
		{"in the evening, this morning to tonight", day, at(10, 19), window + "night theme at 19:45"},
		{"after dark, the day just gone", day, at(10, 23), window + "day theme at 05:58"},
		{"after midnight, the day just gone", day, at(11, 2), window + "day theme at 05:58"},
		{"polar day", Schedule{Lat: 78.22, Lon: 15.65}, time.Date(2026, 6, 21, 12, 0, 0, 0, time.UTC), "Sun at 78.22,15.65: up all day (offsets +0/+0 min); no theme change due"},
		{"polar night", Schedule{Lat: -78, Lon: 166}, time.Date(2026, 6, 21, 12, 0, 0, 0, time.UTC), "Sun at -78,166: down all day (offsets +0/+0 min); no theme change due"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.s.Describe(tt.now, toronto); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestYearOfSwitches checks all changes of mode of the year 2016 in Ottawa, which includes both clock changes and a leap second. There
// are two changes a day, at the times at which the result of Mode changes. At a clock change, the local time of sunrise jumps by an hour.
func TestYearOfSwitches(t *testing.T) {
	toronto := zone(t, "America/Toronto")
	began := time.Now()
	at := time.Date(2016, 1, 1, 17, 0, 0, 0, time.UTC)
	end := at.AddDate(1, 0, 2)
	var leaps []string
	n, last := 0, 0
	for mode := plain.Mode(at); at.Before(end); n++ {
		c, ok := plain.NextChange(at)
		if !ok || c.Mode == mode || !c.At.After(at) || plain.Mode(c.At) != c.Mode || plain.Mode(c.At.Add(-1)) != mode {
			t.Fatalf("after %v (%s): got %v, %v", at, mode, c, ok)
		}
		if local := c.At.In(toronto); c.Mode == Day {
			minute := local.Hour()*60 + local.Minute()
			if d := minute - last; last > 0 && (d > 50 || d < -50) {
				leaps = append(leaps, local.Format("01-02"))
			}
			last = minute
		}
		at, mode = c.At, c.Mode
	}
	if want := 2 * 368; n < want-1 || n > want+1 {
		t.Errorf("got %d switches, want %d", n, want)
	}
	if want := []string{"03-13", "11-06"}; !slices.Equal(leaps, want) {
		t.Errorf("clock changes: got %v, want %v", leaps, want)
	}
	t.Logf("took %v", time.Since(began)) // about a tenth of a second on an idle machine
}

// TestModeHoldsBetweenChanges checks that the mode does not change between two results of NextChange. It uses several places and offsets.
func TestModeHoldsBetweenChanges(t *testing.T) {
	for _, p := range places {
		for _, off := range []time.Duration{-2 * time.Hour, 0, 90 * time.Minute} {
			s := Schedule{Lat: p.lat, Lon: p.lon, SunriseOffset: off, SunsetOffset: -off / 2}
			at := time.Date(2026, 4, 10, 0, 0, 0, 0, time.UTC)
			for range 12 {
				mode := s.Mode(at)
				c, ok := s.NextChange(at)
				until := c.At
				if !ok {
					until = at.Add(recheck)
				}
				if got := s.Mode(until.Add(-1)); got != mode {
					t.Errorf("%s %v: %s at %v became %s before %v", p.name, off, mode, at, got, until)
				}
				at = until
			}
		}
	}
}

func BenchmarkNextChange(b *testing.B) {
	for b.Loop() {
		plain.NextChange(summerNoon)
	}
}

func ExampleSchedule_Describe() {
	s := Schedule{Lat: 51.48, Lon: 0}
	fmt.Println(s.Describe(time.Date(2026, 6, 21, 12, 0, 0, 0, time.UTC), time.UTC))
	// Output: Sun at 51.48,0: day from 03:42 to 20:20 local (offsets +0/+0 min); night theme at 20:20
}
