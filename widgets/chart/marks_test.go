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
