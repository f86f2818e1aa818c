package chart

import (
	"image"
	"slices"
	"testing"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// below returns the texts below the plot, in the order in which they were placed.
func (w *chart) below() (texts []string) {
	for _, c := range w.bottom[:w.shownBottom] {
		texts = append(texts, c.Raw)
	}
	return texts
}

// TestChartLabelsTimeBeforeNow checks the labels below a short history. They show the time before now, so they stay in place.
func TestChartLabelsTimeBeforeNow(t *testing.T) {
	for history, want := range map[string][]string{
		"10m": {"now", "10 min", "5 min"}, "1m": {"now", "1 min", "45 s", "30 s", "15 s"},
		"90s": {"now", "1 min", "30 s"}, "2h": {"now", "11:00\u202fAM", "11:30\u202fAM", "12:00\u202fPM"},
	} {
		walltest.ModernBubble(t, "widgets: [{widget: chart, margin: 0, marks: [max], value: !data .p.n, history: "+history+"}]",
			walltest.Scene{Size: image.Pt(520, 200), Picture: image.Pt(1280, 720)}, nil, func(d *walltest.Data) {
				w := walltest.Only[*kit.Frame](d).Inner.(*chart)
				for i := range 3 {
					at := time.Duration(7*i) * time.Second
					d.ByName["p"].Publish(map[string]any{"n": float64(i)}, walltest.T0.Add(at))
					d.Step(at)
				}
				if got := w.below(); !slices.Equal(got, want) {
					t.Errorf("%s: got %q, want %q", history, got, want)
				}
			})
	}
}

// TestListedValuesEndNow checks that the axis of listed values ends with "now" as long as the last value is recent.
func TestListedValuesEndNow(t *testing.T) {
	e := walltest.TestEnv()
	e.Picture = image.Pt(1280, 720)
	f := walltest.BuildOne[*kit.Frame](t, e, "{widget: chart, margin: 0, values: "+walltest.Curve(48, 1200, 0)+"}", image.Pt(800, 300))
	w, r := f.Inner.(*chart), render.New(f, image.Pt(800, 300))
	for after, want := range []bool{true, true, false} { // 2 % of two days are almost an hour
		r.Step(walltest.After(time.Duration(after) * 50 * time.Minute))
		if got := slices.Contains(w.below(), "now"); got != want {
			t.Errorf("%d min after the last value: got %q, want now: %v", 50*after, w.below(), want)
		}
	}
}
