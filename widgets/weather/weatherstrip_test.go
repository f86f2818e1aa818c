package weather

import (
	"image"
	"testing"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestStrip checks that the next hours fill the room below the current weather. The columns of the hours do not touch each other or other
// parts.
func TestStrip(t *testing.T) {
	for _, tt := range []struct {
		size   image.Point
		params string
		want   int
	}{
		{image.Pt(420, 300), "parts: [current]", 5},
		{image.Pt(300, 300), "parts: [current]", 3},
		{image.Pt(420, 210), "parts: [current]", 5},
		{image.Pt(420, 150), "parts: [current]", 0},
		{image.Pt(170, 300), "parts: [current]", 0},
		{image.Pt(1200, 150), "parts: [current]", 6}, // next to the texts
		{image.Pt(800, 150), "parts: [current]", 0},
		{image.Pt(700, 500), "parts: [current, hours]", 0},
	} {
		for _, locale := range []string{"en-GB", "he"} {
			file := "widgets: [{widget: weather, card: false, padding: 0, margin: 0, " + tt.params + "}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size, Locale: locale}, look.Calm(true), func(d *walltest.Data) {
				walltest.Reports(walltest.SampleReport())(d)
				d.Step(0)
				w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
				s := w.now.strip
				if s.used != tt.want {
					t.Fatalf("%v %s: %d hours, want %d", tt.size, tt.params, s.used, tt.want)
				}
				all := []image.Rectangle{w.now.figure.Ink, w.now.lines[0].Ink, w.now.lines[1].Ink, w.now.marks[2].text.Ink}
				for _, line := range w.credit.lines[:w.credit.used] {
					all = append(all, line.Ink)
				}
				for i := range s.hours[:s.used] {
					all = append(all, s.hours[i].time.Ink, s.hours[i].temp.Ink)
				}
				for i, a := range all {
					if !a.In(image.Rectangle{Max: tt.size}) {
						t.Errorf("%v: %v is outside", tt.size, a)
					}
					for _, b := range all[:i] {
						if s.used > 0 && a.Overlaps(b) {
							t.Errorf("%v: %v and %v overlap", tt.size, a, b)
						}
					}
				}
			})
		}
	}
}

// TestStripSharesRoom checks that free room is divided between the gaps of the strip, and is not only above the line of the strip.
func TestStripSharesRoom(t *testing.T) {
	file := "widgets: [{widget: weather, card: false, padding: 0, margin: 0, parts: [current]}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(420, 300)}, look.Calm(true), func(d *walltest.Data) {
		walltest.Reports(walltest.SampleReport())(d)
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
		s := w.now.strip
		above := s.rule.Min.Y - w.now.figure.Box.Max.Y
		below := w.size.Y - w.credit.line() - s.hours[0].temp.Box.Max.Y
		inside := s.hours[0].temp.Box.Min.Y - s.hours[0].time.Box.Max.Y - w.b.Px(stripIcon)
		if above > 4*below || inside < 2 {
			t.Errorf("free room of %d px above the line, %d px inside the columns and %d px below them", above, inside, below)
		}
	})
}

// TestNaturalHeight checks the height of a weather widget with the size fit: all of its parts fit.
func TestNaturalHeight(t *testing.T) {
	for parts, want := range map[string][]skyPart{
		"current": {partCurrent}, "current, days": {partCurrent, partDays}, "days": {partDays},
		"current, hours, days": {partCurrent, partHours, partDays},
	} {
		high := 1000
		for _, natural := range []bool{false, true} {
			file := "widgets: [{widget: weather, card: false, padding: 0, margin: 0, parts: [" + parts + "]}]"
			walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(700, high)}, look.Calm(true), func(d *walltest.Data) {
				walltest.Reports(walltest.SampleReport())(d)
				d.Step(0)
				w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
				if high = w.Natural(700).Y; !natural {
					return
				}
				for _, p := range want {
					if w.boxes[p].Empty() || w.boxes[p].Max.Y > high {
						t.Errorf("%s in %d px: part %v is at %v", parts, high, p, w.boxes[p])
					}
				}
			})
		}
	}
}
