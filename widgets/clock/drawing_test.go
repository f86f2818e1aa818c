package clock

import (
	"bytes"
	"image"
	"math"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"
)

// drawn() returns the picture of a drawing on a day.
func drawn(t *testing.T, params string, at time.Time) *image.RGBA {
	t.Helper()
	s, r := walltest.Parse(t, "background_color: black\nwidgets: [{widget: drawing, margin: 0, "+params+"}]")
	root := screen.Build(walltest.Builder(walltest.TestEnv()), s, image.Pt(320, 200))
	if r.Failed() {
		t.Fatal(r)
	}
	show := render.New(root, image.Pt(320, 200))
	show.Step(at)
	return show.Frame()
}

// TestDrawings checks that a drawing stays the same all day and after a restart, and that the next day has another drawing. For the kinds
// "year" and "tide", another seed also gives another drawing. A drawing is not empty and not a filled area.
func TestDrawings(t *testing.T) {
	morning, evening := walltest.T0.Truncate(24*time.Hour).Add(time.Hour), walltest.T0.Truncate(24*time.Hour).Add(23*time.Hour)
	for _, kind := range []string{"year", "sun", "tide", "auto"} {
		one := drawn(t, "kind: "+kind, morning)
		if !bytes.Equal(one.Pix, drawn(t, "kind: "+kind, evening).Pix) {
			t.Errorf("%s: the evening has another drawing than the morning", kind)
		}
		if bytes.Equal(one.Pix, drawn(t, "kind: "+kind, morning.Add(24*time.Hour)).Pix) {
			t.Errorf("%s: two days have one drawing", kind)
		}
		if other := drawn(t, "kind: "+kind+", seed: x", morning); kind != "sun" && kind != "auto" && bytes.Equal(one.Pix, other.Pix) {
			t.Errorf("%s: two seeds have one drawing", kind)
		}
		lit := 0
		for i := 0; i < len(one.Pix); i += 4 {
			if one.Pix[i]|one.Pix[i+1]|one.Pix[i+2] > 40 {
				lit++
			}
		}
		if share := float64(lit) / (320 * 200); share < 0.02 || share > 0.6 {
			t.Errorf("%s: %.0f %% of the pixels are lines", kind, 100*share)
		}
	}
}

// TestYearHasEveryDay checks that the ring of a year has a line for each day, on the first day of the year as well as on the last day.
func TestYearHasEveryDay(t *testing.T) {
	for _, day := range []time.Time{time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC), time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC)} {
		img := drawn(t, "kind: year", day)
		for d := range 365 {
			sin, cos := math.Sincos(2*math.Pi*float64(d)/365 - math.Pi/2)
			r := 98 * (ringInner + ringLeast/2) // the middle of the shortest lines
			if c := img.RGBAAt(160+int(math.Floor(r*cos)), 100+int(math.Floor(r*sin))); c.R|c.G|c.B < 10 {
				t.Errorf("%s: day %d has no line: got %v", day.Format(time.DateOnly), d, c)
			}
		}
	}
}

// TestDrawingAtMidnight checks that the drawing changes only at midnight, and that other frames allocate no memory.
func TestDrawingAtMidnight(t *testing.T) {
	s, _ := walltest.Parse(t, "widgets: [{widget: drawing, kind: tide}]")
	show := render.New(screen.Build(walltest.Builder(walltest.TestEnv()), s, image.Pt(320, 200)), image.Pt(320, 200))
	midnight := walltest.T0.Truncate(24 * time.Hour).Add(24 * time.Hour)
	show.Step(walltest.T0)
	if damage, next := show.Step(walltest.T0.Add(time.Hour)); len(damage) != 0 || !next.Equal(midnight) {
		t.Errorf("an hour later %v is damaged, and the next pass is at %v", damage, next)
	}
	if n := testing.AllocsPerRun(9, func() { show.Step(walltest.T0.Add(2 * time.Hour)) }); n != 0 && !walltest.RaceEnabled {
		t.Errorf("got %v allocations", n)
	}
	if damage, _ := show.Step(midnight); len(damage) == 0 {
		t.Error("midnight changes nothing")
	}
}
