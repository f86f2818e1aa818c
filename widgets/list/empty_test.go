package list

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestEmptyBoards checks that a table and a board of departures without rows show their text below
// an icon. A low card has no room for the icon. The text disappears when the first row arrives.
func TestEmptyBoards(t *testing.T) {
	for _, kind := range []string{"departures", "table"} {
		for high, iconic := range map[int]bool{200: true, 40: false} {
			file := "widgets: [{widget: " + kind + ", empty: Nothing today, items: !data .p, " + walltest.BareCard
			if kind == "table" {
				file += "columns: [{value: !data .item.line}]"
			}
			walltest.ModernBubble(t, file+"}]", walltest.Scene{Size: image.Pt(400, high)}, look.Calm(true), func(d *walltest.Data) {
				texts := func() (below, line string) {
					switch w := walltest.Only[*kit.Frame](d).Inner.(type) {
					case *departures:
						return w.none.Text(), string(w.empty.Raw)
					case *table:
						return w.none.Text(), string(w.more.Raw)
					}
					return "", ""
				}
				d.ByName["p"].Publish([]any{}, walltest.T0)
				d.Step(0)
				below, line := texts()
				if iconic && (below != "Nothing today" || line != "") || !iconic && (below != "" || line != "Nothing today") {
					t.Errorf("%s, %d px: %q below the icon, %q without it", kind, high, below, line)
				}
				d.ByName["p"].Publish(walltest.Departures(1), walltest.T0)
				d.Step(time.Second)
				if below, line := texts(); below != "" || line != "" {
					t.Errorf("%s with a row, %d px: %q below the icon, %q without it", kind, high, below, line)
				}
			})
		}
	}
}
