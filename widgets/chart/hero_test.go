package chart

import (
	"image"
	"math"
	"testing"
	"time"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/walltest"
)

// TestHero checks a chart of one value over time. If there is room, the chart shows its last number in large text. If the number exceeds
// a limit, it has the color of the limit. The number must not overlap the plot.
func TestHero(t *testing.T) {
	for _, tt := range []struct {
		name, keys string
		size       image.Point
		figure     string
	}{
		{"beside", "", image.Pt(700, 300), "5"},
		{"above", "", image.Pt(400, 400), "5"},
		{"narrow, with a long unit", "unit: megawatt", image.Pt(170, 500), "5"},
		{"small", "", image.Pt(300, 150), ""},
		{"bars", "kind: bar", image.Pt(700, 300), ""},
		{"marks", "marks: [max]", image.Pt(700, 300), ""},
		{"limit", "thresholds: [{above: 4, color: '#ff0000'}]", image.Pt(700, 300), "5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := "widgets: [{widget: chart, margin: 0, value: !data .p.n, history: 1h, " + tt.keys + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size, Picture: image.Pt(1280, 720)}, nil, func(d *walltest.Data) {
				d.ByName["p"].Publish(map[string]any{"n": 3.0}, walltest.T0)
				d.Step(0)
				d.ByName["p"].Publish(map[string]any{"n": 5.0}, walltest.T0.Add(60e9))
				d.Step(61e9)
				w, ok := walltest.Only[*kit.Frame](d).Inner.(*heroChart)
				if ok != (tt.figure != "") {
					t.Fatalf("large figure: %v, want %q", ok, tt.figure)
				}
				if !ok {
					return
				}
				if w.figure.Raw != tt.figure {
					t.Errorf("got %q, want %q", w.figure.Raw, tt.figure)
				}
				if w.extents.Ink.Overlaps(w.figure.Ink.Union(w.unit.Ink)) || w.latest != nil {
					t.Errorf("the range %q is over the figure, or the last number is shown twice", w.extents.Raw)
				}
				if plot := w.plot.Add(w.at.Min); plot.Overlaps(w.figure.Ink) || plot.Overlaps(w.extents.Ink) {
					t.Errorf("the plot %v covers %v or %v", plot, w.figure.Ink, w.extents.Ink)
				}
				if red := w.ink.R == 255 && w.ink.G == 0; red != (tt.name == "limit") {
					t.Errorf("the figure is %v", w.ink)
				}
			})
		})
	}
}

// TestHeroTellsHowLong checks the duration for which the values of a series were at or above a limit. Gaps do not count.
func TestHeroTellsHowLong(t *testing.T) {
	at := func(minutes int) float64 {
		return float64(walltest.T0.Add(time.Duration(minutes) * time.Minute).Unix())
	}
	points := []history.Datum{{At: at(0), V: 3}, {At: at(10), V: 5}, {At: at(20), V: 4}, {At: at(25), V: math.NaN()}, {At: at(40), V: 9}, {At: at(41), V: 1}}
	if got := exceeded(points, 4); got != 16*time.Minute {
		t.Errorf("got %v above 4, want 16 min", got)
	}
	if got := exceeded(nil, 4); got != 0 {
		t.Errorf("got %v without values", got)
	}
}
