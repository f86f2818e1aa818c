package weather

import (
	"image"
	"testing"
	"time"

	"dashboard/provider/weather"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestAirGolden(t *testing.T) {
	usual, all := image.Pt(350, 220), "{widget: airquality, parts: [index, pollen, uv]}"
	walltest.ModernSheet(t, "modern-airquality", []walltest.Scene{
		{Size: usual, Widget: "{widget: airquality}", Feed: walltest.Reports(walltest.AirOf(32, 4, 18, 24))},
		{Size: usual, Widget: "{widget: airquality}", Feed: walltest.Reports(walltest.AirOf(130, 4, 18, 24)), Locale: "de"},
		{Size: image.Pt(350, 400), Widget: all, Feed: walltest.Reports(walltest.AirOf(55, 7, 25, 20))},
		{Size: usual, Widget: "{widget: airquality, parts: [pollen, uv], title: Pollen}", Feed: walltest.Reports(walltest.AirOf(55, weather.None, 0, 0))},
		{Size: usual, Widget: "{widget: airquality}"},
		{Size: usual, Widget: all, Feed: walltest.Reports(walltest.AirOf(55, 2, 25, 20)), After: 3 * time.Hour, Locale: "he"},
		{Size: image.Pt(150, 80), Picture: image.Pt(320, 240), Widget: "{widget: airquality}", Feed: walltest.Reports(walltest.AirOf(12, 1, 1, 1))},
	})
}

func TestMoonGolden(t *testing.T) {
	const moon = "{widget: moon}"
	day := 24 * time.Hour
	walltest.ModernSheet(t, "modern-moon", []walltest.Scene{
		{Size: image.Pt(400, 220), Widget: moon},
		{Size: image.Pt(400, 220), Widget: moon, After: 3 * day, Locale: "de"},
		{Size: image.Pt(400, 220), Widget: "{widget: moon, location: {latitude: -34, longitude: 151}}", After: 9 * day},
		{Size: image.Pt(220, 330), Widget: moon, After: 13 * day},
		{Size: image.Pt(220, 330), Widget: moon, After: 18 * day, Locale: "he"},
		{Size: image.Pt(90, 80), Picture: image.Pt(320, 240), Widget: moon, After: 22 * day},
	})
}

// TestClasses checks that a number equal to a bound belongs to the class above the bound.
func TestClasses(t *testing.T) {
	for v, want := range map[float64]int{0: 0, 19.9: 0, 20: 1, 99: 4, 100: 5, 500: 5} {
		if got := class(v, airBounds[:]); got != want {
			t.Errorf("%v: got class %d, want %d", v, got, want)
		}
	}
}

// TestNoPollen checks that the row of grass is shown if there is no pollen in the air, in any order of the parts.
func TestNoPollen(t *testing.T) {
	for parts, want := range map[string]int{"pollen": 1, "pollen, uv": 2, "uv, pollen": 2, "index, uv, pollen": 2} {
		s := walltest.Scene{Size: image.Pt(400, 600)}
		walltest.ModernBubble(t, "widgets: [{widget: airquality, parts: ["+parts+"]}]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(walltest.AirOf(32, 4, 0, 0))(d)
			d.Step(time.Second)
			if got := walltest.Only[*kit.Frame](d).Inner.(*airquality).used; got != want {
				t.Errorf("%s: got %d rows, want %d", parts, got, want)
			}
		})
	}
}

func TestSkyAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, widget := range []string{"{widget: moon}", "{widget: airquality, parts: [index, pollen, uv]}"} {
		s := walltest.Scene{Size: image.Pt(400, 300)}
		walltest.ModernBubble(t, "widgets: ["+widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(walltest.AirOf(32, 4, 18, 24))(d)
			d.Step(time.Second)
			if damage, _ := d.Step(2 * time.Second); len(damage) != 0 {
				t.Errorf("%s: unchanged: damage %v", widget, damage)
			}
			if got := testing.AllocsPerRun(20, func() { d.R.Step(walltest.T0.Add(3 * time.Second)) }); got != 0 {
				t.Errorf("%s: unchanged: got %v allocations", widget, got)
			}
			if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(walltest.T0.Add(3 * time.Second)) }); got != 0 {
				t.Errorf("%s: painted whole: got %v allocations", widget, got)
			}
		})
	}
}
