package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/walltest"
)

// TestDayWithoutMidnight checks widgets that change at midnight, around a day that begins at 01:00 because clocks are set forward at
// midnight. The next pass must always be in the future. A value with the date of this day keeps its date.
func TestDayWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	if at, ok := format.TimeOf("2026-09-06", zone); !ok || at.Format(time.DateOnly) != "2026-09-06" {
		t.Errorf("the date of a value is %v", at)
	}
	for _, widget := range []string{"{widget: countdown, to: '12-25'}", "{widget: heatmap, values: [1, 2, 3]}", "{widget: month}"} {
		walltest.ModernBubble(t, "widgets: ["+widget+"]", walltest.Scene{Size: image.Pt(400, 300), Zone: zone}, look.Calm(true), func(d *walltest.Data) {
			for _, now := range []time.Time{time.Date(2026, 9, 5, 23, 30, 0, 0, zone), time.Date(2026, 9, 6, 23, 30, 0, 0, zone)} {
				if _, next := d.R.Step(now); !next.After(now) {
					t.Errorf("%s at %v: the next pass is at %v", widget, now, next)
				}
			}
		})
	}
}
