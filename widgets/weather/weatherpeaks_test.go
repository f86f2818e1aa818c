package weather

import (
	"image"
	"testing"

	"dashboard/provider/weather"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestPeaksStayAboveTheRain checks that the labels of the highest and lowest temperature do not touch the bars for rain.
func TestPeaksStayAboveTheRain(t *testing.T) {
	for _, c := range []struct{ size, picture image.Point }{
		{image.Pt(600, 210), image.Pt(1024, 600)}, {image.Pt(720, 300), image.Pt(1280, 720)}, {image.Pt(480, 150), image.Pt(800, 480)}, {image.Pt(1040, 480), image.Pt(1920, 1080)},
	} {
		s := walltest.Scene{Size: c.size, Picture: c.picture, Locale: "en-GB"}
		walltest.ModernBubble(t, "widgets: [{widget: weather, parts: [hours]}]\n", s, look.Calm(true), func(d *walltest.Data) {
			report := walltest.ReportOf(14, 5.5, func(hour int) (rain, chance weather.Number, k weather.Kind) {
				if hour >= 10 && hour < 14 { // the coldest hour is the fourteenth
					return weather.Number(hour-9) * 2, 90, weather.Rain
				}
				return 0, 5, weather.Clear
			})
			walltest.Reports(report)(d)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
			h := w.hours
			if h.peaks[0].Ink.Empty() || h.peaks[1].Ink.Empty() {
				t.Fatalf("%v: the labels are %q and %q", c.size, h.peaks[0].Raw, h.peaks[1].Raw)
			}
			for i := range 24 {
				left, right, top := h.bar(report.Hours, i)
				rain := image.Rect(int(left), int(top), int(right)+1, h.plot.Max.Y)
				for _, p := range h.peaks {
					if p.Ink.Inset(-1).Overlaps(rain) {
						t.Errorf("%v: the label %q at %v touches the rain at %v", c.size, p.Raw, p.Ink, rain)
					}
				}
			}
		})
	}
}
