package arrange

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestRowsAreMirrored checks that rows and columns with their dividers are mirrored in languages that are written from right to left.
func TestRowsAreMirrored(t *testing.T) {
	width := 0
	for _, kind := range []string{
		"row, divider: true, gap: 10px", "row, justify: end, gap: 10px", "column, align: start", "column, align: end", "column, align: center",
	} {
		places := func(locale string) (all []image.Rectangle) {
			const kids = "{widget: text, text: abc, size: fit, style: body}, {widget: text, text: abcdefgh, size: fit, style: body}"
			file := "widgets: [{widget: " + kind + ", children: [" + kids + "]}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, 200), Locale: locale}, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				w := walltest.Only[*kit.Frame](d).Inner.(*Line)
				width = w.size.X
				for _, k := range w.Children {
					all = append(all, k.Rect)
				}
				all = append(all, w.rules...)
			})
			return all
		}
		left, right := places("en-GB"), places("he")
		if len(left) != len(right) || left[0].Empty() {
			t.Fatalf("%s: %v, %v", kind, left, right)
		}
		for i, r := range left {
			if want := image.Rect(width-r.Max.X, r.Min.Y, width-r.Min.X, r.Max.Y); right[i] != want {
				t.Errorf("%s, %d: %v is %v in Hebrew, want %v", kind, i, r, right[i], want)
			}
		}
	}
}
