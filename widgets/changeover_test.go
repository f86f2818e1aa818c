package widgets

import (
	"image"
	"math"
	"testing"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/weather"
	"dashboard/widgets/walltest"
)

// changingWeather returns a forecast for the day that starts at the time `midnight`. On this day, the clocks change. The second result is
// the time of the forecast, which is six hours before midnight.
func changingWeather(midnight time.Time) (*weather.Report, time.Time) {
	now := midnight.Add(-6 * time.Hour)
	r := walltest.SampleReport()
	by := now.Sub(r.Hours[0].At)
	r.At, r.Zone = now, midnight.Location()
	for i := range r.Hours {
		h := &r.Hours[i]
		h.At = h.At.Add(by)
		clock := float64(h.At.In(r.Zone).Hour())
		h.Temp, h.IsDay = weather.Number(12+6*math.Cos((clock-14)*math.Pi/12)), clock >= 7 && clock < 18
	}
	for i := range r.Days {
		date := localtime.At(midnight.Year(), midnight.Month(), midnight.Day()-1+i, 0, r.Zone)
		r.Days[i].Date, r.Days[i].Sunrise, r.Days[i].Sunset = date, date.Add(7*time.Hour), date.Add(18*time.Hour)
	}
	return r, now
}

// TestChangeoverGoldens draws curves of weather and of numbers for the days on which the clocks change. On these days, an hour must be as
// wide as on other days.
func TestChangeoverGoldens(t *testing.T) {
	zone := walltest.Berlin(t)
	var scenes []walltest.Scene
	for _, day := range []string{"25 hours", "23 hours"} {
		midnight := walltest.Changeovers(zone)[day]
		report, now := changingWeather(midnight)
		scenes = append(scenes,
			walltest.Scene{Size: image.Pt(640, 420), Locale: "en-GB", Zone: zone, Widget: "{widget: weather, hours: 30}", After: now.Sub(walltest.T0), Feed: walltest.Reports(report)},
			walltest.Scene{Size: image.Pt(460, 240), Locale: "en-GB", Zone: zone, Widget: "{widget: chart, title: Power, unit: kW, kind: area, values: " + walltest.Hourly(midnight) + "}"})
	}
	walltest.ModernSheet(t, "changeover", scenes)
}
