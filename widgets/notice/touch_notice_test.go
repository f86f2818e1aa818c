package notice

import (
	"image"
	"testing"
	"time"

	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/widgets/walltest"
)

// TestTapOnNotification checks that a tap on a notification or next to a card dismisses the notification. The widgets behind the
// notification do not receive the tap.
func TestTapOnNotification(t *testing.T) {
	size := image.Pt(640, 400)
	walltest.TouchedWall(t, walltest.TouchWall, size, func(d *walltest.Data, _ *page.Pages) {
		d.Tell(notify.Notification{Title: "Door", Text: "Somebody is there"})
		d.Tell(notify.Notification{Title: "Post", Text: "A parcel came"})
		d.Step(0)
		d.Step(2 * time.Second)
		waiting := func() int {
			d.Step(2 * time.Second)
			return len(overlayOf(d.Tree).shown)
		}
		if w, ok := d.TapAt(size.Div(2)); !ok || w.Verb != "" || waiting() != 1 {
			t.Errorf("on it: got %+v, %v, %d left", w, ok, waiting())
		}
		d.Step(3 * time.Second)
		if w, ok := d.TapAt(image.Pt(3, 3)); !ok || w.Verb != "" || waiting() != 0 {
			t.Errorf("beside it: got %+v, %v, %d left", w, ok, waiting())
		}
		d.Step(4 * time.Second)
		d.Step(6 * time.Second)
		if w, _ := d.TapAt(image.Pt(100, 60)); w.Verb == "" {
			t.Errorf("the wall again: got %+v", w)
		}
	})
}
