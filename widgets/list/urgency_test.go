package list

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/walltest"
)

// TestRowsInAlarmAreUrgent checks that a list or a table with a row in the color "bad" is urgent, even if the row is hidden or on another
// page. On black-and-white themes, other states have the same color but are not urgent.
func TestRowsInAlarmAreUrgent(t *testing.T) {
	for _, params := range []string{
		"widget: list, item: {text: !data .item.n, color: !data .item.c}",
		"widget: list, dwell: 10s, item: {text: !data .item.n, color: !data .item.c}",
		"widget: table, columns: [{value: !data .item.n, color: !data .item.c}]",
	} {
		for name, l := range alarmLooks {
			walltest.ModernBubble(t, "widgets: [{"+params+", items: !data .p, card: false}]", walltest.Scene{Size: image.Pt(400, 85)}, l, func(d *walltest.Data) {
				for colors, want := range map[string]float64{"good good good good": 0, "good warn text good": 0, "good good good bad": 1, "bad good good good": 1} {
					var all []any
					for i, c := range strings.Fields(colors) {
						all = append(all, map[string]any{"n": fmt.Sprint("row ", i), "c": c})
					}
					d.ByName["p"].Publish(all, walltest.T0)
					d.Step(0)
					if got := kit.UrgencyOf(walltest.Only[*kit.Frame](d), walltest.T0); got != want {
						t.Errorf("%s, %s, %s: urgency %v, want %v", params, name, colors, got, want)
					}
				}
			})
		}
	}
}

// TestUrgentValue checks that only a value in the color "bad" is urgent. On black-and-white themes, a value is urgent only if the name of
// its color is "bad".
func TestUrgentValue(t *testing.T) {
	for name, l := range alarmLooks {
		walltest.ModernBubble(t, "widgets: [{widget: list, items: []}]", walltest.Scene{Size: image.Pt(400, 85)}, l, func(d *walltest.Data) {
			b := listIn(d).b
			for _, role := range []string{"good", "warn", "bad", "text"} {
				c := l.Colors[role]
				for _, named := range []string{role, ""} {
					want := 0.0
					if role == "bad" && (named != "" || !l.Ink) {
						want = 1
					}
					if got := b.UrgencyOfValue(&format.Shown{Color: &c, Role: named}); got != want {
						t.Errorf("%s: %s with the name %q has the urgency %v, want %v", name, role, named, got, want)
					}
				}
			}
			if got := b.UrgencyOfValue(&format.Shown{None: true}); got != 0 {
				t.Errorf("%s: no value has the urgency %v", name, got)
			}
		})
	}
}
