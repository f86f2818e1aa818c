package walltest

import (
	"math"
	"testing"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/weather"
)

// AirOf returns a report with the air quality and the current weather, without a forecast.
func AirOf(index, uv, grass, birch weather.Number) *weather.Report {
	n := weather.None
	return &weather.Report{Current: SampleReport().Current, Air: &weather.Air{At: T0, Index: index, UV: uv, Pollen: [6]weather.Number{grass, birch, 0, 0, n, n}}}
}

// Berlin returns a time zone with clock changes. In this zone, 25 October 2026 has 25 hours, and 29 March 2026 has 23 hours.
func Berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// Changeovers returns the midnights at which two days in Berlin's time zone start. The key is the length of the day: one day has 25
// hours, the other day has 23 hours.
func Changeovers(zone *time.Location) map[string]time.Time {
	return map[string]time.Time{"25 hours": localtime.At(2026, time.October, 25, 0, zone), "23 hours": localtime.At(2026, time.March, 29, 0, zone)}
}

// Hourly returns numbers as YAML: one for each hour of a day, and one for the midnight at the end of the day.
func Hourly(midnight time.Time) string {
	var list []any
	for at := midnight; at.Before(localtime.NextDay(midnight).Add(time.Minute)); at = at.Add(time.Hour) {
		h := at.Sub(midnight).Hours()
		list = append(list, []any{at.Unix(), math.Round(20 + 12*math.Sin((h-8)*math.Pi/12))})
	}
	return Flow(list)
}

// SampleReport returns a forecast that starts in the hour of T0. The days are warm, and it rains in the first evening.
func SampleReport() *weather.Report {
	return ReportOf(14, 5.5, func(hour int) (rain, chance weather.Number, k weather.Kind) {
		if hour >= 8 && hour < 12 {
			return weather.Number(hour-7) * 0.7, weather.Number(20 + 15*(hour-7)), weather.Rain
		}
		return 0, 5, weather.PartlyCloudy
	})
}

// ReportOf returns a forecast. The temperature varies by `swing` degrees above and below `mean`. `at` returns the rain and the weather of
// an hour. Its parameter is the number of hours since the start.
func ReportOf(mean, swing float64, at func(hour int) (rain, chance weather.Number, k weather.Kind)) *weather.Report {
	start := T0.Truncate(time.Hour)
	r := &weather.Report{Place: "Greenwich", At: T0, Zone: time.UTC, Credit: "Weather data by Open-Meteo.com"}
	r.Current = weather.Current{
		Temp: weather.Number(mean), Feels: weather.Number(mean - 2), Humidity: 70, Wind: 3.1, Gust: 6, Bearing: 315, Pressure: 1012, UV: 3, Cloud: 40, Rain: 0,
		Kind: weather.PartlyCloudy, IsDay: true,
	}
	for i := range 48 {
		t := start.Add(time.Duration(i) * time.Hour)
		h := weather.Hour{At: t, Temp: weather.Number(mean + swing*math.Cos(float64(t.Hour()-14)*math.Pi/12)), Wind: 3, UV: 1, IsDay: t.Hour() >= 6 && t.Hour() < 20}
		h.Rain, h.Probability, h.Kind = at(i)
		r.Hours = append(r.Hours, h)
	}
	midnight := start.Add(-time.Duration(start.Hour()) * time.Hour)
	for i, k := range []weather.Kind{weather.Rain, weather.PartlyCloudy, weather.Clear, weather.Clear, weather.Showers, weather.Cloudy, weather.Snow} {
		date := midnight.AddDate(0, 0, i)
		low := mean - swing + float64(i%4) - 1
		r.Days = append(r.Days, weather.Day{
			Date: date, Min: weather.Number(low), Max: weather.Number(low + 7 + float64(i*5%6)), Rain: 1, Probability: 40, Wind: 5, UV: 3,
			Worst: weather.Thunderstorm, Midday: k, Most: weather.Fog, Sunrise: date.Add(5*time.Hour + 8*time.Minute), Sunset: date.Add(20*time.Hour + 47*time.Minute),
		})
	}
	return r
}

// Reports returns a function that publishes a weather report.
func Reports(r *weather.Report) func(*Data) {
	return func(d *Data) {
		d.ByName["weather-p"].Promise(15 * time.Minute)
		d.ByName["weather-p"].Publish(r, T0)
	}
}

// WarnedReport returns a forecast that includes official warnings.
func WarnedReport() *weather.Report {
	r := SampleReport()
	r.Current.Kind = weather.ThunderstormHail
	r.Alerts = []weather.Alert{{Title: "Gale", Until: T0.Add(5 * time.Hour)}, {Title: "Severe thunderstorm with hail and gusts of more than 120 km/h", Grave: true, Until: T0.Add(2 * time.Hour)}, {Title: "over", Until: T0.Add(-time.Hour)}}
	return r
}
