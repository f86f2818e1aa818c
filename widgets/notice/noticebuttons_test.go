package notice

import (
	"fmt"
	"image"
	"testing"
	"time"

	"dashboard/control/notify"
	"dashboard/control/touch"
	"dashboard/internal/testing/golden"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

var ring = notify.Notification{
	ID: "ring", Title: "Front door", Text: "Somebody rang 6 seconds ago", Icon: "mdi:doorbell-video", Role: "warn", Duration: time.Minute,
	Actions: []notify.Choice{{Label: "Open"}, {Label: "Light on"}, {Label: "Not now, thank you very much indeed"}},
}

// TestGoldenActions draws the buttons of a notification for several kinds and sizes.
func TestGoldenActions(t *testing.T) {
	ink, _ := look.Named("eink", false)
	for _, tc := range []struct {
		name, lang string
		p          kit.Notices
		l          *look.Look
		picture    bool
		sizes      []image.Point
	}{
		{"card", "en-GB", kit.Notices{}, look.Calm(true), false, noticeSizes},
		{"card-day", "en-GB", kit.Notices{}, look.Calm(false), true, noticeSizes},
		{"banner", "en-GB", kit.Notices{Kind: "banner"}, look.Calm(true), false, noticeSizes[:2]},
		{"full", "en-GB", kit.Notices{Kind: "fullscreen"}, look.Calm(true), false, noticeSizes[:2]},
		{"full-picture", "en-GB", kit.Notices{Kind: "fullscreen"}, look.Calm(true), true, noticeSizes[1:2]},
		{"eink", "en-GB", kit.Notices{}, ink, false, noticeSizes[1:2]},
		{"rtl", "ar", kit.Notices{}, look.Calm(true), false, noticeSizes[1:2]},
	} {
		for _, size := range tc.sizes {
			name := fmt.Sprintf("notice-actions-%s-%dx%d", tc.name, size.X, size.Y)
			noticed(t, size, tc.l, tc.lang, tc.p, tc.l.Ink, func(d *walltest.Data) {
				d.Step(0)
				n := ring
				if tc.picture {
					n.Picture, n.Box = doorbell(d).Picture, doorbell(d).Box
				}
				d.Tell(n)
				d.Step(0)
				d.Step(3 * time.Second)
				golden.Compare(t, name, d.R.Frame())
			})
		}
	}
}

// TestChooseByTouch checks that a tap on a button selects the button's action. The notification stays until the action is done. A tap
// outside the buttons dismisses the notification.
func TestChooseByTouch(t *testing.T) {
	for _, kind := range []string{"card", "banner", "fullscreen"} {
		for _, size := range noticeSizes {
			noticed(t, size, look.Calm(true), "en-GB", kit.Notices{Kind: kind}, false, func(d *walltest.Data) {
				d.Step(0)
				d.Tell(ring)
				d.Step(0)
				d.Step(time.Second)
				n := overlayOf(d.Tree).notices[0]
				for i := range n.buttons {
					r := n.buttons[i].plate.Rect.Add(n.rect.Min)
					if !r.In(image.Rectangle{Max: size}) {
						t.Errorf("%s %v: button %d at %v is not on the wall", kind, size, i, r)
					}
					a, _, ok := d.Tree.Touch(touch.Gesture{Kind: touch.Tap, From: r.Min.Add(r.Size().Div(2))}, walltest.T0)
					if !ok || a.Verb != "choose" || a.Args.Text("id") != "ring" || a.Args.Int("action") != i+1 {
						t.Errorf("%s %v: button %d: got %+v, %v", kind, size, i, a, ok)
					}
				}
				a, _, ok := d.Tree.Touch(touch.Gesture{Kind: touch.Tap, From: n.rect.Min.Add(image.Pt(2, 2))}, walltest.T0)
				if !ok || a.Verb != "" {
					t.Errorf("%s %v: beside the buttons: got %+v, %v", kind, size, a, ok)
				}
				if left := d.Board.List(); len(left) != 0 {
					t.Errorf("%s %v: it stays: %+v", kind, size, left)
				}
			})
		}
	}
}
