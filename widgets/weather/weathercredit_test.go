package weather

import (
	"image"
	"strings"
	"testing"

	"dashboard/provider"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestWeatherSaysWhoseItIs checks the credit that the license of a service requires. The credit is below the forecast, in the wall's
// language. If the service requires no credit, the widget shows no credit.
func TestWeatherSaysWhoseItIs(t *testing.T) {
	for _, c := range []struct{ locale, credit, want, parts string }{
		{"en-GB", "Weather data by Open-Meteo.com", "Weather data by Open-Meteo.com", ""},
		{"de", "Weather data by Open-Meteo.com", "Wetterdaten von Open-Meteo.com", ""},
		{"en-GB", "Weather data by Open-Meteo.com", "Open-Meteo.com", ", parts: [current]"}, // the credit is in the same line as the rain
		{"en-GB", "Weather data by Open-Meteo.com", "Weather data by Open-Meteo.com", ", parts: [hours]"},
		{"en-GB", "Weather data by Open-Meteo.com", "Weather data by Open-Meteo.com", ", parts: [days]"},
		{"en-GB", "", "", ""},
	} {
		r := walltest.SampleReport()
		r.Credit = c.credit
		s := walltest.Scene{Size: image.Pt(717, 445), Locale: c.locale, Widget: "{widget: weather" + c.parts + "}"}
		walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(r)(d)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
			if got := strings.Join(w.credit.words[:w.credit.used], "|"); got != c.want {
				t.Errorf("%s: got %q, want %q", c.locale, got, c.want)
			}
			for _, line := range w.credit.lines[:w.credit.used] {
				if line.Ink.Empty() || !line.Ink.In(image.Rectangle{Max: w.size}) || line.Shortened() {
					t.Errorf("%s: the line is drawn at %v of %v", c.locale, line.Ink, w.size)
				}
			}
		})
	}
}

// TestWeatherSaysWhoseItIsInSmallCells checks the credit in small cells. The credit has smaller text, shows only the name of the service,
// or is omitted. The room for the credit is reserved first. The other parts share the remaining room.
func TestWeatherSaysWhoseItIsInSmallCells(t *testing.T) {
	hat, panel := image.Pt(320, 240), image.Pt(800, 480)
	for _, c := range []struct {
		size, picture image.Point
		parts, want   string
	}{
		{image.Pt(108, 148), image.Pt(240, 320), "[current]", "Open-|Meteo.com"},
		{image.Pt(118, 130), hat, "[current]", "Open-Meteo"},
		{image.Pt(160, 120), hat, "[current]", "Open-Meteo.com"},
		{image.Pt(160, 120), hat, "[days]", "Open-Meteo.com"},
		{image.Pt(253, 210), panel, "[current, hours, days]", "Open-Meteo.com"},
		{image.Pt(560, 120), panel, "[current]", "Weather data by Open-Meteo.com"},
		{image.Pt(560, 120), panel, "[days]", "Weather data by Open-Meteo.com"},
		{image.Pt(300, 700), image.Pt(720, 1280), "[current, hours, days]", "Open-Meteo.com"},
		{image.Pt(60, 40), hat, "[current]", ""},
	} {
		s := walltest.Scene{Size: c.size, Picture: c.picture, Locale: "en-GB", Widget: "{widget: weather, parts: " + c.parts + "}"}
		walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(walltest.SampleReport())(d)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
			if got := strings.Join(w.credit.words[:w.credit.used], "|"); got != c.want {
				t.Errorf("%v, %s: got %q, want %q", c.size, c.parts, got, c.want)
			}
			for _, line := range w.credit.lines[:w.credit.used] {
				if line.Ink.Empty() || !line.Ink.In(image.Rectangle{Max: w.size}) || line.Shortened() || line.Size < w.b.Least() {
					t.Errorf("%v: the line is drawn at %v of %v, %d px", c.size, line.Ink, w.size, line.Size)
				}
			}
		})
	}
}

// TestSharedCreditIsLarge checks credits at the end of the line with the rain, in widgets of several widths. Some credits have a size
// between the usual and the smallest size, because this is the largest size that fits.
func TestSharedCreditIsLarge(t *testing.T) {
	between := 0
	for wide := 300; wide <= 620; wide += 20 {
		s := walltest.Scene{Size: image.Pt(wide, 300), Picture: image.Pt(1920, 1080), Locale: "en-GB"}
		walltest.ModernBubble(t, "widgets: [{widget: weather, parts: [current]}]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(walltest.SampleReport())(d)
			d.Step(0)
			k := walltest.Only[*kit.Frame](d).Inner.(*forecast).credit
			if line := k.lines[0]; k.shared && k.size < line.Face.Size && k.size > line.Least {
				between++
			}
		})
	}
	if between == 0 {
		t.Error("no credit has a size between the usual and the smallest size")
	}
}

// TestWeatherDaysInLowCells checks that a low cell shows as many days side by side as are readable.
func TestWeatherDaysInLowCells(t *testing.T) {
	for _, c := range []struct {
		size, picture image.Point
		want          int
	}{{image.Pt(560, 120), image.Pt(800, 480), 7}, {image.Pt(560, 120), image.Pt(1280, 720), 7}, {image.Pt(160, 120), image.Pt(320, 240), 2}, {image.Pt(253, 210), image.Pt(800, 480), 4}} {
		s := walltest.Scene{Size: c.size, Picture: c.picture, Locale: "en-GB"}
		walltest.ModernBubble(t, "widgets: [{widget: weather, parts: [days], days: 7}]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(walltest.SampleReport())(d)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
			if w.days.count != c.want {
				t.Errorf("%v: got %d days, want %d", c.size, w.days.count, c.want)
			}
			for i := range w.days.all[:w.days.count] {
				if x := &w.days.all[i]; x.name.Shortened() || x.both.Shortened() {
					t.Errorf("%v: %q or %q is cut", c.size, x.name.Raw, x.both.Raw)
				}
			}
		})
	}
}

// TestCreditOnce checks several widgets with the same source. Only the last widget in the file shows the credit, even after another
// widget was built again.
func TestCreditOnce(t *testing.T) {
	b := walltest.Builder(walltest.TestEnv())
	first, last, other := &kit.Spec{}, &kit.Spec{}, &kit.Spec{}
	one, two := provider.NewCell(nil), provider.NewCell(nil)
	a, z, o := b.Credits(first, one), b.Credits(last, one), b.Credits(other, two)
	again := b.Credits(first, one)
	if a() || again() || !z() || !o() {
		t.Errorf("got %v and %v for the first, %v for the last, %v for another source", a(), again(), z(), o())
	}
}

// TestFactsBeforeTheCredit checks a small wall that has room for either the credit or the day's range of temperatures. The range is
// shown, and the credit is not.
func TestFactsBeforeTheCredit(t *testing.T) {
	s := walltest.Scene{Size: image.Pt(296, 58), Picture: image.Pt(320, 240), Locale: "en-GB"}
	walltest.ModernBubble(t, "widgets: [{widget: weather, margin: 0, parts: [current]}]\n", s, look.Calm(true), func(d *walltest.Data) {
		walltest.Reports(walltest.SampleReport())(d)
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
		if w.credit.used > 0 || !strings.Contains(w.now.lines[1].Raw, "–") {
			t.Errorf("%d lines of the credit, the second line is %q", w.credit.used, w.now.lines[1].Raw)
		}
	})
}

// TestRainWord checks that the line for rain shows the word, the start and the end of the rain. The credit is at the end of this line.
func TestRainWord(t *testing.T) {
	s := walltest.Scene{Size: image.Pt(420, 150), Picture: image.Pt(1280, 720), Locale: "en-GB"}
	walltest.ModernBubble(t, "widgets: [{widget: weather, margin: 0, parts: [current]}]\n", s, look.Calm(true), func(d *walltest.Data) {
		walltest.Reports(walltest.SampleReport())(d)
		d.Step(0)
		w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
		got, credit := w.now.marks[2].text, w.credit.lines[0].Ink
		if !w.credit.shared || !strings.HasPrefix(got.Raw, "Rain ") || !strings.Contains(got.Raw, " – ") || credit.Min.X < got.Ink.Max.X {
			t.Errorf("the line is %q at %v, the credit is at %v", got.Raw, got.Ink, credit)
		}
	})
}
