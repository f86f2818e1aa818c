package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// TestSeen checks when the values of a widget count as used. They count while the widget is on the current page. They do not count while
// the widget is on another page. If the size of a widget depends on its values, they count from the start.
func TestSeen(t *testing.T) {
	for name, c := range map[string]struct {
		widgets string
		after   time.Duration
		want    bool
	}{
		"on the page in view":             {"{widget: pages, dwell: 1m, transition: none, children: [{widget: text, text: !data .p}, {widget: space}]}", time.Second, true},
		"on another page":                 {"{widget: pages, dwell: 1m, transition: none, children: [{widget: space}, {widget: text, text: !data .p}]}", 50 * time.Second, false},
		"on the page that came":           {"{widget: pages, dwell: 1m, transition: none, children: [{widget: space}, {widget: card, value: !data .p}]}", 62 * time.Second, true},
		"as large as its value":           {"{widget: column, children: [{widget: text, size: fit, text: !data .p}, {widget: space}]}", time.Second, true},
		"a condition":                     {"{widget: row, children: [{widget: space}, {widget: text, text: x, when: !data .p}]}", time.Second, true},
		"inside of what is not shown":     {"{widget: row, children: [{widget: space}, {widget: card, when: false, children: [{widget: text, text: !data .p}]}]}", time.Second, false},
		"a list of rows":                  {"{widget: list, items: !data .p, item: {text: !data .item}}", time.Second, true},
		"a program that computes with it": {"{widget: gauge, value: !data '(.p // 0) + 1'}", time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := walltest.Scene{Size: image.Pt(300, 206), Locale: "en-GB"}
			walltest.ModernBubble(t, "widgets: ["+c.widgets+"]\n", s, look.Calm(true), func(d *walltest.Data) {
				d.Step(0)
				d.Step(c.after)
				if got := d.ByName["p"].Seen(walltest.T0.Add(c.after)); got != c.want {
					t.Errorf("seen: got %v, want %v", got, c.want)
				}
			})
		})
	}
}
