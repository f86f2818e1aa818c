package clock

import (
	"fmt"
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestSunsetAfterMidnight checks places at which the sun sets after midnight or rises before midnight. The length of the day, its change
// and both times must be the same from midnight to midnight. In polar summer, the day has 24 hours.
func TestSunsetAfterMidnight(t *testing.T) {
	for _, c := range []struct {
		name, zone string
		lat, lon   float64
		day        time.Time
		want       string
	}{
		{"Reykjavik", "Atlantic/Reykjavik", 64.1466, -21.9426, time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC), "21 9 02:55 00:04"},
		{"Reykjavik in March", "Atlantic/Reykjavik", 64.1466, -21.9426, time.Date(2026, 3, 21, 0, 0, 0, 0, time.UTC), "12 21 07:25 19:46"},
		{"Fairbanks", "America/Anchorage", 64.84, -147.72, time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC), "21 50 02:57 00:47"},
		{"Tromsø", "Europe/Oslo", 69.65, 18.96, time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC), "24 0  "},
		{"Tromsø, last day without a sunset", "Europe/Oslo", 69.65, 18.96, time.Date(2026, 7, 25, 0, 0, 0, 0, time.UTC), "24 0  "},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		wall := fmt.Sprintf("widgets: [{widget: sunpath, location: {latitude: %v, longitude: %v}}]", c.lat, c.lon)
		walltest.ModernBubble(t, wall, walltest.Scene{Size: image.Pt(600, 400), Zone: zone, Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
			w := walltest.Only[*kit.Frame](d).Inner.(*sunpath)
			note := ""
			for minute := 1; minute < 24*60; minute += 59 {
				d.R.Step(time.Date(c.day.Year(), c.day.Month(), c.day.Day(), 0, minute, 0, 0, zone))
				if got := w.figures[0].Raw + " " + w.figures[2].Raw + " " + w.times[0].Raw + " " + w.times[2].Raw; got != c.want {
					t.Errorf("%s after %d minutes: got %q, want %q", c.name, minute, got, c.want)
				}
				if note != "" && w.note.Raw != note {
					t.Errorf("%s after %d minutes: got %q, before %q", c.name, minute, w.note.Raw, note)
				}
				note = w.note.Raw
			}
		})
	}
}
