package weather

import (
	"errors"
	"flag"
	"image"
	"image/draw"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/testing/golden"
	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/walltest"
)

func dry(int) (weather.Number, weather.Number, weather.Kind) { return 0, 0, weather.Clear }

// polarReport returns a report of a place where the sun does not set.
func polarReport() *weather.Report {
	r := walltest.ReportOf(3, 4, dry)
	for i := range r.Hours {
		r.Hours[i].IsDay = true
	}
	for i := range r.Days {
		r.Days[i].Sunrise, r.Days[i].Sunset = time.Time{}, time.Time{}
	}
	r.Current.Kind = weather.Clear
	return r
}

// holedReport returns a report with missing values.
func holedReport() *weather.Report {
	r := walltest.SampleReport()
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

func TestWeatherGolden(t *testing.T) {
	usual, small := image.Pt(717, 445), image.Pt(320, 240)
	walltest.ModernSheet(t, "modern-weather", []walltest.Scene{
		{Size: usual, Widget: "{widget: weather}", Feed: walltest.Reports(walltest.SampleReport())},
		{Size: usual, Widget: "{widget: weather, icons: color, daily_icon: worst, title: Greenwich, icon: mdi:map-marker-outline}", Feed: walltest.Reports(walltest.SampleReport()), Locale: "en-US"},
		{Size: usual, Widget: "{widget: weather, icons: color}", Feed: walltest.Reports(walltest.SampleReport()), Locale: "ar"},
	})
	walltest.ModernSheet(t, "modern-weather-parts", []walltest.Scene{
		{Size: image.Pt(412, 150), Widget: "{widget: weather, parts: [current]}", Feed: walltest.Reports(walltest.SampleReport())},
		{Size: image.Pt(412, 260), Widget: "{widget: weather, parts: [current, days], days: 3, icons: color}", Feed: walltest.Reports(walltest.SampleReport()), Locale: "de"},
		{Size: image.Pt(300, 640), Widget: "{widget: weather}", Feed: walltest.Reports(walltest.SampleReport())},
		{Size: image.Pt(296, 66), Picture: small, Widget: "{widget: weather, parts: [current]}", Feed: walltest.Reports(walltest.SampleReport())},
		{Size: small, Picture: small, Widget: "{widget: weather}", Feed: walltest.Reports(walltest.SampleReport())},
		{Size: image.Pt(40, 30), Picture: small, Widget: "{widget: weather}", Feed: walltest.Reports(walltest.SampleReport())},
		{Size: image.Pt(500, 200), Widget: "{widget: weather, parts: [hours], hours: 48}", Feed: walltest.Reports(walltest.SampleReport())},
		{Size: image.Pt(560, 120), Widget: "{widget: weather, parts: [days], days: 7}", Feed: walltest.Reports(walltest.SampleReport())},
	})
	walltest.ModernSheet(t, "modern-weather-states", []walltest.Scene{
		{Size: image.Pt(560, 400), Widget: "{widget: weather}"},
		{Size: image.Pt(560, 400), Widget: "{widget: weather}", Feed: func(d *walltest.Data) { d.ByName["weather-p"].Fail(errors.New("kaput"), walltest.T0) }},
		{Size: image.Pt(560, 400), Widget: "{widget: weather}", Feed: walltest.Reports(walltest.SampleReport()), After: 2 * time.Hour},
		{Size: image.Pt(560, 400), Widget: "{widget: weather}", Feed: walltest.Reports(walltest.ReportOf(-3, 6, func(i int) (weather.Number, weather.Number, weather.Kind) {
			return weather.Number(i%5) / 4, 60, weather.Snow
		}))},
		{Size: image.Pt(560, 400), Widget: "{widget: weather}", Feed: walltest.Reports(polarReport())},
		{Size: image.Pt(560, 400), Widget: "{widget: weather}", Feed: walltest.Reports(holedReport())},
		{Size: image.Pt(560, 480), Widget: "{widget: weather, icons: color}", Feed: walltest.Reports(walltest.WarnedReport())},
	})
}

// TestWeatherInk draws the weather on e-paper, where everything is black or white and colored icons are not used.
func TestWeatherInk(t *testing.T) {
	e := image.Pt(400, 480)
	s := walltest.Scene{Size: e, Picture: image.Pt(800, 480), Feed: walltest.Reports(walltest.SampleReport()), Widget: "{widget: weather, days: 3, icons: color}"}
	l, _ := look.Named("eink", false)
	walltest.ModernBubble(t, "background_color: white\nwidgets: ["+s.Widget+"]\n", s, l, func(d *walltest.Data) {
		s.Feed(d)
		d.Step(0)
		golden.Compare(t, "modern-weather-eink", d.R.Frame())
	})
}

// TestWeatherKinds draws all kinds of weather by day and by night, on a dark and on a light background.
func TestWeatherKinds(t *testing.T) {
	kinds := append(weather.Kinds(), weather.Unknown)
	const side, gap = 72, 8
	m := image.NewRGBA(image.Rect(0, 0, len(kinds)*(side+gap)+gap, 4*(side+gap)+gap))
	for row := range 4 {
		b := walltest.Builder(kit.Env{Drawing: kit.Drawing{Text: text.NewCache(1 << 20), Look: look.Calm(row < 2)}})
		ground := image.Rect(0, row*(side+gap), m.Rect.Dx(), (row+1)*(side+gap)+gap)
		draw.Draw(m, ground, image.NewUniform(b.Role("surface")), image.Point{}, draw.Src)
		inks := piece.SkyColors(b)
		for i, k := range kinds {
			var d sky
			at := image.Pt(gap+i*(side+gap), gap+row*(side+gap))
			d.draw(&b.Outlines, image.Rectangle{at, at.Add(image.Pt(side, side))}, k, row%2 == 0)
			d.paint(render.Canvas{Dst: m, Clip: m.Rect}, &inks, false)
			if d.used == 0 {
				t.Errorf("kind %d is drawn as nothing", k)
			}
		}
	}
	golden.Compare(t, "weather-kinds", m)
}

var sheets = flag.String("sheets", "", "`folder` for the picture of TestWeatherNames, to look at")

// namedKinds are the kinds of weather in the design drawing of the icons. The last seven are by night.
var namedKinds = []struct {
	kind weather.Kind
	name string
}{
	{weather.Clear, "Clear"}, {weather.MainlyClear, "Mostly clear"}, {weather.PartlyCloudy, "Partly cloudy"}, {weather.Cloudy, "Overcast"},
	{weather.Fog, "Fog"}, {weather.Drizzle, "Drizzle"}, {weather.Rain, "Rain"},
	{weather.HeavyRain, "Heavy rain"}, {weather.Showers, "Showers"}, {weather.Sleet, "Sleet"}, {weather.Snow, "Snow"},
	{weather.ThunderstormHail, "Hail"}, {weather.Thunderstorm, "Thunder"}, {weather.Windy, "Wind"},
	{weather.Clear, "Clear, night"}, {weather.MainlyClear, "Mostly clear, night"}, {weather.PartlyCloudy, "Partly cloudy, night"},
	{weather.Showers, "Showers, night"}, {weather.Fog, "Fog, night"}, {weather.Snow, "Snow, night"}, {weather.Thunderstorm, "Thunder, night"},
}

// TestWeatherNames draws icons with their names, by night above and by day below, as in the design drawing. No two icons are equal.
func TestWeatherNames(t *testing.T) {
	const side, columns, half = 72, 7, 360
	m := image.NewRGBA(image.Rect(0, 0, 1280, 2*half))
	for top := 0; top < 2*half; top += half {
		b := walltest.Builder(kit.Env{Drawing: kit.Drawing{Text: text.NewCache(1 << 20), Look: look.Calm(top == 0), Picture: m.Rect.Size()}})
		draw.Draw(m, image.Rect(0, top, 1280, top+half), image.NewUniform(b.Role("surface")), image.Point{}, draw.Src)
		inks, face, seen := piece.SkyColors(b), b.Face("label"), map[string]string{}
		for i, k := range namedKinds {
			var d sky
			center := image.Pt(126+i%columns*1028/6, top+61+i/columns*109)
			at := image.Rect(-side/2, -side/2, side/2, side/2).Add(center)
			d.draw(&b.Outlines, at, k.kind, i < 2*columns)
			d.paint(render.Canvas{Dst: m, Clip: m.Rect}, &inks, false)
			icon := image.NewRGBA(image.Rect(0, 0, side, side))
			draw.Draw(icon, icon.Rect, m, at.Min, draw.Src)
			pixels := string(icon.Pix)
			if other, ok := seen[pixels]; ok {
				t.Errorf("%s looks like %s", k.name, other)
			}
			seen[pixels] = k.name
			name := b.Caption(face, image.Rect(center.X-90, center.Y+40, center.X+90, center.Y+40+face.Line), kit.EdgeCenter)
			name.Set(k.name)
			name.Paint(render.Canvas{Dst: m, Clip: m.Rect}, b.Role("muted"))
		}
	}
	if *sheets != "" {
		golden.Write(t, filepath.Join(*sheets, "icons-weather.png"), m)
	}
}

// TestDailyIcon checks the weather that stands for a day: the most severe, the weather at noon, or the most frequent.
func TestDailyIcon(t *testing.T) {
	day := walltest.SampleReport().Days[1]
	for word, want := range map[string]weather.Kind{"": day.Midday, ", daily_icon: worst": day.Worst, ", daily_icon: midday": day.Midday, ", daily_icon: most": day.Most} {
		walltest.ModernBubble(t, "widgets: [{widget: weather"+word+"}]\n", walltest.Scene{Size: image.Pt(400, 300)}, look.Calm(true), func(d *walltest.Data) {
			if got := walltest.Only[*kit.Frame](d).Inner.(*forecast).kind(&day); got != want {
				t.Errorf("%q: got %d, want %d", word, got, want)
			}
		})
	}
}

// TestWeatherUnits checks that numbers are in the units of the wall's language.
func TestWeatherUnits(t *testing.T) {
	c := &weather.Current{Temp: -0.4, Feels: 20, Wind: 10, Bearing: 359}
	for tag, want := range map[string]string{
		"en-US": "31° feels 68° wind 22 mph N", "en-GB": "0° feels 20° wind 22 mph N", "de-DE": "0° gefühlt 20° Wind 36 km/h N",
	} {
		l, err := locale.Load(tag, nil)
		if err != nil {
			t.Fatal(err)
		}
		b := walltest.Builder(kit.Env{Drawing: kit.Drawing{Text: text.NewCache(1 << 20), Locale: l}})
		if got := string(degrees(b, nil, c.Temp)) + " " + feels(b, c) + " " + wind(b, c); got != want {
			t.Errorf("%s: got %q, want %q", tag, got, want)
		}
	}
	if got := wind(walltest.Builder(kit.Env{Drawing: kit.Drawing{Text: text.NewCache(1 << 20)}}), &weather.Current{Wind: weather.None}); got != "" {
		t.Errorf("no wind is %q", got)
	}
}

// TestShower checks the start and the end of the next rain. Rain that is unlikely does not count.
func TestShower(t *testing.T) {
	hour := func(rain, chance weather.Number) weather.Hour { return weather.Hour{Rain: rain, Probability: chance} }
	for name, c := range map[string]struct {
		hours    []weather.Hour
		from, to int // hours of the start and the end of the rain, -1 for a missing start or end
	}{
		"none":     {[]weather.Hour{hour(0, 0), hour(0, 90)}, -1, -1},
		"unlikely": {[]weather.Hour{hour(2, 10)}, -1, -1},
		"unsaid":   {[]weather.Hour{hour(0, 0), hour(weather.None, 60), hour(weather.None, 40)}, 1, 2},
		"now":      {[]weather.Hour{hour(1, 80), hour(1, weather.None), hour(0, 0)}, 0, 2},
		"on":       {[]weather.Hour{hour(0, 0), hour(1, 80)}, 1, -1},
	} {
		for i := range c.hours {
			c.hours[i].At = walltest.T0.Add(time.Duration(i) * time.Hour)
		}
		from, to := shower(c.hours)
		at := func(i int) time.Time {
			if i < 0 {
				return time.Time{}
			}
			return walltest.T0.Add(time.Duration(i) * time.Hour)
		}
		if !from.Equal(at(c.from)) || !to.Equal(at(c.to)) {
			t.Errorf("%s: got %v to %v", name, from, to)
		}
	}
}

// TestWeatherParts checks that the last parts are omitted if there is not enough room. The shown days change with the date.
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
		s := walltest.Scene{Size: c.size, Widget: "{widget: weather, card: false, padding: 0, margin: 0, " + c.parts + "}"}
		walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
			walltest.Reports(walltest.SampleReport())(d)
			d.Step(0)
			w := walltest.Only[*kit.Frame](d).Inner.(*forecast)
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
			d.Step(30 * time.Hour)
			if v := newView(walltest.SampleReport(), walltest.T0.Add(30*time.Hour), w); v.today == nil || v.today.Date.Day() != 22 || v.hours[0].At.Before(walltest.T0.Add(29*time.Hour)) {
				t.Errorf("a day later: %+v", v.today)
			}
		})
	}
}

func TestWeatherAllocatesNothing(t *testing.T) {
	if walltest.RaceEnabled {
		t.Skip("the race detector allocates")
	}
	s := walltest.Scene{Size: image.Pt(720, 460), Widget: "{widget: weather, icons: color}"}
	walltest.ModernBubble(t, "widgets: ["+s.Widget+"]\n", s, look.Calm(true), func(d *walltest.Data) {
		walltest.Reports(walltest.WarnedReport())(d)
		_, next := d.Step(time.Second)
		if want := walltest.T0.Truncate(time.Hour).Add(time.Hour); next.After(want) || next.IsZero() {
			t.Errorf("next pass: got %v, want %v at the latest", next, want)
		}
		d.R.Step(walltest.T0.Add(2 * time.Second))
		if damage, _ := d.Step(3 * time.Second); len(damage) != 0 {
			t.Errorf("unchanged: damage %v", damage)
		}
		if got := testing.AllocsPerRun(20, func() { d.R.Step(walltest.T0.Add(4 * time.Second)) }); got != 0 {
			t.Errorf("unchanged: got %v allocations, want 0", got)
		}
		if got := testing.AllocsPerRun(20, func() { d.R.Repaint(); d.R.Step(walltest.T0.Add(4 * time.Second)) }); got != 0 {
			t.Errorf("painted whole: got %v allocations, want 0", got)
		}
		// A request that returns the same data damages nothing.
		d.ByName["weather-p"].Confirm(walltest.T0.Add(5 * time.Second))
		if damage, _ := d.Step(6 * time.Second); len(damage) != 0 {
			t.Errorf("confirmed: damage %v", damage)
		}
	})
}

// TestClockPatternLines checks that a line break in a format with braces becomes a line break in the text.
func TestClockPatternLines(t *testing.T) {
	if got := format.ClockPattern("{EEEE}\n{d MMMM}, it's\n"); got != "EEEE\nd MMMM', it''s'\n" {
		t.Errorf("got %q", got)
	}
}

// TestWeatherWordsAreWhole checks that the name of the weather is never cut, in four languages and in small cells. The name is next to
// the temperature or below the temperature, in one line or two. If there is no room, the name is omitted.
func TestWeatherWordsAreWhole(t *testing.T) {
	for _, tag := range []string{"en", "de", "fi", "ru"} {
		for _, size := range []image.Point{{400, 300}, {252, 210}, {210, 252}, {170, 170}, {95, 140}, {108, 148}, {148, 108}, {70, 60}} {
			for _, kind := range []weather.Kind{weather.Clear, weather.PartlyCloudy, weather.FreezingDrizzle, weather.FreezingRain, weather.SnowShowers, weather.Thunderstorm, weather.ThunderstormHail} {
				report := walltest.SampleReport()
				report.Current.Kind = kind
				walltest.ModernBubble(t, "widgets: [{widget: weather, parts: [current]}]", walltest.Scene{Size: size, Locale: tag, Picture: size.Mul(2)}, look.Calm(true), func(d *walltest.Data) {
					walltest.Reports(report)(d)
					d.Step(0)
					n := walltest.Only[*kit.Frame](d).Inner.(*forecast).now
					for _, c := range []*kit.Caption{n.lines[0], n.more} {
						if c.Raw != "" && c.Shortened() {
							t.Errorf("%s, %v: %q is cut", tag, size, c.Raw)
						}
					}
				})
			}
		}
	}
}
