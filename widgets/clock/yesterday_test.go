package clock

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestDaylightAfterDayWithoutMidnight checks the day after a day that begins at 01:00, because clocks are set forward at midnight. The
// change of daylight must be the same at each time of the checked day.
func TestDaylightAfterDayWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	walltest.ModernBubble(t, "widgets: [{widget: sunpath, location: {latitude: -33.45, longitude: -70.67}}]", walltest.Scene{Size: image.Pt(600, 400), Zone: zone}, look.Calm(true), func(d *walltest.Data) {
		w := walltest.Only[*kit.Frame](d).Inner.(*sunpath)
		said := func(hour, minute int) string {
			d.R.Step(time.Date(2026, 9, 7, hour, minute, 0, 0, zone))
			return w.note.Raw
		}
		if early, noon := said(0, 10), said(12, 0); early != noon || noon == "" {
			t.Errorf("got %q at 00:10 and %q at 12:00", early, noon)
		}
	})
}
