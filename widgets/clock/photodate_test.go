package clock

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestDateOnPhoto checks that a date in the theme for photos is small and of weight 500, and that it has the color of the time.
func TestDateOnPhoto(t *testing.T) {
	for _, tt := range []struct{ theme, style string }{{"photo", "title"}, {"calm", "headline"}} {
		l, _ := look.Named(tt.theme, true)
		walltest.ModernBubble(t, "widgets: [{widget: clock, time: '{H:mm}'}]", walltest.Scene{Size: image.Pt(1280, 720)}, l, func(d *walltest.Data) {
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*digital)
			if want := w.b.Prose(tt.style); w.dates[0].Face.Size != want.Size || w.dates[0].Face.Font != want.Font {
				t.Errorf("%s: the date has %d px, want %d", tt.theme, w.dates[0].Face.Size, want.Size)
			}
			bright, ink := 0, w.dates[0].Ink
			m := walltest.PaintOnce(w, w.size, time.Now())
			for y := ink.Min.Y; y < ink.Max.Y; y++ {
				for x := ink.Min.X; x < ink.Max.X; x++ {
					if m.RGBAAt(x, y) == w.ink {
						bright++
					}
				}
			}
			if (bright > 0) != (tt.theme == "photo") {
				t.Errorf("%s: %d pixels of the date have the color of the time", tt.theme, bright)
			}
		})
	}
}
