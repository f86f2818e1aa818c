package widgets

import (
	"image"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
)

// sparkline draws the past of a value without axes.
func sparkline(b *Builder, s *Spec, v *config.Live[value.Plain], past *value.Duration, size image.Point) render.Widget {
	none := value.Words{"last"}
	w := b.chart(s, &ChartParams{
		Framed: Framed{Empty: " "}, Wording: Wording{Thresholds: nil}, Axes: "none", Smooth: true, History: past, Marks: &none,
		SeriesKeys: SeriesKeys{Value: v, Form: "area"},
	}, size)
	w.bare = true
	return w
}
