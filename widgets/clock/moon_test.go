package clock

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestMoonWordsAreWhole checks that the words next to the moon are never cut. If there is not enough room, the words are smaller and in
// two lines. If they still do not fit, they are omitted.
func TestMoonWordsAreWhole(t *testing.T) {
	for _, c := range []struct {
		size   image.Point
		locale string
		want   string // name of the phase, four days before the full moon
	}{
		{image.Pt(108, 148), "en-GB", "Waxing|gibbous"}, {image.Pt(108, 148), "de", ""}, {image.Pt(148, 108), "en-GB", "Waxing|gibbous"}, {image.Pt(148, 108), "de", ""},
		{image.Pt(300, 210), "de", "Zunehmender Mond"}, {image.Pt(253, 210), "en-GB", "Waxing gibbous"},
	} {
		s := walltest.Scene{Size: c.size, Picture: image.Pt(320, 240), Locale: c.locale}
		walltest.ModernBubble(t, "widgets: [{widget: moon}]", s, look.Calm(true), func(d *walltest.Data) {
			for phase := range 8 {
				d.Step(time.Duration(phase*90) * time.Hour)
				w, name := walltest.Only[*kit.Frame](d).Inner.(*lunar), []string(nil)
				for _, line := range w.words[:w.used] {
					if line.Shortened() || line.Size < w.b.Least() || !line.Ink.In(image.Rectangle{Max: w.size}) {
						t.Errorf("%v, %s: %q is cut or too small", c.size, c.locale, line.Raw)
					}
					if line.Face == w.strong {
						name = append(name, line.Raw)
					}
				}
				if got := strings.Join(name, "|"); phase == 0 && got != c.want {
					t.Errorf("%v, %s: got %q, want %q", c.size, c.locale, got, c.want)
				}
			}
		})
	}
}
