package widgets

import (
	"image"
	"testing"

	"dashboard/theme/look"
)

// The line that a service's licence asks for stands below the forecast, in the wall's language; none where the service asks for none.
func TestWeatherSaysWhoseItIs(t *testing.T) {
	for _, c := range []struct{ locale, credit, want, parts string }{
		{"en-GB", "Weather data by Open-Meteo.com", "Weather data by Open-Meteo.com", ""},
		{"de", "Weather data by Open-Meteo.com", "Wetterdaten von Open-Meteo.com", ""},
		{"en-GB", "Weather data by Open-Meteo.com", "Weather data by Open-Meteo.com", ", parts: [current]"},
		{"en-GB", "Weather data by Open-Meteo.com", "Weather data by Open-Meteo.com", ", parts: [hours]"},
		{"en-GB", "Weather data by Open-Meteo.com", "Weather data by Open-Meteo.com", ", parts: [days]"},
		{"en-GB", "", "", ""},
	} {
		r := sampleReport()
		r.Credit = c.credit
		s := scene{size: image.Pt(717, 445), locale: c.locale, widget: "{widget: weather" + c.parts + "}"}
		modernBubble(t, "widgets: ["+s.widget+"]\n", s, look.Calm(true), func(d *data) {
			reports(r)(d)
			d.step(0)
			w := only[*frame](d).inner.(*forecast)
			if got := string(w.credit.raw); got != c.want {
				t.Errorf("%s: got %q, want %q", c.locale, got, c.want)
			}
			if c.want != "" && (w.credit.ink.Empty() || !w.credit.ink.In(image.Rectangle{Max: w.size})) {
				t.Errorf("%s: the line is drawn at %v of %v", c.locale, w.credit.ink, w.size)
			}
		})
	}
}
