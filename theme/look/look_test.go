package look_test

import (
	"math"
	"testing"

	"dashboard/theme"
	"dashboard/theme/look"
)

// TestContrast checks that every role is readable on the backgrounds on which it is drawn.
func TestContrast(t *testing.T) {
	floors := map[string]float64{
		// The limit for "sun" is lower, because drawings of the sun are always next to words.
		"text": 4.5, "muted": 4.5, "faint": 2.5, "accent": 3, "good": 3, "warn": 3, "bad": 3, "cold": 3, "warm": 3, "sun": 2.2,
		"series1": 3, "series2": 3, "series3": 3, "series4": 3, "series5": 3, "series6": 3,
	}
	for _, night := range []bool{false, true} {
		l := look.Calm(night)
		for _, role := range theme.Roles() {
			if _, ok := l.Colors[role]; !ok {
				t.Errorf("night %v: no color %s", night, role)
			}
		}
		for role, floor := range floors {
			for _, under := range []string{"background", "surface"} {
				if c := look.Contrast(l.Colors[role], l.Colors[under]); c < floor {
					t.Errorf("night %v: %s on %s has a contrast of %.2f, want %.1f", night, role, under, c, floor)
				}
			}
		}
	}
}

func TestSizes(t *testing.T) {
	for _, test := range []struct {
		style   string
		shorter int
		want    float64
	}{
		{"display", 720, 160}, {"display", 480, 126}, {"display", 240, 84}, {"display", 100, 84}, {"display", 1080, 240},
		{"label", 480, 14}, {"body", 360, 17.5}, {"title", 240, 20}, {"figure", 600, 64},
	} {
		l := look.Calm(true)
		if got := l.Styles[test.style].Size * look.Type(test.style, test.shorter); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s at %d: got %v, want %v", test.style, test.shorter, got, test.want)
		}
	}
	if got := look.Lengths(1440); got != 2 {
		t.Errorf("lengths at 1440: got %v", got)
	}
	if got := look.Lengths(180); got != 0.5 {
		t.Errorf("lengths at 180: got %v", got)
	}
}
