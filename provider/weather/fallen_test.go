package weather

import "testing"

// TestRainOfTheGuide: the thresholds of light and heavy rain and snow are from the WMO's guide (see moderateRain). A rate at a threshold
// belongs to the stronger class.
func TestRainOfTheGuide(t *testing.T) {
	for _, c := range []struct {
		kind, want Kind
		rate       Number
	}{
		{Rain, LightRain, 2.4}, {Rain, Rain, 2.5}, {Rain, Rain, 9.9}, {Rain, HeavyRain, 10},
		{Snow, LightSnow, 0.9}, {Snow, Snow, 1}, {Snow, Snow, 4.9}, {Snow, HeavySnow, 5}, {Fog, Fog, 20},
	} {
		if got := fallen(c.kind, c.rate); got != c.want {
			t.Errorf("%v at %v: got %v, want %v", c.kind, c.rate, got, c.want)
		}
	}
}
