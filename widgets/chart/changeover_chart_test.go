package chart

import (
	"image"
	"math"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/history"
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

// TestBucketsOfAChangeover checks that periods of days begin at midnight, also after a clock change. The day of the change has 23 or 25
// hours.
func TestBucketsOfAChangeover(t *testing.T) {
	zone := walltest.Berlin(t)
	for day, hours := range map[string]float64{"25 hours": 25, "23 hours": 23} {
		change := walltest.Changeovers(zone)[day]
		var in []history.Datum
		for at, end := change.AddDate(0, 0, -1), change.AddDate(0, 0, 3); at.Before(end); at = at.Add(time.Hour) {
			in = append(in, history.Datum{At: history.Seconds(at), V: 1})
		}
		got := bucket(in, 86400, "sum", zone)
		if len(got) != 4 {
			t.Fatalf("%s: got %d days, want 4: %v", day, len(got), got)
		}
		for i, want := range []float64{24, hours, 24, 24} {
			if at := history.Moment(got[i].At).In(zone); got[i].V != want || at.Hour() != 0 {
				t.Errorf("%s: day %d from %v: got %v hours, want %v from midnight", day, i, at, got[i].V, want)
			}
		}
	}
}
