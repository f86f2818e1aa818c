package chart

import (
	"image"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// Sparkline returns a widget that draws the history of a value without axes.
func Sparkline(b *kit.Builder, s *kit.Spec, v *config.Live[value.Plain], past *value.Duration, size image.Point) render.Widget {
	none := value.Words{"last"}
	w := newChart(b, s, &ChartParams{
		Framed: kit.Framed{Empty: " "}, Wording: kit.Wording{Thresholds: nil}, Axes: "none", Smooth: true, History: past, Marks: &none,
		SeriesKeys: SeriesKeys{Value: v, Form: "area"},
	}, size)
	w.bare = true
	return w
}
