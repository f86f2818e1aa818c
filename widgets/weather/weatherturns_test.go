package weather

import (
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestSunTurns checks that the sunrise is before the sunset. After the sunset, the widget shows the sunrise of the next day.
func TestSunTurns(t *testing.T) {
	for name, ahead := range map[string]int{"before the sunset": 0, "after the sunset": 1} {
		file := "widgets: [{widget: weather, parts: [current, hours]}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(600, 400), Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
			r := walltest.SampleReport()
			for i := range r.Days {
				noon := walltest.T0.AddDate(0, 0, i)
				r.Days[i].Sunrise = noon.Add(-time.Duration(6+i) * time.Hour)
				r.Days[i].Sunset = noon.Add(6*time.Hour - time.Duration(ahead)*12*time.Hour)
			}
			walltest.Reports(r)(d)
			d.Step(0)
			n := walltest.Only[*kit.Frame](d).Inner.(*forecast).now
			rise, set := n.marks[0], n.marks[1]
			if !strings.HasSuffix(rise.icon.Name, "up") || !strings.HasSuffix(set.icon.Name, "down") || rise.text.Box.Min.X >= set.text.Box.Min.X {
				t.Fatalf("%s: %s %q at %v, %s %q at %v", name, rise.icon.Name, rise.text.Raw, rise.text.Box, set.icon.Name, set.text.Raw, set.text.Box)
			}
			if want := r.Days[ahead].Sunrise.In(r.Zone).Format("15:04"); rise.text.Raw != want {
				t.Errorf("%s: the sunrise is %s, want %s", name, rise.text.Raw, want)
			}
		})
	}
}

// TestDaysAfterToday checks that the days start with tomorrow if another widget of the wall shows the current weather. The test uses
// e-paper, where the icon is above the temperatures.
func TestDaysAfterToday(t *testing.T) {
	ink, _ := look.Named("eink", false)
	for _, elsewhere := range []bool{false, true} {
		file := "background_color: white\nwidgets: [{widget: weather, parts: [days], days: 4, card: false}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(420, 200), Picture: image.Pt(800, 480)}, ink, func(d *walltest.Data) {
			walltest.Reports(walltest.SampleReport())(d)
			w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
			w.b.Current(w.in.Cell, elsewhere)
			d.Step(0)
			if first := w.days.first; (first == 1) != elsewhere || w.days.form != daysNarrow || w.days.count != 4 {
				t.Errorf("current weather elsewhere %v: %d days from day %d in form %d", elsewhere, w.days.count, first, w.days.form)
			}
			for i := range w.days.all[:w.days.count] {
				x := &w.days.all[i]
				if x.name.Ink.Max.Y > x.both.Ink.Min.Y-w.b.Px(dayIcon) {
					t.Errorf("day %d: no room for the icon between %v and %v", i, x.name.Ink, x.both.Ink)
				}
			}
		})
	}
}

// TestRainBeforeFeeling checks a low cell that has no third line. In this cell, the second line shows the start of the rain instead of
// the felt temperature.
func TestRainBeforeFeeling(t *testing.T) {
	for high, want := range map[int]bool{44: true, 120: false} {
		file := "widgets: [{widget: weather, card: false, padding: 0, margin: 0, parts: [current]}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(276, high), Picture: image.Pt(320, 240), Locale: "en-GB"}, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(walltest.SampleReport())(d)
			d.Step(0)
			n := walltest.Only[*kit.Frame](d).Inner.(*forecast).now
			if got := strings.Contains(strings.ToLower(n.lines[1].Raw), "rain"); got != want {
				t.Errorf("%d px high: the second line is %q", high, n.lines[1].Raw)
			}
		})
	}
}

// TestDaysInLines checks the days in a narrow weather widget. If fewer than four days fit side by side, the days are in several lines. No
// day touches another day or extends beyond the room for the days.
func TestDaysInLines(t *testing.T) {
	for _, tt := range []struct {
		size image.Point
		want int
	}{
		{image.Pt(132, 150), 6}, {image.Pt(74, 100), 2}, {image.Pt(74, 150), 3}, {image.Pt(120, 40), 2}, {image.Pt(400, 60), 6},
	} {
		file := "widgets: [{widget: weather, card: false, padding: 0, margin: 0, parts: [days], days: 6}]"
		walltest.ModernBubble(t, file, walltest.Scene{Size: tt.size, Picture: image.Pt(480, 320)}, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(walltest.SampleReport())(d)
			d.Step(0)
			days := walltest.Only[*kit.Frame](d).Inner.(*forecast).days
			if days.count != tt.want {
				t.Errorf("%v: %d days, want %d", tt.size, days.count, tt.want)
			}
			var all []image.Rectangle
			for i := range days.all[:days.count] {
				all = append(all, days.all[i].name.Ink, days.all[i].both.Ink, days.all[i].track)
			}
			for i, r := range all {
				if !r.In(image.Rectangle{Max: tt.size}) {
					t.Errorf("%v: %v is outside", tt.size, r)
				}
				for _, other := range all[:i] {
					if r.Overlaps(other) {
						t.Errorf("%v: %v and %v overlap", tt.size, r, other)
					}
				}
			}
		})
	}
}
