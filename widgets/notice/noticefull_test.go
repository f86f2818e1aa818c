package notice

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/control/notify"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestNoticePartsStayApart checks notices with a very long text of several scripts. Their texts, the progress bar and the line for the
// remaining time do not overlap, and no text is cut off. The label of a button is inside the button.
func TestNoticePartsStayApart(t *testing.T) {
	half := 0.5
	long := strings.Repeat("לוח שנה 家族のカレンダー Familienkalender mit ", 40)
	for _, kind := range []string{"card", "banner", "fullscreen"} {
		for _, lang := range []string{"en", "he"} {
			for _, icon := range []string{"", "mdi:download"} {
				for _, size := range noticeSizes {
					noticed(t, size, look.Calm(true), lang, kit.Notices{Kind: kind}, false, func(d *walltest.Data) {
						d.Step(0)
						d.Tell(notify.Notification{
							Title: long, Text: long, Icon: icon, Progress: &half, Actions: []notify.Choice{{Label: long}, {Label: "OK"}},
						})
						d.Step(0)
						d.Step(3 * time.Second)
						n := overlayOf(d.Tree).notices[0]
						parts := map[string]image.Rectangle{"title": n.title.Ink, "text": n.words, "percentage": n.done.Ink, "bar": n.bar, "line": n.line}
						for i := range n.buttons {
							one := &n.buttons[i]
							parts["button "+one.label.Raw[:2]] = one.plate.Rect
							if room := one.plate.Rect.Inset(n.b.Px(6) - 1); one.label.Ink.Intersect(room) != one.label.Ink {
								t.Errorf("%s %s %v: the label %v is not in %v", kind, lang, size, one.label.Ink, room)
							}
						}
						if !n.rect.In(image.Rectangle{Max: size}) {
							t.Errorf("%s %s %q %v: the notice is in %v", kind, lang, icon, size, n.rect)
						}
						for a, r := range parts {
							if r.Empty() || r.Intersect(image.Rectangle{Max: n.size}) != r {
								t.Errorf("%s %s %q %v: the %s %v is not in %v", kind, lang, icon, size, a, r, n.size)
							}
							for b, s := range parts {
								if a < b && r.Overlaps(s) {
									t.Errorf("%s %s %q %v: the %s %v covers a part of the %s %v", kind, lang, icon, size, a, r, b, s)
								}
							}
						}
					})
				}
			}
		}
	}
}
