package chart

import (
	"image"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
)

// Sparkline draws the past of a value without axes. It uses the accent color of the card, if the card has one.
func Sparkline(b *kit.Builder, s *kit.Spec, v *config.Live[value.Plain], past *value.Duration, ink *config.Live[theme.RoleColor], size image.Point) render.Widget {
	none := value.Words{"last"}
	w := newChart(b, s, &ChartParams{
		Framed: kit.Framed{Empty: " "}, Wording: kit.Wording{Thresholds: nil}, Axes: "none", Smooth: true, History: past, Marks: &none,
		SeriesKeys: SeriesKeys{Value: v, Form: "area"}, Typed: kit.Typed{Color: ink},
	}, size)
	w.bare = true
	return w
}
