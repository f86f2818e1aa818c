package sun

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestCrossingOffsets checks offsets that move the end of the day before its start. Such offsets must not exchange day and night.
func TestCrossingOffsets(t *testing.T) {
	for _, tc := range []struct {
		name      string
		s         Schedule
		on        time.Time
		want      Mode
		rise, set int
	}{
		{"Reykjavik in June, day longer at both ends", Schedule{Lat: 64.15, Lon: -21.94}, time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC), Day, -90, 90},
		{"Oslo in December, day shorter at both ends", Schedule{Lat: 59.91, Lon: 10.75}, time.Date(2026, 12, 21, 0, 0, 0, 0, time.UTC), Night, 180, -180},
	} {
		tc.s.SunriseOffset, tc.s.SunsetOffset = time.Duration(tc.rise)*time.Minute, time.Duration(tc.set)*time.Minute
		for m := range 24 * 60 {
			at := tc.on.Add(time.Duration(m) * time.Minute)
			if got := tc.s.Mode(at); got != tc.want {
				t.Fatalf("%s: %v: got %s, want %s", tc.name, at, got, tc.want)
			}
		}
		if c, ok := tc.s.NextChange(tc.on); ok && c.At.Before(tc.on.Add(24*time.Hour)) {
			t.Errorf("%s: a change at %v", tc.name, c)
		}
	}
}

// inFull is true with the flag -long, which `make long` sets.
var inFull = flag.Bool("long", false, "400 places of the earth instead of 40")

// TestModeIsMembership checks the mode at random places and times with random offsets. The mode must be day exactly from a sunrise plus
// its offset to the following sunset plus its offset. Changes must occur only at these times, and must alternate between day and night.
func TestModeIsMembership(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	places := 20
	if *inFull {
		places = 400
	}
	for range places {
		s := Schedule{
			Lat: rng.Float64()*180 - 90, Lon: rng.Float64()*360 - 180,
			SunriseOffset: time.Duration(rng.IntN(721)-360) * time.Minute, SunsetOffset: time.Duration(rng.IntN(721)-360) * time.Minute,
		}
		at := time.Unix(1750000000+rng.Int64N(4*365*86400), 0).UTC()
		risen := up(at.Add(-5*24*time.Hour), s.Lat, s.Lon)
		var days []span
		if risen {
			days = append(days, span{})
		}
		for c := range crossings(s.Lat, s.Lon, at.Add(-5*24*time.Hour), at.Add(5*24*time.Hour)) {
			if c.rising {
				days = append(days, span{from: c.at.Add(s.SunriseOffset)})
			} else if n := len(days); n > 0 {
				days[n-1].to = c.at.Add(s.SunsetOffset)
			}
		}
		day := func(t time.Time) bool {
			return slices.ContainsFunc(days, func(d span) bool { return !t.Before(d.from) && (d.to.IsZero() || t.Before(d.to)) })
		}
		moments := []time.Time{}
		for range 20 {
			moments = append(moments, at.Add(time.Duration(rng.Int64N(int64(24*time.Hour)))).Truncate(time.Second))
		}
		for _, d := range days { // the first and the last moment of each day, and the moments next to them
			for _, edge := range []time.Time{d.from, d.to} {
				if !edge.Before(at) && edge.Before(at.Add(24*time.Hour)) {
					moments = append(moments, edge, edge.Add(-time.Second), edge.Add(time.Second))
				}
			}
		}
		for _, when := range moments {
			if got := s.Mode(when) == Day; got != day(when) {
				t.Fatalf("%+v at %v: got day %v, want %v (%v)", s, when, got, day(when), days)
			}
			if c, ok := s.NextChange(when); ok {
				if got := s.Mode(c.At); got != c.Mode || s.Mode(c.At.Add(-time.Second)) == c.Mode {
					t.Fatalf("%+v: the change %v is none", s, c)
				}
			}
		}
		all := s.changes(at.Add(-Window), at.Add(Window))
		for i := 1; i < len(all); i++ {
			if all[i].Mode == all[i-1].Mode || !all[i-1].At.Before(all[i].At) {
				t.Fatalf("%+v: changes %v do not alternate", s, all)
			}
		}
	}
}
