package widgets

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
)

// How many are left is said whole in the narrowest cells, too: "+3" where "+3 more" would be cut.
func TestLeftIsSaidWhole(t *testing.T) {
	for name, of := range map[string]func(render any) *snippet{
		"agenda": func(w any) *snippet { return &w.(*agenda).more },
		"list":   func(w any) *snippet { return &w.(*list).more },
		"table":  func(w any) *snippet { return &w.(*table).more },
	} {
		for _, tag := range []string{"en-GB", "de", "he"} {
			k := everyKind(t)[name]
			s := scene{size: image.Pt(108, 148), picture: image.Pt(240, 320), locale: tag}
			modernBubble(t, "widgets: ["+k.widget+"]\n", s, look.Calm(true), func(d *data) {
				k.feed(d, "full")
				d.step(0)
				d.step(2 * time.Second)
				more := of(only[*frame](d).inner)
				if len(more.raw) == 0 || more.raw[0] != '+' && tag != "he" || more.want() > more.box.Dx() {
					t.Errorf("%s, %s: %q is %d px wide in %d", name, tag, more.raw, more.want(), more.box.Dx())
				}
			})
		}
	}
}
