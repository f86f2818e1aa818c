package chart

import (
	"image"
	"math"
	"strings"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestHeatmapOfAFewPixels checks a heatmap without room for both cells and labels. It must show the cells and omit the labels.
func TestHeatmapOfAFewPixels(t *testing.T) {
	for _, kind := range []string{"year", "week"} {
		for _, size := range []image.Point{{X: 97, Y: 20}, {X: 97, Y: 30}, {X: 300, Y: 9}} {
			e := walltest.TestEnv()
			e.Picture = image.Pt(320, 240)
			f := walltest.BuildOne[*kit.Frame](t, e, "{widget: heatmap, margin: 0, padding: 0, kind: "+kind+", max: 3, values: ["+strings.Repeat("3, ", 400)+"3]}", size)
			m := render.New(f, size)
			m.Step(walltest.T0)
			w := f.Inner.(*heatmap)
			hot := w.levels[heatLevels].Bounds()
			if hot.Dx() < min(size.X/4, yearWeeks) || hot.Dy() < size.Y/3 || !hot.In(image.Rectangle{Max: size}) {
				t.Errorf("%s %v: the cells are at %v", kind, size, hot)
			}
			if w.shown > 0 && w.b.Face("label").Line+hot.Dy() > size.Y {
				t.Errorf("%s %v: %d labels beside cells of %v", kind, size, w.shown, hot)
			}
			if n := changedPixels(m.Frame()); n < size.X*size.Y/10 {
				t.Errorf("%s %v: %d pixels are painted", kind, size, n)
			}
		}
	}
}

// changedPixels returns the number of pixels whose color differs from the top left pixel.
func changedPixels(m *image.RGBA) (n int) {
	for i := 4; i < len(m.Pix); i += 4 {
		if [4]byte(m.Pix[i:i+4]) != [4]byte(m.Pix[:4]) {
			n++
		}
	}
	return n
}

// TestLevelsBeyondTheScale checks that a number above the configured maximum has the highest level, also if the maximum is not above the
// minimum.
func TestLevelsBeyondTheScale(t *testing.T) {
	for _, c := range []struct {
		v, lo, hi float64
		want      int
	}{
		{10, 0, 5, heatLevels}, {1e300, 0, 1, heatLevels}, {3, 0, 0, heatLevels}, {12, 10, 5, heatLevels}, {0, 0, 0, 0}, {1, 0, 10, 1}, {math.NaN(), 0, 1, 0},
	} {
		if got := levelOf(c.v, c.lo, c.hi); got != c.want {
			t.Errorf("%v from %v to %v: got level %d, want %d", c.v, c.lo, c.hi, got, c.want)
		}
	}
}

// TestHeatmapOfAZoneWithHalfHours checks that the days of a week move at midnight in a zone whose hours do not begin at full hours of UTC.
func TestHeatmapOfAZoneWithHalfHours(t *testing.T) {
	india := time.FixedZone("IST", 5*3600+1800)
	e, size := walltest.TestEnv(), image.Pt(700, 300)
	e.Picture, e.Location, e.Locale = image.Pt(1280, 720), india, walltest.TestLocale(t, "en-GB")
	f := walltest.BuildOne[*kit.Frame](t, e, "{widget: heatmap, kind: week, values: [1, 2, 3]}", size)
	r := render.New(f, size)
	today := func(at time.Time) (day string, next time.Time) {
		_, next = r.Step(at)
		return f.Inner.(*heatmap).labels[6].Raw, next
	}
	midnight := time.Date(2026, 5, 16, 0, 0, 0, 0, india)
	if day, next := today(midnight.Add(-10 * time.Minute)); day != "Fri" || !next.Equal(midnight) {
		t.Errorf("before midnight: got %s until %v, want Fri until midnight", day, next.In(india))
	}
	if day, _ := today(midnight); day != "Sat" {
		t.Errorf("at midnight: got %s, want Sat", day)
	}
}
