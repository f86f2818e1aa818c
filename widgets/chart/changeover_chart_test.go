package chart

import (
	"image"
	"math"
	"testing"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestChartOfAChangeover checks the hour labels below a chart of a day with a clock change. Each
// label is below its position in time, so noon is not in the middle.
func TestChartOfAChangeover(t *testing.T) {
	zone := walltest.Berlin(t)
	for day, share := range map[string]float64{"25 hours": 13.0 / 25, "23 hours": 11.0 / 23} {
		e, size := walltest.TestEnv(), image.Pt(500, 240)
		e.Picture, e.Location, e.Locale = image.Pt(1280, 720), zone, walltest.TestLocale(t, "en-GB")
		f := walltest.BuildOne[*kit.Frame](t, e, "{widget: chart, margin: 0, values: "+walltest.Hourly(walltest.Changeovers(zone)[day])+"}", size)
		render.New(f, size).Step(walltest.T0)
		w := f.Inner.(*chart)
		noon := image.Rectangle{}
		for _, c := range w.bottom[:w.shownBottom] {
			if c.Raw == "12:00" {
				noon = c.Box
			}
		}
		if at, want := float64(noon.Min.X+noon.Max.X)/2, float64(w.plot.Min.X)+share*float64(w.plot.Dx()); math.Abs(at-want) > 2 {
			t.Errorf("%s: noon stands at %v, want %v", day, at, want)
		}
	}
}
