package chart

import (
	"fmt"
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestGaugeIsUrgent checks that a gauge of each kind is urgent while its value is in the color "bad".
func TestGaugeIsUrgent(t *testing.T) {
	c := look.Calm(true).Colors["bad"]
	for _, kind := range []string{"arc", "ring", "bar"} {
		file := fmt.Sprintf("widgets: [{widget: gauge, kind: %s, value: !data .p, thresholds: [{above: 10, color: '#%02x%02x%02x'}]}]", kind, c.R, c.G, c.B)
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(300, 300)}, look.Calm(true), func(d *walltest.Data) {
			for _, test := range []struct{ value, want float64 }{{5, 0}, {11, 1}, {5, 0}} {
				d.ByName["p"].Publish(test.value, walltest.T0)
				d.Step(0)
				if got := kit.UrgencyOf(walltest.Only[*kit.Frame](d), walltest.T0); got != test.want {
					t.Errorf("%s: %v has the urgency %v, want %v", kind, test.value, got, test.want)
				}
			}
		})
	}
}
