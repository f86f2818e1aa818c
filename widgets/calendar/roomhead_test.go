package calendar

import (
	"image"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestIconOfARoomSign checks that the icon in the title line of a sign has the color of the room's state.
func TestIconOfARoomSign(t *testing.T) {
	sign := walltest.Scene{Size: image.Pt(500, 400), Picture: image.Pt(1280, 720), Locale: "en-GB"}
	file := "widgets: [{widget: nextevent, provider: calendar-family, margin: 0, title: Room, icon: mdi:door-open, free: Free}]"
	walltest.ModernBubble(t, file, sign, look.Calm(true), func(d *walltest.Data) {
		d.ByName[walltest.Family].Publish(walltest.AgendaOf(walltest.T0, walltest.Plans), walltest.T0)
		for _, after := range []time.Duration{0, 28 * time.Minute} {
			d.Step(after)
			f := walltest.Only[*kit.Frame](d)
			w, role, n := f.Inner.(*roomSign), "good", 0
			if w.state.Busy {
				role = "bad"
			}
			if w.state.Busy != (after == 0) {
				t.Fatalf("after %v: busy: %v", after, w.state.Busy)
			}
			want := w.b.Role(role)
			box := f.Head.Box
			for x := box.Min.X; x < box.Min.X+box.Dy(); x++ { // the icon's square
				for y := box.Min.Y; y < box.Max.Y; y++ {
					c := d.R.Frame().RGBAAt(x, y)
					if max(c.R, want.R)-min(c.R, want.R) < 6 && max(c.G, want.G)-min(c.G, want.G) < 6 && max(c.B, want.B)-min(c.B, want.B) < 6 {
						n++
					}
				}
			}
			if n < 20 {
				t.Errorf("after %v: %d pixels of the icon have the color %s", after, n, role)
			}
		}
	})
}
