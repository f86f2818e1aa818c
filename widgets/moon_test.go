package widgets

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
)

// The words beside the moon stand whole, in two lines and smaller where there is no room, or are left out.
func TestMoonWordsAreWhole(t *testing.T) {
	for _, c := range []struct {
		size   image.Point
		locale string
		want   string // the name, four days before the moon is full
	}{
		{image.Pt(108, 148), "en-GB", "Waxing|gibbous"}, {image.Pt(108, 148), "de", ""}, {image.Pt(148, 108), "en-GB", "Waxing|gibbous"}, {image.Pt(148, 108), "de", ""},
		{image.Pt(300, 210), "de", "Zunehmender Mond"}, {image.Pt(253, 210), "en-GB", "Waxing gibbous"},
	} {
		s := scene{size: c.size, picture: image.Pt(320, 240), locale: c.locale}
		modernBubble(t, "widgets: [{widget: moon}]", s, look.Calm(true), func(d *data) {
			for phase := range 8 {
				d.step(time.Duration(phase*90) * time.Hour)
				w, name := only[*frame](d).inner.(*lunar), []string(nil)
				for _, line := range w.words[:w.used] {
					if line.shortened() || line.size < w.b.least() || !line.ink.In(image.Rectangle{Max: w.size}) {
						t.Errorf("%v, %s: %q is cut or too small", c.size, c.locale, line.raw)
					}
					if line.face == w.strong {
						name = append(name, line.raw)
					}
				}
				if got := strings.Join(name, "|"); phase == 0 && got != c.want {
					t.Errorf("%v, %s: got %q, want %q", c.size, c.locale, got, c.want)
				}
			}
		})
	}
}
