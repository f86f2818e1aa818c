package calendar

import (
	"image"
	"strings"
	"testing"

	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestCountEndsWithItsRow checks that a row forgets the number of hidden events when it shows another event, before the events of this
// frame are counted. The number would take room from the row's title.
func TestCountEndsWithItsRow(t *testing.T) {
	file := "widgets: [{widget: agenda, provider: calendar-family, card: false, padding: 0, margin: 0, days: 6, calendars: [Ben, Bins]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(500, 30), Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
		walltest.Planning(walltest.Plans)(d)
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*agenda)
		r := w.slots[0]
		if r.left != 2 || !strings.Contains(string(r.end.Raw), "+2") {
			t.Fatalf("got %q with %d hidden events", r.end.Raw, r.left)
		}
		r.show(render.NewTick(walltest.T0, w.size), w, w.entries[1], walltest.T0, r.rect, false)
		if r.left != 0 || strings.Contains(string(r.end.Raw), "+2") {
			t.Errorf("another event: got %q with %d hidden events", r.end.Raw, r.left)
		}
	})
}
