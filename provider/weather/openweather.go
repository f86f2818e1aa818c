package weather

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"dashboard/internal/localtime"
)

// OpenWeatherURL returns the address of a forecast of OpenWeather (One Call 3.0). The service needs a key.
func OpenWeatherURL(latitude, longitude float64, key string) string {
	return "https://api.openweathermap.org/data/3.0/onecall?units=metric&exclude=minutely&lat=" + short(latitude) + "&lon=" + short(longitude) + "&appid=" + key
}

// An openRow is the current weather, or one hour, in an answer of OpenWeather.
type openRow struct {
	At       int64    `json:"dt"`
	Temp     *float64 `json:"temp"`
	Feels    *float64 `json:"feels_like"`
	Humidity *float64
	Pressure *float64
	UV       *float64 `json:"uvi"`
	Cloud    *float64 `json:"clouds"`
	Wind     *float64 `json:"wind_speed"`
	Gust     *float64 `json:"wind_gust"`
	Bearing  *float64 `json:"wind_deg"`
	Chance   *float64 `json:"pop"`
	Rain     map[string]float64
	Snow     map[string]float64
	Weather  openSigns
}

type openSigns []struct {
	ID   int
	Icon string
}

func (s openSigns) kind() Kind {
	if len(s) == 0 {
		return Unknown
	}
	return openKind(s[0].ID)
}

func (s openSigns) isDay() bool { return len(s) == 0 || !strings.HasSuffix(s[0].Icon, "n") }

// current() converts the row to the current weather.
func (o *openRow) current() Current {
	return Current{
		Temp: of(o.Temp), Feels: of(o.Feels), Humidity: of(o.Humidity), Wind: of(o.Wind), Gust: of(o.Gust), Bearing: of(o.Bearing), Pressure: of(o.Pressure),
		UV: of(o.UV), Cloud: of(o.Cloud), Rain: o.rain(), Kind: o.Weather.kind(), IsDay: o.Weather.isDay(),
	}
}

// hour converts the row to an Hour.
func (o *openRow) hour(zone *time.Location) Hour {
	return Hour{
		At: time.Unix(o.At, 0).In(zone), Temp: of(o.Temp), Rain: o.rain(), Probability: scaled(o.Chance, percent),
		Wind: of(o.Wind), UV: of(o.UV), Kind: o.Weather.kind(), IsDay: o.Weather.isDay(),
	}
}

// An openDay is one day in an answer of OpenWeather.
type openDay struct {
	At      int64 `json:"dt"`
	Sunrise int64
	Sunset  int64
	Temp    struct{ Min, Max *float64 }
	Chance  *float64 `json:"pop"`
	Rain    *float64
	Snow    *float64
	UV      *float64 `json:"uvi"`
	Wind    *float64 `json:"wind_speed"`
	Weather openSigns
}

// day converts the day to a Day.
func (d *openDay) day(zone *time.Location) Day {
	at, k := time.Unix(d.At, 0).In(zone), d.Weather.kind()
	return Day{
		Date: localtime.At(at.Year(), at.Month(), at.Day(), 0, zone), Min: of(d.Temp.Min), Max: of(d.Temp.Max), Rain: sum(of(d.Rain), of(d.Snow)),
		Probability: scaled(d.Chance, percent), Wind: of(d.Wind), UV: of(d.UV), Worst: k, Midday: k, Most: k,
		Sunrise: unix(Number(d.Sunrise)), Sunset: unix(Number(d.Sunset)),
	}
}

// OpenWeather parses a forecast of OpenWeather.
func OpenWeather(data []byte) (*Report, error) {
	var raw struct {
		Message  string
		Timezone string
		Offset   int `json:"timezone_offset"`
		Current  *openRow
		Hourly   []openRow
		Daily    []openDay
		Alerts   []struct {
			Event string
			End   int64
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the answer is no forecast of OpenWeather: %w", err)
	}
	if raw.Current == nil {
		return nil, fmt.Errorf("the answer has no current weather in it: %.200s", raw.Message)
	}
	c := raw.Current
	r := &Report{Zone: zoneOf(raw.Timezone, raw.Offset), At: time.Unix(c.At, 0), Credit: "Weather data by OpenWeather"}
	r.Current = c.current()
	for _, h := range raw.Hourly[:min(len(raw.Hourly), MaxHours)] {
		r.Hours = append(r.Hours, h.hour(r.Zone))
	}
	for _, d := range raw.Daily[:min(len(raw.Daily), MaxDays)] {
		r.Days = append(r.Days, d.day(r.Zone))
	}
	for _, a := range raw.Alerts[:min(len(raw.Alerts), maxAlerts)] {
		r.Alerts = append(r.Alerts, Alert{Title: clip(a.Event), Until: time.Unix(a.End, 0).In(r.Zone)})
	}
	return r, nil
}

// rain returns the precipitation of an hour, in mm of water.
func (o *openRow) rain() Number { return Number(o.Rain["1h"] + o.Snow["1h"]) }

// openKind converts the number of a condition to a Kind.
func openKind(id int) Kind {
	switch {
	case id == 511:
		return FreezingRain
	case id == 800:
		return Clear
	case id == 801:
		return MainlyClear
	case id == 802:
		return PartlyCloudy
	case id == 803, id == 804:
		return Cloudy
	case id == 500:
		return LightRain
	case id >= 502 && id <= 504, id == 522:
		return HeavyRain
	case id >= 520 && id <= 531:
		return Showers
	case id == 600:
		return LightSnow
	case id == 602:
		return HeavySnow
	case id >= 611 && id <= 616:
		return Sleet
	case id >= 620 && id <= 622:
		return SnowShowers
	case id == 771, id == 781:
		return Windy
	}
	if k, ok := map[int]Kind{2: Thunderstorm, 3: Drizzle, 5: Rain, 6: Snow, 7: Fog}[id/100]; ok {
		return k
	}
	return Unknown
}
