package arrange

import (
	"image"
	"slices"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestInkRules checks that on e-paper the lines between rows begin and end at the texts, and that the lines above or below one area are one
// line. In other themes the lines meet.
func TestInkRules(t *testing.T) {
	const file = `
widgets:
  - widget: layout
    margin: 0
    gap: 10px
    divider: true
    areas: [a b, c c, d e, f g]
    children: [{widget: card, area: a, value: 1}, {widget: card, area: b, value: 1}, {widget: card, area: c, value: 1},
      {widget: card, area: d, value: 1}, {widget: card, area: e, value: 1}, {widget: card, area: f, value: 1}, {widget: card, area: g, value: 1}]
`
	for name, want := range map[string][]image.Rectangle{
		"eink": {
			image.Rect(12, 177, 708, 180), image.Rect(12, 359, 708, 362), image.Rect(12, 542, 343, 545), image.Rect(377, 542, 708, 545),
			image.Rect(359, 0, 361, 178), image.Rect(359, 360, 361, 543), image.Rect(359, 543, 361, 720),
		},
		"calm": {image.Rect(0, 178, 720, 179), image.Rect(0, 360, 720, 361), image.Rect(360, 0, 361, 178)},
	} {
		l, _ := look.Named(name, false)
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(720, 720)}, l, func(d *walltest.Data) {
			got := walltest.Only[*kit.Frame](d).Inner.(*layout).rules
			for _, r := range want {
				if !slices.Contains(got, r) {
					t.Errorf("%s: no line %v in %v", name, r, got)
				}
			}
			if name == "eink" && len(got) != len(want) {
				t.Errorf("got the lines %v, want %v", got, want)
			}
		})
	}
}
