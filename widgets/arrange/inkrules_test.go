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

// TestInkRulesInAnyOrder checks that the lines above one area are one line, in any order of the children and without a gap too.
func TestInkRulesInAnyOrder(t *testing.T) {
	l, _ := look.Named("eink", false)
	for _, gap := range []string{"10px", "0"} {
		for _, order := range []string{"abcd", "acbd", "bcad", "dcab"} {
			file := "widgets: [{widget: layout, margin: 0, divider: true, gap: " + gap + ", areas: [a b c, d d d], children: ["
			for _, area := range order {
				file += "{widget: card, value: 1, area: " + string(area) + "}, "
			}
			walltest.ModernBubble(t, file+"]}]", walltest.Scene{Size: image.Pt(720, 720)}, l, func(d *walltest.Data) {
				var across []image.Rectangle
				for _, r := range walltest.Only[*kit.Frame](d).Inner.(*layout).rules {
					if r.Dx() > r.Dy() {
						across = append(across, r)
					}
				}
				if len(across) != 1 || across[0].Dx() < 690 {
					t.Errorf("gap %s, order %s: got the lines %v", gap, order, across)
				}
			})
		}
	}
}
