package chart

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestMarksKeepTheFigure checks that a chart that marks its highest and its last value also shows the last number in large text.
func TestMarksKeepTheFigure(t *testing.T) {
	for marks, want := range map[string]string{"": "212", ", marks: [max, last]": "212", ", marks: [max]": "", ", marks: [none]": ""} {
		file := "widgets: [{widget: chart, values: !data .p" + marks + "}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(800, 300)}, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish([]any{1.0, 5.0, 212.0}, walltest.T0)
			d.Step(0)
			got := ""
			if w, ok := walltest.Only[*kit.Frame](d).Inner.(*heroChart); ok {
				got = w.figure.Raw
			}
			if got != want {
				t.Errorf("%q: the figure is %q, want %q", marks, got, want)
			}
		})
	}
}

// TestMarkHasTheColorOfTheLine checks a peak above a limit: its mark has the color of the limit, and the last mark has the color of the
// series. The line does not cross the label of the peak, which has no room above the peak.
func TestMarkHasTheColorOfTheLine(t *testing.T) {
	file := "widgets: [{widget: chart, card: false, padding: 0, margin: 0, values: !data .p, marks: [max, last], max: 400, " +
		"thresholds: [{above: 300, color: '#ff0000'}]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(800, 200)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish([]any{100.0, 120.0, 90.0, 398.0, 330.0, 310.0, 120.0, 100.0, 212.0}, walltest.T0)
		d.Step(0)
		s := walltest.Only[*kit.Frame](d).Inner.(*heroChart).series[0]
		if last, peak := s.tips[0].color, s.tips[1].color; last != s.ink || peak.R != 255 || peak.G != 0 {
			t.Errorf("got the colors %v and %v", last, peak)
		}
		if s.high.Raw != "398" || s.crosses(s.high.Ink) {
			t.Errorf("the line crosses %q in %v", s.high.Raw, s.high.Ink)
		}
	})
}
