package draft

import (
	"math"
	"regexp"
	"strconv"
	"time"

	"dashboard/config/edit"
	"dashboard/internal/localtime"
	"dashboard/provider/calendar"
	"dashboard/provider/weather"
	"dashboard/wall/scene"
)

// fillSamples creates a sample value for each provider without a value. The sample value fits the provider's definition and the formulas
// that read the provider.
func (t *Draft) fillSamples(g *scene.Generation, now time.Time) {
	for _, name := range g.Sources.Names() {
		if v := t.sampleOf(name, g.Region.Zone, now); v != nil {
			g.Sources.Fill(name, v, now)
		}
	}
}

// sampleOf returns a sample value for the provider with the given name, or nil for a derived provider.
func (t *Draft) sampleOf(name string, zone *time.Location, now time.Time) any {
	def := t.files["providers.yaml"].good.At("providers").Get(name)
	if zone == nil {
		zone = time.Local
	}
	switch def.Resolve().Get("type").Text() {
	case "weather":
		return sampleWeather(now.In(zone))
	case "calendar":
		return sampleAgenda(now.In(zone))
	case "derived":
		return nil
	}
	return t.sampleTree(name)
}

// sampleWeather returns a weather report with a sunny forecast.
func sampleWeather(now time.Time) *weather.Report {
	n := func(v float64) weather.Number { return weather.Number(v) }
	hour := now.Truncate(time.Hour)
	r := &weather.Report{Place: "Sample", At: now, Zone: now.Location(), Current: weather.Current{
		Temp: n(18), Feels: n(17), Humidity: n(55), Wind: n(3), Gust: n(6), Bearing: n(240), Pressure: n(1016), UV: n(3), Cloud: n(40),
		Rain: n(0), Kind: weather.PartlyCloudy, IsDay: true,
	}}
	for i := range 48 {
		at := hour.Add(time.Duration(i) * time.Hour)
		warm := 15 + 5*math.Sin(float64(at.Hour()-9)*math.Pi/12)
		r.Hours = append(r.Hours, weather.Hour{
			At: at, Temp: n(math.Round(warm)), Rain: n(0), Probability: n(10), Wind: n(3), UV: n(2), Kind: weather.PartlyCloudy,
			IsDay: at.Hour() > 6 && at.Hour() < 20,
		})
	}
	for i := range 7 {
		date := localtime.At(now.Year(), now.Month(), now.Day()+i, 0, now.Location())
		kind := []weather.Kind{weather.PartlyCloudy, weather.Clear, weather.LightRain, weather.Cloudy}[i%4]
		r.Days = append(r.Days, weather.Day{
			Date: date, Min: n(9 + float64(i%3)), Max: n(18 + float64(i%4)), Rain: n(float64(i % 3)), Probability: n(20), Wind: n(4), UV: n(3),
			Worst: kind, Midday: kind, Most: kind, Sunrise: date.Add(6 * time.Hour), Sunset: date.Add(20 * time.Hour),
		})
	}
	return r
}

// sampleAgenda returns an agenda with some events in this week.
func sampleAgenda(now time.Time) *calendar.Agenda {
	day := func(n, minute int) time.Time {
		return localtime.At(now.Year(), now.Month(), now.Day()+n, minute, now.Location())
	}
	one := &calendar.Calendar{Name: "Sample"}
	a := &calendar.Agenda{Calendars: []*calendar.Calendar{one}, Zone: now.Location(), From: day(0, 0), To: day(14, 0)}
	for i, title := range []string{"Dentist", "Swimming", "Dinner with Sam", "Parents' evening", "Market"} {
		at := day(i, (9+2*i)*60)
		a.Events = append(a.Events, &calendar.Event{Title: title, Start: at, End: at.Add(time.Hour), Busy: true, Calendar: one})
	}
	a.Tasks = []*calendar.Task{{Title: "Water the plants", Due: day(1, 0), AllDay: true, Calendar: one}}
	return a
}

// pathStep matches a key or a list index in a formula, after the name of a provider.
var pathStep = regexp.MustCompile(`\.([A-Za-z_][A-Za-z0-9_]*)|\[(\d*)\]`)

// maxSampleKeys limits the number of paths in formulas from which sampleTree makes a sample value.
const maxSampleKeys = 500

// sampleTree returns a mapping with all keys that formulas read from the provider with the given name. The values are numbers. If
// formulas read no keys, sampleTree returns a number.
func (t *Draft) sampleTree(name string) any {
	reads := regexp.MustCompile(`(?:^|[^A-Za-z0-9_.$"\])])\.` + regexp.QuoteMeta(name) + `((?:\.[A-Za-z_][A-Za-z0-9_]*|\[\d*\])*)`)
	var tree any
	count := 0
	for _, f := range t.files {
		if f.good == nil {
			continue
		}
		f.good.Root.Walk(func(n *edit.Node) {
			if n.Kind != edit.Scalar || n.Tag != "!data" {
				return
			}
			for _, m := range reads.FindAllStringSubmatch(n.Value, -1) {
				if count++; count < maxSampleKeys {
					tree = grown(tree, pathStep.FindAllStringSubmatch(m[1], -1), count)
				}
			}
		})
	}
	if tree == nil {
		return 21.5
	}
	return tree
}

// maxSampleItems is the maximum number of entries of a list in a sample value.
const maxSampleItems = 8

// grown() adds the keys and lists of a path to the sample value v, and returns the result.
func grown(v any, path [][]string, seed int) any {
	if len(path) == 0 {
		if v == nil {
			return float64(10 + seed*7%40)
		}
		return v
	}
	if key := path[0][1]; key != "" {
		m, ok := v.(map[string]any)
		if !ok {
			m = map[string]any{}
		}
		m[key] = grown(m[key], path[1:], seed)
		return m
	}
	list, _ := v.([]any)
	i, err := strconv.Atoi(path[0][2])
	if err != nil {
		i = 2 // the formula reads all entries, so give the list three entries
	}
	for i = min(i, maxSampleItems-1); len(list) <= i; {
		list = append(list, nil)
	}
	for k := range list {
		list[k] = grown(list[k], path[1:], seed+k)
	}
	return list
}
