package moon

import (
	"math"
	"testing"
	"time"
)

// `known` are phases that the U.S. Naval Observatory has published.
var known = []struct {
	at    string
	angle float64
}{
	{"2024-04-08T18:21:00Z", New}, {"2025-03-14T06:55:00Z", Full}, {"2025-05-04T13:52:00Z", FirstQuarter}, {"2025-05-12T16:56:00Z", Full},
	{"2025-05-20T11:59:00Z", LastQuarter}, {"2025-05-27T03:02:00Z", New}, {"2025-09-07T18:09:00Z", Full}, {"2026-03-03T11:38:00Z", Full}, {"2026-08-12T17:37:00Z", New},
}

// TestKnown checks that Next finds each phase with an error of at most an hour. The search starts on each of the 28 days before the
// phase.
func TestKnown(t *testing.T) {
	for _, k := range known {
		at, err := time.Parse(time.RFC3339, k.at)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(turn(Angle(at)-k.angle+180) - 180); off > 0.5 {
			t.Errorf("%s: %.2f degrees off", k.at, off)
		}
		for back := 1; back < 29; back++ {
			if got := Next(at.AddDate(0, 0, -back), k.angle); got.Sub(at).Abs() > time.Hour {
				t.Errorf("%s, from %d days before: got %v", k.at, back, got)
			}
		}
		if Phase(Angle(at)) != int(k.angle)/45 || Phase(Angle(at.Add(-9*time.Hour))) != int(k.angle)/45 {
			t.Errorf("%s is called phase %d", k.at, Phase(Angle(at)))
		}
		if Phase(Angle(at.Add(48*time.Hour))) != int(k.angle)/45+1 {
			t.Errorf("two days after %s is called phase %d", k.at, Phase(Angle(at.Add(48*time.Hour))))
		}
	}
}

func TestLit(t *testing.T) {
	for angle, want := range map[float64]float64{0: 0, 90: 0.5, 180: 1, 270: 0.5, 60: 0.25} {
		if got := Lit(angle); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: got %v", angle, got)
		}
	}
}
