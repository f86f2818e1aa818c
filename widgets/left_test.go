package widgets

import (
	"image"
	"strconv"
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

// In small cells a time, a word or a name is said in short, or not at all, before it would be cut.
func TestSmallCellsSayItInShort(t *testing.T) {
	tall, low, middle, hat, panel := image.Pt(108, 148), image.Pt(160, 120), image.Pt(253, 210), image.Pt(240, 320), image.Pt(800, 480)
	for _, c := range []struct {
		kind          string
		size, picture image.Point
		of            func(w any) string
		want          string
	}{
		{"nextevent", low, hat, func(w any) string { return string(w.(*nextEvent).when.raw) }, "bis 13:00"},
		{"nextevent", tall, hat, func(w any) string { return string(w.(*nextEvent).when.raw) }, "jetzt"},
		{"nextevent", middle, panel, func(w any) string { return string(w.(*nextEvent).when.raw) }, "jetzt · bis 13:00"},
		{"timer", tall, hat, func(w any) string { return string(w.(*timerWidget).foot.raw) }, "→ 12:36"},
		{"timer", middle, panel, func(w any) string { return string(w.(*timerWidget).foot.raw) }, "4:00 → 12:36"},
		{"airquality", tall, hat, func(w any) string { return strconv.Itoa(w.(*airquality).used) }, "0"},
		{"airquality", middle, panel, func(w any) string { return strconv.Itoa(w.(*airquality).used) }, "1"},
		{"sunpath", middle, panel, func(w any) string { return w.(*sunpath).times[0].raw + " " + w.(*sunpath).names[0].raw }, "07:27 "},
		{"agenda", middle, panel, func(w any) string { return string(w.(*agenda).slots[1].time.raw) }, ""},
		{"agenda", image.Pt(320, 240), panel, func(w any) string { return string(w.(*agenda).slots[1].time.raw) }, "ganztägig"},
		{"progress", tall, hat, func(w any) string { return w.(*progress).note.raw }, "64\u202f%"},
	} {
		k := everyKind(t)[c.kind]
		modernBubble(t, "widgets: ["+k.widget+"]\n", scene{size: c.size, picture: c.picture, locale: "de"}, look.Calm(true), func(d *data) {
			k.feed(d, "usual")
			d.step(0)
			d.step(2 * time.Second)
			if got := c.of(only[*frame](d).inner); got != c.want {
				t.Errorf("%s, %v: got %q, want %q", c.kind, c.size, got, c.want)
			}
		})
	}
}
