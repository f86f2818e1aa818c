package weather

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// BrightSkyURL returns the address at which Bright Sky sends the data of Germany's weather service for a range of dates.
func BrightSkyURL(latitude, longitude float64, from, to time.Time) string {
	return "https://api.brightsky.dev/weather?lat=" + short(latitude) + "&lon=" + short(longitude) + "&date=" + from.Format("2006-01-02") + "&last_date=" + to.Format("2006-01-02")
}

// A brightRow is one hour in an answer of Bright Sky.
type brightRow struct {
	Timestamp time.Time
	Temp      *float64 `json:"temperature"`
	Rain      *float64 `json:"precipitation"`
	Chance    *float64 `json:"precipitation_probability"`
	Wind      *float64 `json:"wind_speed"`
	Gust      *float64 `json:"wind_gust_speed"`
	Bearing   *float64 `json:"wind_direction"`
	Cloud     *float64 `json:"cloud_cover"`
	Humidity  *float64 `json:"relative_humidity"`
	Pressure  *float64 `json:"pressure_msl"`
	Condition string
	Icon      string
}

// hour converts the row to an Hour.
func (w *brightRow) hour(where place, zone *time.Location) Hour {
	return Hour{
		At: w.Timestamp.In(zone), Temp: of(w.Temp), Rain: of(w.Rain), Probability: of(w.Chance), Wind: scaled(w.Wind, kmh), UV: None,
		Kind: brightKind(w.Condition, w.Icon), IsDay: where.isDay(w.Timestamp),
	}
}

// current() converts the row to the current weather. The parameter h is the Hour that was made from this row.
func (w *brightRow) current(h Hour) Current {
	return Current{
		Temp: h.Temp, Humidity: of(w.Humidity), Wind: h.Wind, Gust: scaled(w.Gust, kmh), Bearing: of(w.Bearing), Pressure: of(w.Pressure),
		UV: None, Cloud: of(w.Cloud), Rain: h.Rain, Kind: h.Kind, IsDay: h.IsDay, Feels: feels(h.Temp, of(w.Humidity), h.Wind),
	}
}

// BrightSky parses an answer of Bright Sky. The current weather is the weather of the hour that contains the time `now`.
func BrightSky(data []byte, latitude, longitude float64, zone *time.Location, now time.Time) (*Report, error) {
	var raw struct{ Weather []brightRow }
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the answer is none of Bright Sky: %w", err)
	}
	if len(raw.Weather) == 0 {
		return nil, errors.New("the answer has no weather in it: Bright Sky knows Germany and its neighbourhood")
	}
	where := place{latitude, longitude}
	r := &Report{Zone: zone, At: now, Credit: "Weather data by Deutscher Wetterdienst"}
	rows := raw.Weather[:min(len(raw.Weather), 24*MaxDays)]
	all := make([]Hour, len(rows))
	for i := range rows {
		all[i] = rows[i].hour(where, zone)
	}
	all = startOfHour(all)
	for i := range all {
		h := &all[i]
		h.Kind = fallen(h.Kind, h.Rain)
		if h.At.Add(time.Hour).After(now) && len(r.Hours) < MaxHours {
			if len(r.Hours) == 0 {
				r.Current = rows[i].current(*h)
			}
			r.Hours = append(r.Hours, *h)
		}
	}
	r.Days = daysOf(all, zone)
	where.suns(r.Days)
	return r, nil
}

// The rates above which rain is moderate or heavy, in mm per hour. They are from the WMO's guide to instruments, No. 8, annex 1.B to
// chapter 1.
const (
	moderateRain = 2.5
	violentRain  = 10
)

// fallen() computes the intensity of rain or snow from the amount, and returns the kind with this intensity: light, moderate or heavy. It
// is for services that do not report the intensity.
func fallen(k Kind, rain Number) Kind {
	if !rain.Has() {
		return k
	}
	light, heavy := rain < moderateRain, rain >= violentRain
	switch k {
	case Rain:
		return graded(light, heavy, LightRain, Rain, HeavyRain)
	case Snow:
		return graded(rain < 1, rain >= 5, LightSnow, Snow, HeavySnow)
	}
	return k
}

// brightKind converts a condition and an icon of Bright Sky to a Kind.
func brightKind(condition, icon string) Kind {
	switch condition {
	case "fog":
		return Fog
	case "rain":
		return Rain
	case "sleet":
		return Sleet
	case "snow":
		return Snow
	case "hail":
		return ThunderstormHail
	case "thunderstorm":
		return Thunderstorm
	}
	switch {
	case strings.HasPrefix(icon, "clear"):
		return Clear
	case strings.HasPrefix(icon, "partly"):
		return PartlyCloudy
	case icon == "cloudy":
		return Cloudy
	case icon == "fog":
		return Fog
	case icon == "wind":
		return Windy
	}
	return Unknown
}
