package widgets

import (
	"errors"
	"image"
	"image/draw"
	"math"
	"strings"
	"testing"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/testing/golden"
	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
)

// sampleReport is a forecast made at t0: warm by day, rain in the night.
func sampleReport() *weather.Report {
	return reportOf(14, 5.5, func(hour int) (rain, chance weather.Number, k weather.Kind) {
		if hour >= 8 && hour < 12 {
			return weather.Number(hour-7) * 0.7, weather.Number(20 + 15*(hour-7)), weather.Rain
		}
		return 0, 5, weather.PartlyCloudy
	})
}

// reportOf is a forecast whose temperature swings around a mean.
func reportOf(mean, swing float64, at func(hour int) (rain, chance weather.Number, k weather.Kind)) *weather.Report {
	start := t0.Truncate(time.Hour)
	r := &weather.Report{Place: "Greenwich", At: t0, Zone: time.UTC, Credit: "Weather data by Open-Meteo.com"}
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

func reports(r *weather.Report) func(*data) {
	return func(d *data) {
		d.named["weather-p"].Promise(15 * time.Minute)
		d.named["weather-p"].Publish(r, t0)
	}
}

func dry(int) (weather.Number, weather.Number, weather.Kind) { return 0, 0, weather.Clear }

// polarReport is one of a place where the sun does not set.
func polarReport() *weather.Report {
	r := reportOf(3, 4, dry)
	for i := range r.Hours {
		r.Hours[i].IsDay = true
	}
	for i := range r.Days {
		r.Days[i].Sunrise, r.Days[i].Sunset = time.Time{}, time.Time{}
	}
	r.Current.Kind = weather.Clear
	return r
}

// holedReport has nulls in it.
func holedReport() *weather.Report {
	r := sampleReport()
	for i := range r.Hours {
		if i%9 > 6 {
			r.Hours[i].Temp, r.Hours[i].Rain, r.Hours[i].Probability = weather.None, weather.None, weather.None
		}
	}
	r.Days[1].Min, r.Days[2].Max, r.Days[2].Min, r.Days[3].Midday = weather.None, weather.None, weather.None, weather.Unknown
	r.Current.Feels, r.Current.Wind, r.Current.Kind = weather.None, weather.None, weather.Unknown
	r.Days[0].Sunrise = time.Time{}
	return r
}

// warnedReport has warnings.
func warnedReport() *weather.Report {
	r := sampleReport()
	r.Current.Kind = weather.ThunderstormHail
	r.Alerts = []weather.Alert{{Title: "Gale", Until: t0.Add(5 * time.Hour)}, {Title: "Severe thunderstorm with hail and gusts of more than 120 km/h", Grave: true, Until: t0.Add(2 * time.Hour)}, {Title: "over", Until: t0.Add(-time.Hour)}}
	return r
}

func TestWeatherGolden(t *testing.T) {
	usual, small := image.Pt(717, 445), image.Pt(320, 240)
	modernSheet(t, "modern-weather", []scene{
		{size: usual, widget: "{widget: weather}", feed: reports(sampleReport())},
		{size: usual, widget: "{widget: weather, icons: color, daily_icon: worst, title: Greenwich, icon: mdi:map-marker-outline}", feed: reports(sampleReport()), locale: "en-US"},
		{size: usual, widget: "{widget: weather, icons: color}", feed: reports(sampleReport()), locale: "ar"},
	})
	modernSheet(t, "modern-weather-parts", []scene{
		{size: image.Pt(412, 150), widget: "{widget: weather, parts: [current]}", feed: reports(sampleReport())},
		{size: image.Pt(412, 260), widget: "{widget: weather, parts: [current, days], days: 3, icons: color}", feed: reports(sampleReport()), locale: "de"},
		{size: image.Pt(300, 640), widget: "{widget: weather}", feed: reports(sampleReport())},
		{size: image.Pt(296, 66), picture: small, widget: "{widget: weather, parts: [current]}", feed: reports(sampleReport())},
		{size: small, picture: small, widget: "{widget: weather}", feed: reports(sampleReport())},
		{size: image.Pt(40, 30), picture: small, widget: "{widget: weather}", feed: reports(sampleReport())},
		{size: image.Pt(500, 200), widget: "{widget: weather, parts: [hours], hours: 48}", feed: reports(sampleReport())},
		{size: image.Pt(560, 120), widget: "{widget: weather, parts: [days], days: 7}", feed: reports(sampleReport())},
	})
	modernSheet(t, "modern-weather-states", []scene{
		{size: image.Pt(560, 400), widget: "{widget: weather}"},
		{size: image.Pt(560, 400), widget: "{widget: weather}", feed: func(d *data) { d.named["weather-p"].Fail(errors.New("kaput"), t0) }},
		{size: image.Pt(560, 400), widget: "{widget: weather}", feed: reports(sampleReport()), after: 2 * time.Hour},
		{size: image.Pt(560, 400), widget: "{widget: weather}", feed: reports(reportOf(-3, 6, func(i int) (weather.Number, weather.Number, weather.Kind) {
			return weather.Number(i%5) / 4, 60, weather.Snow
		}))},
		{size: image.Pt(560, 400), widget: "{widget: weather}", feed: reports(polarReport())},
		{size: image.Pt(560, 400), widget: "{widget: weather}", feed: reports(holedReport())},
		{size: image.Pt(560, 480), widget: "{widget: weather, icons: color}", feed: reports(warnedReport())},
	})
}

// TestWeatherInk: on paper everything is black or white, and no small drawing is used.
func TestWeatherInk(t *testing.T) {
	e := image.Pt(400, 480)
	s := scene{size: e, picture: image.Pt(800, 480), feed: reports(sampleReport()), widget: "{widget: weather, days: 3, icons: color}"}
	l, _ := look.Named("eink", false)
	modernBubble(t, "background_color: white\nwidgets: ["+s.widget+"]\n", s, l, func(d *data) {
		s.feed(d)
		d.step(0)
		golden.Compare(t, "modern-weather-eink", d.r.Frame())
	})
}

// TestWeatherKinds draws all kinds by day and by night, on dark and on light.
func TestWeatherKinds(t *testing.T) {
	kinds := append(weather.Kinds(), weather.Unknown)
	const side, gap = 72, 8
	m := image.NewRGBA(image.Rect(0, 0, len(kinds)*(side+gap)+gap, 4*(side+gap)+gap))
	for row := range 4 {
		b := builder(Env{Text: text.NewCache(1 << 20), Look: look.Calm(row < 2)})
		ground := image.Rect(0, row*(side+gap), m.Rect.Dx(), (row+1)*(side+gap)+gap)
		draw.Draw(m, ground, image.NewUniform(b.role("surface")), image.Point{}, draw.Src)
		inks := b.skyColors()
		for i, k := range kinds {
			var d sky
			at := image.Pt(gap+i*(side+gap), gap+row*(side+gap))
			d.draw(&b.outlines, image.Rectangle{at, at.Add(image.Pt(side, side))}, k, row%2 == 0)
			d.paint(render.Canvas{Dst: m, Clip: m.Rect}, &inks, false)
			if d.used == 0 {
				t.Errorf("kind %d is drawn as nothing", k)
			}
		}
	}
	golden.Compare(t, "weather-kinds", m)
}

// TestDailyIcon: a day is named after its gravest weather, that of noon, or what it has most of.
func TestDailyIcon(t *testing.T) {
	day := sampleReport().Days[1]
	for word, want := range map[string]weather.Kind{"": day.Midday, ", daily_icon: worst": day.Worst, ", daily_icon: midday": day.Midday, ", daily_icon: most": day.Most} {
		modernBubble(t, "widgets: [{widget: weather"+word+"}]\n", scene{size: image.Pt(400, 300)}, look.Calm(true), func(d *data) {
			if got := only[*frame](d).inner.(*forecast).kind(&day); got != want {
				t.Errorf("%q: got %d, want %d", word, got, want)
			}
		})
	}
}

// TestWeatherUnits: numbers are in the units of the language.
func TestWeatherUnits(t *testing.T) {
	c := &weather.Current{Temp: -0.4, Feels: 20, Wind: 10, Bearing: 359}
	for tag, want := range map[string]string{
		"en-US": "31° feels 68° wind 22 mph N", "en-GB": "0° feels 20° wind 22 mph N", "de-DE": "0° gefühlt 20° Wind 36 km/h N",
	} {
		l, err := locale.Load(tag, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := builder(Env{Text: text.NewCache(1 << 20), Locale: l})
		if got := string(b.degrees(nil, c.Temp)) + " " + b.feels(c) + " " + b.wind(c); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
	if got := builder(Env{Text: text.NewCache(1 << 20)}).wind(&weather.Current{Wind: weather.None}); got != "" {
		t.Errorf("no wind is %q", got)
	}
}

// TestShower: the next rain is told with its end, unlikely rain is not.
func TestShower(t *testing.T) {
	hour := func(rain, chance weather.Number) weather.Hour { return weather.Hour{Rain: rain, Probability: chance} }
	for name, c := range map[string]struct {
		hours    []weather.Hour
		from, to int // -1 for none
	}{
		"none":     {[]weather.Hour{hour(0, 0), hour(0, 90)}, -1, -1},
		"unlikely": {[]weather.Hour{hour(2, 10)}, -1, -1},
		"unsaid":   {[]weather.Hour{hour(0, 0), hour(weather.None, 60), hour(weather.None, 40)}, 1, 2},
		"now":      {[]weather.Hour{hour(1, 80), hour(1, weather.None), hour(0, 0)}, 0, 2},
		"on":       {[]weather.Hour{hour(0, 0), hour(1, 80)}, 1, -1},
	} {
		for i := range c.hours {
			c.hours[i].At = t0.Add(time.Duration(i) * time.Hour)
		}
		from, to := shower(c.hours)
		at := func(i int) time.Time {
			if i < 0 {
				return time.Time{}
			}
			return t0.Add(time.Duration(i) * time.Hour)
		}
		if !from.Equal(at(c.from)) || !to.Equal(at(c.to)) {
			t.Errorf("%s: got %v to %v", name, from, to)
		}
	}
}

// TestWeatherParts: parts leave from the end, and days follow the day.
func TestWeatherParts(t *testing.T) {
	for _, c := range []struct {
		size  image.Point
		parts string
		want  string
	}{
		{image.Pt(720, 460), "", "current hours days"},
		{image.Pt(720, 260), "", "current hours"},
		{image.Pt(720, 130), "", "current"},
		{image.Pt(300, 60), "", "current"},
		{image.Pt(720, 260), "parts: [days, current]", "current days"},
		{image.Pt(720, 120), "parts: [hours, days]", "hours"},
	} {
		s := scene{size: c.size, widget: "{widget: weather, card: false, padding: 0, margin: 0, " + c.parts + "}"}
		modernBubble(t, "widgets: ["+s.widget+"]\n", s, look.Calm(true), func(d *data) {
			reports(sampleReport())(d)
			d.step(0)
			w := only[*frame](d).inner.(*forecast)
			var got []string
			for i, box := range w.boxes {
				if !box.Empty() {
					got = append(got, skyPartNames[i])
				}
				if !box.In(image.Rectangle{Max: c.size}) {
					t.Errorf("%v: %s is at %v", c.size, skyPartNames[i], box)
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%v %s: got %v, want %s", c.size, c.parts, got, c.want)
			}
			if w.days.first != 1 && strings.Contains(c.want, "current") {
				t.Errorf("the days begin with day %d", w.days.first)
			}
			d.step(30 * time.Hour)
			if v := newView(sampleReport(), t0.Add(30*time.Hour), w); v.today == nil || v.today.Date.Day() != 22 || v.hours[0].At.Before(t0.Add(29*time.Hour)) {
				t.Errorf("a day later: %+v", v.today)
			}
		})
	}
}

func TestWeatherAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	s := scene{size: image.Pt(720, 460), widget: "{widget: weather, icons: color}"}
	modernBubble(t, "widgets: ["+s.widget+"]\n", s, look.Calm(true), func(d *data) {
		reports(warnedReport())(d)
		_, next := d.step(time.Second)
		if want := t0.Truncate(time.Hour).Add(time.Hour); next.After(want) || next.IsZero() {
			t.Errorf("next pass: got %v, want %v at the latest", next, want)
		}
		d.r.Step(t0.Add(2 * time.Second))
		if damage, _ := d.step(3 * time.Second); len(damage) != 0 {
			t.Errorf("unchanged: damage %v", damage)
		}
		if got := testing.AllocsPerRun(20, func() { d.r.Step(t0.Add(4 * time.Second)) }); got != 0 {
			t.Errorf("unchanged: got %v allocations, want 0", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.r.Repaint(); d.r.Step(t0.Add(4 * time.Second)) }); got != 0 {
			t.Errorf("painted whole: got %v allocations, want 0", got)
		}
		// A look at the service that brings nothing new draws nothing.
		d.named["weather-p"].Confirm(t0.Add(5 * time.Second))
		if damage, _ := d.step(6 * time.Second); len(damage) != 0 {
			t.Errorf("confirmed: damage %v", damage)
		}
	})
}

// TestClockPatternLines: a line break in a format with braces is one of the text.
func TestClockPatternLines(t *testing.T) {
	if got := clockPattern("{EEEE}\n{d MMMM}, it's\n"); got != "EEEE\nd MMMM', it''s'\n" {
		t.Errorf("got %q", got)
	}
}

// TestWeatherWordsAreWhole: whatever the weather is called stands whole beside the temperature or below it, in one line or two, in
// every language and down to small cells; where it cannot, it is left out.
func TestWeatherWordsAreWhole(t *testing.T) {
	for _, tag := range []string{"en", "de", "fi", "ru"} {
		for _, size := range []image.Point{{400, 300}, {252, 210}, {210, 252}, {170, 170}, {95, 140}, {108, 148}, {148, 108}, {70, 60}} {
			for _, kind := range []weather.Kind{weather.Clear, weather.PartlyCloudy, weather.FreezingDrizzle, weather.FreezingRain, weather.SnowShowers, weather.Thunderstorm, weather.ThunderstormHail} {
				report := sampleReport()
				report.Current.Kind = kind
				modernBubble(t, "widgets: [{widget: weather, parts: [current]}]", scene{size: size, locale: tag, picture: size.Mul(2)}, look.Calm(true), func(d *data) {
					reports(report)(d)
					d.step(0)
					n := only[*frame](d).inner.(*forecast).now
					for _, c := range []*caption{n.lines[0], n.more} {
						if c.raw != "" && c.shortened() {
							t.Errorf("%s, %v: %q is cut", tag, size, c.raw)
						}
					}
				})
			}
		}
	}
}
