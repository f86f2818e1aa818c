package chart

import (
	"image"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// Sparkline draws the history of a value without axes. If the card has an accent color, the curve has this color. Beyond a limit that has
// a color, the curve has the color of the limit.
func Sparkline(b *kit.Builder, s *kit.Spec, v *config.Live[value.Plain], past *value.Duration, ink *config.Live[theme.RoleColor], limits []format.Range, size image.Point) render.Widget {
	none := value.Words{"last"}
	var colored []format.Range
	for _, l := range limits {
		if l.Color != nil {
			// The new range has no text, because the card shows the text.
			colored = append(colored, format.Range{Above: l.Above, Below: l.Below, Color: l.Color})
		}
	}
	w := newChart(b, s, &ChartParams{
		Framed: kit.Framed{Empty: " "}, Wording: format.Wording{Thresholds: colored}, Axes: "none", Smooth: true, History: past, Marks: &none,
		SeriesKeys: SeriesKeys{Value: v, Form: "area"}, Typed: kit.Typed{Color: ink},
	}, size)
	w.bare = true
	return w
}
