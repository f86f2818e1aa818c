package chart

import (
	"image"
	"slices"
	"testing"

	"dashboard/widgets/walltest"
)

// TestMarksKeepTheFigure: a chart that marks its highest and its last value has the last one as a figure, too.
func TestMarksKeepTheFigure(t *testing.T) {
	e := walltest.TestEnv()
	e.Locale, e.Picture = walltest.TestLocale(t, "en"), image.Pt(1280, 720)
	for marks, want := range map[string]bool{"": true, ", marks: [max, last]": true, ", marks: [max]": false, ", marks: none": false} {
		widget := "{widget: chart, values: [1, 5, 212]" + marks + "}"
		words := walltest.ShowThemed(t, e, "calm", true, widget, image.Pt(800, 300)).Words()
		if got := slices.Contains(words, "212"); got != want {
			t.Errorf("%q: got %q, the figure: %v", marks, words, want)
		}
	}
}
