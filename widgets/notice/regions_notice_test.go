package notice

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestRegionsOfNotifications checks that the picture of a notification is reported as a photo. The notification has no other region.
func TestRegionsOfNotifications(t *testing.T) {
	noticed(t, image.Pt(800, 480), look.Calm(true), "en-GB", kit.Notices{}, true, func(d *walltest.Data) {
		d.Tell(doorbell(d))
		d.Step(time.Second)
		got := d.R.Regions().List()
		n := overlayOf(d.Tree).notices[0]
		if len(got) != 1 || !got[0].Photo || got[0].Rect != n.picture.Add(n.rect.Min) {
			t.Errorf("got %v, want the picture at %v", got, n.picture.Add(n.rect.Min))
		}
	})
}
