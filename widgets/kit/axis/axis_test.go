package axis

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestNice(t *testing.T) {
	tests := []struct {
		name         string
		lo, hi       float64
		fixLo, fixHi bool
		want         int
		scale        Scale
		ticks        []float64
	}{
		{"percent", 0, 100, true, true, 3, Scale{0, 100}, []float64{0, 50, 100}},
		{"temperature", 7.3, 18.9, false, false, 4, Scale{5, 20}, []float64{5, 10, 15, 20}},
		{"below zero", -4, 3, false, false, 4, Scale{-4, 4}, []float64{-4, -2, 0, 2, 4}},
		{"just above a step", 0, 205, true, false, 3, Scale{0, 300}, []float64{0, 100, 200, 300}},
		{"equal", 20, 20, false, false, 3, Scale{18, 22}, []float64{18, 20, 22}},
		{"all zero, from zero", 0, 0, true, false, 3, Scale{0, 1}, []float64{0, 0.5, 1}},
		{"fixed off the ticks", 3, 17, true, true, 4, Scale{3, 17}, []float64{5, 10, 15}},
		{"a little below zero", -1.06, 13.9, false, false, 4, Scale{-2.5, 15}, []float64{0, 5, 10, 15}},
		{"a little above zero", -13.9, 1.5, false, false, 4, Scale{-15, 2.5}, []float64{-15, -10, -5, 0}},
		{"more below zero", -2.5, 13.9, false, false, 4, Scale{-5, 15}, []float64{-5, 0, 5, 10, 15}},
		{"a little below zero, fixed", -1, 13.9, true, false, 4, Scale{-1, 15}, []float64{0, 5, 10, 15}},
		{"small", 0.1, 0.3, false, false, 3, Scale{0.1, 0.3}, []float64{0.1, 0.2, 0.3}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, ticks, ok := Nice(test.lo, test.hi, test.fixLo, test.fixHi, test.want)
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
			if !ok || !near(s.Min, test.scale.Min) || !near(s.Max, test.scale.Max) || !slices.EqualFunc(ticks, test.ticks, near) {
				t.Errorf("got %v %v, want %v %v", s, ticks, test.scale, test.ticks)
			}
		})
	}
	if _, _, ok := Nice(math.NaN(), 1, false, false, 4); ok {
		t.Error("a scale of no number")
	}
}

// TestNiceHolds checks that a scale contains all values and all its ticks. The ticks are in order, and their number is limited.
func TestNiceHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e9, 1e9).Draw(t, "lo")
		hi := lo + rapid.Float64Range(0, 1e9).Draw(t, "length")
		want := rapid.IntRange(2, 8).Draw(t, "want")
		s, ticks, ok := Nice(lo, hi, rapid.Bool().Draw(t, "fixLo"), rapid.Bool().Draw(t, "fixHi"), want)
		slack := (s.Max - s.Min) * 1e-6
		if !ok || !(s.Max > s.Min) || s.Min > lo+slack || s.Max < hi-slack {
			t.Fatalf("%v to %v: got %v", lo, hi, s)
		}
		if len(ticks) > want+2 || !slices.IsSorted(ticks) {
			t.Fatalf("%v to %v: got %d ticks, want at most about %d: %v", lo, hi, len(ticks), want, ticks)
		}
		for _, v := range ticks {
			if at := s.At(v); at < -1e-6 || at > 1+1e-6 {
				t.Fatalf("tick %v is off the scale %v", v, s)
			}
		}
	})
}

func TestTimes(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, berlin)
	}
	nepal := time.FixedZone("+0545", (5*60+45)*60)
	tests := []struct {
		name     string
		from, to time.Time
		want     int
		ticks    string
		unit     Unit
	}{
		{"a quarter of an hour", at(5, 15, 10, 3), at(5, 15, 10, 18), 4, "10:05 10:10 10:15", Minutes},
		{"half hours in Nepal", time.Date(2026, 5, 15, 12, 7, 0, 0, nepal), time.Date(2026, 5, 15, 13, 40, 0, 0, nepal), 4, "12:30 13:00 13:30", Minutes},
		{"a day", at(5, 15, 10, 24), at(5, 16, 10, 24), 5, "12:00 18:00 00:00 06:00", Hours},
		{"the night of 25 hours", at(10, 24, 20, 0), at(10, 25, 12, 0), 6, "21:00 00:00 03:00 06:00 09:00 12:00", Hours},
		{"the night of 23 hours", at(3, 28, 20, 0), at(3, 29, 12, 0), 6, "21:00 00:00 03:00 06:00 09:00 12:00", Hours},
		{"a week", at(5, 15, 10, 0), at(5, 22, 10, 0), 8, "00:00 00:00 00:00 00:00 00:00 00:00 00:00", Days},
		{"a year", at(1, 15, 0, 0), at(12, 31, 0, 0), 5, "00:00 00:00 00:00", Months},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ticks, unit := Times(test.from, test.to, test.want)
			got := ""
			for i, tick := range ticks {
				if i > 0 {
					got += " "
				}
				got += tick.Format("15:04")
			}
			if got != test.ticks || unit != test.unit {
				t.Errorf("got %s, unit %d, want %s, unit %d", got, unit, test.ticks, test.unit)
			}
		})
	}
	if ticks, _ := Times(at(5, 1, 0, 0), at(5, 1, 0, 0), 4); ticks != nil {
		t.Errorf("no span: got %v", ticks)
	}
}

// TestTimesEnd checks the ticks for any span in any time zone. They are in order and inside the span, and there are not too many.
func TestTimesEnd(t *testing.T) {
	zones := []string{"UTC", "Europe/Berlin", "America/Santiago", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"}
	rapid.Check(t, func(t *rapid.T) {
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		from := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "from"), 0).In(zone)
		to := from.Add(time.Duration(rapid.Int64Range(1, 3e9).Draw(t, "span")) * time.Second)
		want := rapid.IntRange(1, 12).Draw(t, "want")
		ticks, _ := Times(from, to, want)
		if len(ticks) > want+1 {
			t.Fatalf("%d ticks, want at most %d", len(ticks), want+1)
		}
		for i, tick := range ticks {
			if tick.Before(from) || tick.After(to) || i > 0 && !tick.After(ticks[i-1]) {
				t.Fatalf("ticks %v from %v to %v", ticks, from, to)
			}
		}
	})
}

// TestTimesWithoutMidnight checks spans around a day that begins at 01:00, because clocks are set forward at midnight.
func TestTimesWithoutMidnight(t *testing.T) {
	for zone, gap := range map[string]string{"America/Santiago": "2026-09-06", "America/Havana": "2026-03-08", "Atlantic/Azores": "2026-03-29"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		day, _ := time.ParseInLocation(time.DateTime, gap+" 12:00:00", loc)
		for _, days := range []int{-3, -1, 0} {
			from := day.AddDate(0, 0, days)
			ticks, unit := Times(from, from.AddDate(0, 0, 7), 8)
			for i, tick := range ticks {
				if want := from.AddDate(0, 0, i+1).Day(); tick.Day() != want || unit != Days {
					t.Errorf("%s from %v: tick %d is %v, want the day %d", zone, from, i, tick, want)
				}
			}
			if len(ticks) != 7 {
				t.Errorf("%s from %v: %d ticks, want 7", zone, from, len(ticks))
			}
		}
	}
}
