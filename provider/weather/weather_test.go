package weather

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"dashboard/internal/locale"
)

const latitude, longitude = 52.52, 13.41

var (
	berlin = func() *time.Location {
		loc, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			panic(err)
		}
		return loc
	}()
	noonOf = time.Date(2026, 5, 15, 12, 0, 0, 0, berlin)
)

// answers() returns each service's report of the same two hours. The first hour has 14.2 degrees, light rain, and wind of 5 m/s from the
// west.
func answers() map[string]func() (*Report, error) {
	u, z := noonOf.Unix(), noonOf.UTC().Format(time.RFC3339)
	next := noonOf.Add(time.Hour).UTC().Format(time.RFC3339)
	midnight := time.Date(2026, 5, 15, 0, 0, 0, 0, berlin).Unix()
	openMeteo := fmt.Sprintf(`{"timezone":"Europe/Berlin","utc_offset_seconds":7200,"current":{"time":%d,"temperature_2m":14.2,"relative_humidity_2m":80,"apparent_temperature":11.2,"is_day":1,"precipitation":0.4,"weather_code":61,"cloud_cover":90,"pressure_msl":1008,"wind_speed_10m":5,"wind_direction_10m":270,"wind_gusts_10m":9},
		"hourly":{"time":[%[1]d,%[2]d,%[6]d],"temperature_2m":[14.2,15.1,15],"precipitation":[0.8,0.4,0],"precipitation_probability":[90,70,null],"weather_code":[61,61,2],"is_day":[1,1,1],"wind_speed_10m":[5,4,4],"uv_index":[2,3,3]},
		"daily":{"time":[%[3]d],"weather_code":[61],"temperature_2m_max":[15.1],"temperature_2m_min":[14.2],"sunrise":[%[4]d],"sunset":[%[5]d],"precipitation_sum":[0.4]}}`, u, u+3600, midnight, midnight+5*3600, midnight+21*3600, u+7200)
	metNo := fmt.Sprintf(`{"properties":{"timeseries":[
		{"time":%q,"data":{"instant":{"details":{"air_temperature":14.2,"relative_humidity":80,"wind_speed":5,"wind_from_direction":270,"air_pressure_at_sea_level":1008,"cloud_area_fraction":90}},"next_1_hours":{"summary":{"symbol_code":"lightrain"},"details":{"precipitation_amount":0.4}}}},
		{"time":%q,"data":{"instant":{"details":{"air_temperature":15.1,"wind_speed":4}},"next_1_hours":{"summary":{"symbol_code":"partlycloudy_day"},"details":{"precipitation_amount":0}}}}]}}`, z, next)
	brightSky := fmt.Sprintf(`{"weather":[{"timestamp":%q,"temperature":14.2,"precipitation":0.8,"wind_speed":18,"wind_direction":270,"wind_gust_speed":32.4,"relative_humidity":80,"pressure_msl":1008,"cloud_cover":90,"condition":"rain","icon":"rain"},
		{"timestamp":%q,"temperature":15.1,"precipitation":0.4,"wind_speed":14.4,"condition":"rain","icon":"rain"},
		{"timestamp":%q,"temperature":15,"precipitation":0,"wind_speed":14.4,"condition":"dry","icon":"partly-cloudy-day"}]}`, z, next, noonOf.Add(2*time.Hour).UTC().Format(time.RFC3339))
	openWeather := fmt.Sprintf(`{"timezone":"Europe/Berlin","timezone_offset":7200,"current":{"dt":%d,"temp":14.2,"feels_like":11.2,"humidity":80,"pressure":1008,"clouds":90,"wind_speed":5,"wind_gust":9,"wind_deg":270,"rain":{"1h":0.4},"weather":[{"id":500,"icon":"10d"}]},
		"hourly":[{"dt":%[1]d,"temp":14.2,"wind_speed":5,"pop":0.7,"rain":{"1h":0.4},"weather":[{"id":500,"icon":"10d"}]},{"dt":%[2]d,"temp":15.1,"wind_speed":4,"weather":[{"id":802,"icon":"03d"}]}],
		"daily":[{"dt":%[1]d,"sunrise":%[3]d,"sunset":%[4]d,"temp":{"min":14.2,"max":15.1},"rain":0.4,"weather":[{"id":500,"icon":"10d"}]}],"alerts":[{"event":"Gale","end":%[5]d}]}`, u, u+3600, midnight+5*3600, midnight+21*3600, u+7200)
	end := noonOf.Add(2 * time.Hour).Format(time.RFC3339)
	nws := fmt.Sprintf(`{"properties":{"periods":[
		{"startTime":%q,"isDaytime":true,"temperature":14.2,"temperatureUnit":"C","probabilityOfPrecipitation":{"value":70},"relativeHumidity":{"value":80},"windSpeed":"18 km/h","windDirection":"W","icon":"/icons/land/day/rain,70?size=small","shortForecast":"Light Rain"},
		{"startTime":%q,"endTime":%q,"isDaytime":true,"temperature":59.18,"temperatureUnit":"F","windSpeed":"9 mph","windDirection":"W","icon":"/icons/land/day/sct","shortForecast":"Mostly Sunny"}]}}`, noonOf.Format(time.RFC3339), noonOf.Add(time.Hour).Format(time.RFC3339), end)
	return map[string]func() (*Report, error){
		"nws":         func() (*Report, error) { return NWS([]byte(nws), latitude, longitude, berlin, noonOf) },
		"open-meteo":  func() (*Report, error) { return OpenMeteo([]byte(openMeteo)) },
		"met.no":      func() (*Report, error) { return MetNo([]byte(metNo), latitude, longitude, berlin) },
		"brightsky":   func() (*Report, error) { return BrightSky([]byte(brightSky), latitude, longitude, berlin, noonOf) },
		"openweather": func() (*Report, error) { return OpenWeather([]byte(openWeather)) },
	}
}

// neutral is the report that each service in answers() must give, except the numbers listed in `silent`.
var neutral = Report{
	Current: Current{Temp: 14.2, Feels: 11.2, Humidity: 80, Wind: 5, Gust: 9, Bearing: 270, Pressure: 1008, UV: None, Cloud: 90, Rain: 0.4, Kind: LightRain, IsDay: true},
	Hours: []Hour{
		{At: noonOf, Temp: 14.2, Rain: 0.4, Probability: 70, Wind: 5, UV: None, Kind: LightRain, IsDay: true},
		{At: noonOf.Add(time.Hour), Temp: 15.1, Rain: 0, Probability: None, Wind: 4, UV: None, Kind: PartlyCloudy, IsDay: true},
	},
	Days: []Day{{Date: time.Date(2026, 5, 15, 0, 0, 0, 0, berlin), Min: 14.2, Max: 15.1, Rain: 0.4, Probability: 70, Wind: None, UV: None, Worst: LightRain, Midday: LightRain, Most: LightRain}},
}

// silent lists the numbers that each service does not report. The key is the name of the service.
var silent = map[string]string{
	"nws": "Gust Pressure Cloud Rain", "met.no": "Gust Probability", "brightsky": "Probability",
}

// agree compares the fields of two structs. Numbers may differ by half a unit. If `want` has no number, the field is not compared. `got`
// may lack only the numbers in `silent`, and the probability of a day.
func agree(t *testing.T, service, what string, got, want any) {
	t.Helper()
	g, w := reflect.ValueOf(got), reflect.ValueOf(want)
	for i := range g.NumField() {
		name := g.Type().Field(i).Name
		switch a := g.Field(i).Interface().(type) {
		case Number:
			b := w.Field(i).Interface().(Number)
			if !b.Has() || !a.Has() && strings.Contains(silent[service]+" ", name+" ") || what == "day" && name == "Probability" && !a.Has() {
				continue
			}
			if !(math.Abs(float64(a-b)) <= 0.5) {
				t.Errorf("%s.%s: got %v, want %v", what, name, a, b)
			}
		case time.Time:
			if b := w.Field(i).Interface().(time.Time); !b.IsZero() && !a.Equal(b) {
				t.Errorf("%s.%s: got %v, want %v", what, name, a, b)
			}
		case Kind, bool:
			if a != w.Field(i).Interface() {
				t.Errorf("%s.%s: got %v, want %v", what, name, a, w.Field(i).Interface())
			}
		}
	}
}

// TestServicesAgree: the same weather leads to the same report from every service.
func TestServicesAgree(t *testing.T) {
	all := answers()
	if len(all) != 5 {
		t.Errorf("%d services", len(all))
	}
	for name, read := range all {
		t.Run(name, func(t *testing.T) {
			r, err := read()
			if err != nil {
				t.Fatal(err)
			}
			agree(t, name, "current", r.Current, neutral.Current)
			if len(r.Hours) != 2 || len(r.Days) != 1 {
				t.Fatalf("got %d hours, %d days", len(r.Hours), len(r.Days))
			}
			agree(t, name, "hour", r.Hours[0], neutral.Hours[0])
			agree(t, name, "next hour", r.Hours[1], neutral.Hours[1])
			agree(t, name, "day", r.Days[0], neutral.Days[0])
			d := r.Days[0]
			if d.Sunrise.In(berlin).Hour() != 5 && d.Sunrise.In(berlin).Hour() != 4 || d.Sunset.In(berlin).Hour() < 20 {
				t.Errorf("the sun is up from %v to %v", d.Sunrise, d.Sunset)
			}
			if r.Credit == "" {
				t.Error("no credit line")
			}
		})
	}
}

// TestWrongAnswers: an answer without a forecast is an error and never causes a panic.
func TestWrongAnswers(t *testing.T) {
	for _, text := range []string{``, `{}`, `[]`, `null`, `"x"`, `{"error":true,"reason":"no"}`, `{"hourly":{"time":["x"]}}`, `{"properties":{"timeseries":[]}}`} {
		for name, read := range map[string]func([]byte) (*Report, error){
			"open-meteo":  OpenMeteo,
			"met.no":      func(b []byte) (*Report, error) { return MetNo(b, 0, 0, time.UTC) },
			"brightsky":   func(b []byte) (*Report, error) { return BrightSky(b, 0, 0, time.UTC, noonOf) },
			"openweather": OpenWeather,
			"nws":         func(b []byte) (*Report, error) { return NWS(b, 0, 0, time.UTC, noonOf) },
		} {
			if r, err := read([]byte(text)); err == nil {
				t.Errorf("%s of %q: got %+v, want an error", name, text, r)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	l := locale.English()
	for i, k := range Kinds() {
		if k.Text(l) == "" || k.Icon(true) == "" || k.Icon(false) == "" || k.Severity() != i {
			t.Errorf("kind %d: %q, %q, %d", k, k.Text(l), k.Icon(true), k.Severity())
		}
	}
	for code := range 100 {
		if k := OfCode(code); k != Unknown && k.Text(l) == "" {
			t.Errorf("code %d has no words", code)
		}
	}
	if Unknown.Icon(true) != "weather-cloudy-alert" {
		t.Error("unknown weather is blank")
	}
}

// TestLongDay: daysOf assigns all 25 hours to a day of 25 hours, and the day's sum of rain includes all these hours.
func TestLongDay(t *testing.T) {
	start := time.Date(2026, 10, 25, 0, 0, 0, 0, berlin)
	var hours []Hour
	for i := range 25 + 3 {
		hours = append(hours, Hour{At: start.Add(time.Duration(i) * time.Hour), Temp: Number(i) - 10, Rain: 1, Kind: Snow, Probability: None, Wind: None, UV: None})
	}
	days := daysOf(hours, berlin)
	if len(days) != 2 || days[0].Rain != 25 || days[0].Min != -10 || days[0].Max != 14 || days[1].Min != 15 || days[0].Most != Snow {
		t.Errorf("got %+v", days)
	}
}

// TestNulls: a column may contain missing numbers, have another length than other columns, or have no numbers. The affected numbers are
// then missing in the report.
func TestNulls(t *testing.T) {
	r, err := OpenMeteo([]byte(`{"timezone":"Europe/Berlin","current":{"time":1778839200,"temperature_2m":null,"weather_code":null},
		"hourly":{"time":[1778839200,null,1778846400,1778850000],"temperature_2m":[null,3,-4.5],"weather_code":[1]},
		"daily":{"time":[1778796000],"temperature_2m_min":[null],"sunrise":[0],"sunset":[0]}}`))
	if err != nil || r.Current.Temp.Has() || r.Current.Kind != Unknown || len(r.Hours) != 2 || r.Hours[0].Temp.Has() || r.Hours[0].Kind != MainlyClear ||
		r.Hours[1].Temp != -4.5 || r.Hours[1].Kind != Unknown || len(r.Days) != 1 || r.Days[0].Min.Has() || r.Days[0].Max.Has() || !r.Days[0].Sunrise.IsZero() {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestDays computes a day of 23 hours, and a day on which the three kinds of weather differ.
func TestDays(t *testing.T) {
	var hours []Hour
	start := time.Date(2026, 3, 29, 0, 0, 0, 0, berlin)
	for i := range 23 + 24 {
		h := Hour{At: start.Add(time.Duration(i) * time.Hour), Temp: Number(i % 20), Rain: 0.5, Kind: Cloudy, IsDay: true, Probability: None, Wind: None, UV: None}
		switch {
		case i == 3:
			h.Kind = Thunderstorm
		case h.At.Hour() == noon:
			h.Kind = Clear
		}
		hours = append(hours, h)
	}
	days := daysOf(hours, berlin)
	if len(days) != 2 || days[0].Rain != 23*0.5 || days[1].Rain != 24*0.5 {
		t.Fatalf("got %d days, %+v", len(days), days)
	}
	if d := days[0]; d.Worst != Thunderstorm || d.Midday != Clear || d.Most != Cloudy {
		t.Errorf("kinds: %d %d %d", d.Worst, d.Midday, d.Most)
	}
}

// TestPolarDay: where the sun does not set, a day has no sunset.
func TestPolarDay(t *testing.T) {
	days := []Day{{Date: time.Date(2026, 6, 21, 0, 0, 0, 0, time.UTC)}}
	place{78.22, 15.65}.suns(days)
	if !days[0].Sunrise.IsZero() || !days[0].Sunset.IsZero() {
		t.Errorf("got %+v", days[0])
	}
}

func TestNumbersInJSON(t *testing.T) {
	b, err := json.Marshal([]Number{1.5, None, Number(math.Inf(1))})
	if string(b) != "[1.5,null,null]" || err != nil {
		t.Errorf("got %s, %v", b, err)
	}
}

func FuzzServices(f *testing.F) {
	f.Add([]byte(`{"current":{"time":1},"hourly":{"time":[1,null],"weather_code":[1e300]},"daily":{"time":[-1]}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = OpenMeteo(b)
		_, _ = MetNo(b, 1, 1, time.UTC)
		_, _ = BrightSky(b, 1, 1, time.UTC, noonOf)
		_, _ = OpenWeather(b)
		_, _ = NWS(b, 1, 1, time.UTC, noonOf)
		_, _ = NWSGridOf(b)
		_, _ = NWSAlertsOf(b, time.UTC)
		_, _ = BrightSkyAlertsOf(b, time.UTC)
		_, _ = AirOf(b)
	})
}

// TestDayWithoutMidnight: a day that begins at 01:00 has the right date, both in the computed days and in the days of a service.
func TestDayWithoutMidnight(t *testing.T) {
	zone, err := time.LoadLocation("America/Santiago")
	if err != nil {
		t.Fatal(err)
	}
	const want = "2026-09-06"
	days := daysOf([]Hour{{At: time.Date(2026, 9, 6, 12, 0, 0, 0, zone)}}, zone)
	if got := days[0].Date.Format(time.DateOnly); got != want {
		t.Errorf("a day of hours: got %s", got)
	}
	d := openDay{At: time.Date(2026, 9, 6, 12, 0, 0, 0, zone).Unix()}
	if got := d.day(zone).Date.Format(time.DateOnly); got != want {
		t.Errorf("OpenWeather: got %s", got)
	}
	h := house{zone: zone}
	if got, ok := h.time(want); !ok || got.Format(time.DateOnly) != want {
		t.Errorf("Home Assistant: got %v", got)
	}
}
