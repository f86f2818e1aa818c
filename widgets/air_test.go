package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/provider/weather"
	"dashboard/theme/look"
)

// airOf is a report of the air alone.
func airOf(index, uv, grass, birch weather.Number) *weather.Report {
	n := weather.None
	return &weather.Report{Current: sampleReport().Current, Air: &weather.Air{At: t0, Index: index, UV: uv, Pollen: [6]weather.Number{grass, birch, 0, 0, n, n}}}
}

func TestAirGolden(t *testing.T) {
	usual, all := image.Pt(350, 220), "{widget: airquality, parts: [index, pollen, uv]}"
	modernSheet(t, "modern-airquality", []scene{
		{size: usual, widget: "{widget: airquality}", feed: reports(airOf(32, 4, 18, 24))},
		{size: usual, widget: "{widget: airquality}", feed: reports(airOf(130, 4, 18, 24)), locale: "de"},
		{size: image.Pt(350, 400), widget: all, feed: reports(airOf(55, 7, 25, 20))},
		{size: usual, widget: "{widget: airquality, parts: [pollen, uv], title: Pollen}", feed: reports(airOf(55, weather.None, 0, 0))},
		{size: usual, widget: "{widget: airquality}"},
		{size: usual, widget: all, feed: reports(airOf(55, 2, 25, 20)), after: 3 * time.Hour, locale: "he"},
		{size: image.Pt(150, 80), picture: image.Pt(320, 240), widget: "{widget: airquality}", feed: reports(airOf(12, 1, 1, 1))},
	})
}

func TestMoonGolden(t *testing.T) {
	const moon = "{widget: moon}"
	day := 24 * time.Hour
	modernSheet(t, "modern-moon", []scene{
		{size: image.Pt(400, 220), widget: moon},
		{size: image.Pt(400, 220), widget: moon, after: 3 * day, locale: "de"},
		{size: image.Pt(400, 220), widget: "{widget: moon, location: {latitude: -34, longitude: 151}}", after: 9 * day},
		{size: image.Pt(220, 330), widget: moon, after: 13 * day},
		{size: image.Pt(220, 330), widget: moon, after: 18 * day, locale: "he"},
		{size: image.Pt(90, 80), picture: image.Pt(320, 240), widget: moon, after: 22 * day},
	})
}

// TestClasses: numbers at a bound belong above it.
func TestClasses(t *testing.T) {
	for v, want := range map[float64]int{0: 0, 19.9: 0, 20: 1, 99: 4, 100: 5, 500: 5} {
		if got := class(v, airBounds[:]); got != want {
			t.Errorf("%v: got class %d, want %d", v, got, want)
		}
	}
}

func TestSkyAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, widget := range []string{"{widget: moon}", "{widget: airquality, parts: [index, pollen, uv]}"} {
		s := scene{size: image.Pt(400, 300)}
		modernBubble(t, "widgets: ["+widget+"]\n", s, look.Calm(true), func(d *data) {
			reports(airOf(32, 4, 18, 24))(d)
			d.step(time.Second)
			if damage, _ := d.step(2 * time.Second); len(damage) != 0 {
				t.Errorf("%s: unchanged: damage %v", widget, damage)
			}
			if got := testing.AllocsPerRun(20, func() { d.r.Step(t0.Add(3 * time.Second)) }); got != 0 {
				t.Errorf("%s: unchanged: got %v allocations", widget, got)
			}
			if got := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(t0.Add(3 * time.Second)) }); got != 0 {
				t.Errorf("%s: painted whole: got %v allocations", widget, got)
			}
		})
	}
}
