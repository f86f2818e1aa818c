package widgets

import (
	"image"
	"math"
	"testing"
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/theme/look"
)

// berlin is a zone whose clocks change: on 25 October 2026 there are 25 hours, on 29 March 2026 there are 23.
func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// changeovers are the midnights before those days.
func changeovers(zone *time.Location) map[string]time.Time {
	return map[string]time.Time{"25 hours": localtime.At(2026, time.October, 25, 0, zone), "23 hours": localtime.At(2026, time.March, 29, 0, zone)}
}

// hourly are the hours of a day and a bit around it, a number each, as YAML.
func hourly(midnight time.Time) string {
	var list []any
	for at := midnight; at.Before(localtime.NextDay(midnight).Add(time.Minute)); at = at.Add(time.Hour) {
		h := at.Sub(midnight).Hours()
		list = append(list, []any{at.Unix(), math.Round(20 + 12*math.Sin((h-8)*math.Pi/12))})
	}
	return flow(list)
}

// changingWeather is a forecast made at six in the evening before such a day.
func changingWeather(midnight time.Time) (*weather.Report, time.Time) {
	now := midnight.Add(-6 * time.Hour)
	r := sampleReport()
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

// Curves of the days on which clocks change, of weather and of numbers: an hour takes the same room as on other days.
func TestChangeoverGoldens(t *testing.T) {
	zone := berlin(t)
	var scenes []scene
	for _, day := range []string{"25 hours", "23 hours"} {
		midnight := changeovers(zone)[day]
		report, now := changingWeather(midnight)
		scenes = append(scenes,
			scene{size: image.Pt(640, 420), locale: "en-GB", zone: zone, widget: "{widget: weather, hours: 30}", after: now.Sub(t0), feed: reports(report)},
			scene{size: image.Pt(460, 240), locale: "en-GB", zone: zone, widget: "{widget: chart, title: Power, unit: kW, kind: area, values: " + hourly(midnight) + "}"})
	}
	modernSheet(t, "changeover", scenes)
}

// The hours below a chart of such a day are those of the wall's clock, each under its moment: noon is not in the middle.
func TestChartOfAChangeover(t *testing.T) {
	zone := berlin(t)
	for day, share := range map[string]float64{"25 hours": 13.0 / 25, "23 hours": 11.0 / 23} {
		e, size := testEnv(), image.Pt(500, 240)
		e.Picture, e.Location, e.Locale = image.Pt(1280, 720), zone, testLocale(t, "en-GB")
		f := buildOne[*frame](t, e, "{widget: chart, margin: 0, values: "+hourly(changeovers(zone)[day])+"}", size)
		render.New(f, size).Step(t0)
		w := f.inner.(*chart)
		noon := image.Rectangle{}
		for _, c := range w.bottom[:w.shownBottom] {
			if c.raw == "12:00" {
				noon = c.box
			}
		}
		if at, want := float64(noon.Min.X+noon.Max.X)/2, float64(w.plot.Min.X)+share*float64(w.plot.Dx()); math.Abs(at-want) > 2 {
			t.Errorf("%s: noon stands at %v, want %v", day, at, want)
		}
	}
}

// An agenda in Japanese says days and times as people there write them.
func TestJapaneseAgenda(t *testing.T) {
	file := "widgets: [{widget: agenda, provider: calendar-family, card: false, padding: 0, margin: 0, days: 4, calendars: [Anna]}]"
	modernBubble(t, file, scene{size: image.Pt(600, 600), locale: "ja"}, look.Calm(true), func(d *data) {
		planning(plans)(d)
		d.step(0)
		if got, want := agendaRows(d), "今日; 13:10|Dentist, Anna|36 分後; 明日; 16:00|Swimming; 24日(火曜日); 終日|Lisbon"; got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
}
