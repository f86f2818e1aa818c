package clock

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestNameOnTwoLines checks that a clock without a time does not cut a name. If even the smallest face is too wide, the name has two lines.
// The date below it stays if there is room for it.
func TestNameOnTwoLines(t *testing.T) {
	const folded = "Médiathèque de|la Gare"
	for _, tt := range []struct {
		size image.Point
		date string
		want string // start of the lines
	}{
		{image.Pt(130, 100), "Médiathèque de la Gare\\n{EEEE d MMMM}", folded + "|"},
		{image.Pt(130, 70), "Médiathèque de la Gare\\n{EEEE d MMMM}", folded},
		{image.Pt(130, 60), "Médiathèque de la Gare\\n{EEEE d MMMM}", "Médiathèque de la Gare|"},
		{image.Pt(130, 100), "Bibliothekszentralverwaltung\\n{EEEE d MMMM}", "Bibliothekszentralverwaltung|"},
		{image.Pt(400, 100), "Médiathèque de la Gare\\n{EEEE d MMMM}", "Médiathèque de la Gare|"},
	} {
		y := fmt.Sprintf("widgets: [{widget: clock, time: none, padding: 0, date: %q}]", strings.ReplaceAll(tt.date, `\n`, "\n"))
		walltest.ModernBubble(t, y, walltest.Scene{Size: tt.size}, look.Calm(true), func(d *walltest.Data) {
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*digital)
			var lines []string
			for _, c := range w.dates {
				lines = append(lines, c.Raw)
				if tt.size.Y > 14 && c.Box.Max.Y > tt.size.Y {
					t.Errorf("%v: line %q is at %v", tt.size, c.Raw, c.Box)
				}
			}
			got := strings.Join(lines, "|")
			if !strings.HasPrefix(got, tt.want) || strings.Count(got, "|") != strings.Count(tt.want, "|") {
				t.Errorf("%v, %q: got %q, want %q", tt.size, tt.date, got, tt.want)
			}
		})
	}
}
