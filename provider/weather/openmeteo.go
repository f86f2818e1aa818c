package weather

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// The variables that are requested from Open-Meteo. Each of them counts towards the daily limit of an IP address.
const (
	openMeteoCurrent = "temperature_2m,relative_humidity_2m,apparent_temperature,is_day,precipitation,weather_code,cloud_cover,pressure_msl,wind_speed_10m,wind_direction_10m,wind_gusts_10m"
	openMeteoHourly  = "temperature_2m,precipitation_probability,precipitation,weather_code,is_day,wind_speed_10m,uv_index"
	openMeteoDaily   = "weather_code,temperature_2m_max,temperature_2m_min,sunrise,sunset,precipitation_sum,precipitation_probability_max,wind_speed_10m_max,uv_index_max"
)

// OpenMeteoURL returns the address of a forecast at api.open-meteo.com. Values are in SI units, and times in Unix seconds. The
// precipitation of an hour is in the entry of the next hour. The address therefore requests 49 hours, so that 48 hours are complete.
func OpenMeteoURL(latitude, longitude float64) string {
	q := url.Values{
		"latitude": {short(latitude)}, "longitude": {short(longitude)}, "timezone": {"auto"}, "timeformat": {"unixtime"},
		"wind_speed_unit": {"ms"}, "forecast_days": {"7"}, "forecast_hours": {"49"},
		"current": {openMeteoCurrent}, "hourly": {openMeteoHourly}, "daily": {openMeteoDaily},
	}
	return "https://api.open-meteo.com/v1/forecast?" + q.Encode()
}

// short() formats a coordinate with four decimals, about 10 m. Some services accept no more decimals.
func short(v float64) string { return fmt.Sprintf("%.4f", v) }

// A column is a list of numbers in an answer. nil means a missing number.
type column []*float64

func (c column) at(i int) Number {
	if i >= len(c) || c[i] == nil {
		return None
	}
	return Number(*c[i])
}

func (c column) kind(i int) Kind {
	if v := c.at(i); v.Has() {
		return OfCode(int(v))
	}
	return Unknown
}

// OpenMeteo parses a forecast of Open-Meteo.
func OpenMeteo(data []byte) (*Report, error) {
	var raw struct { // the lists are parallel: the same index means the same time
		Error         bool
		Reason        string
		Timezone      string
		Offset        int `json:"utc_offset_seconds"`
		Current       map[string]any
		Hourly, Daily map[string]column
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the answer is no forecast of Open-Meteo: %w", err)
	}
	if raw.Error {
		return nil, fmt.Errorf("open-meteo.com says: %.200s", raw.Reason)
	}
	if len(raw.Hourly["time"]) == 0 && len(raw.Daily["time"]) == 0 && len(raw.Current) == 0 {
		return nil, errors.New("the answer has neither current weather nor hours nor days in it")
	}
	r := &Report{Zone: zoneOf(raw.Timezone, raw.Offset), Credit: "Weather data by Open-Meteo.com"}
	now := func(name string) Number {
		if v, ok := raw.Current[name].(float64); ok {
			return Number(v)
		}
		return None
	}
	r.At = unix(now("time"))
	r.Current = Current{
		Temp: now("temperature_2m"), Feels: now("apparent_temperature"), Humidity: now("relative_humidity_2m"),
		Wind: now("wind_speed_10m"), Gust: now("wind_gusts_10m"), Bearing: now("wind_direction_10m"), Pressure: now("pressure_msl"),
		UV: None, Cloud: now("cloud_cover"), Rain: now("precipitation"), Kind: Unknown, IsDay: now("is_day") != 0,
	}
	if code := now("weather_code"); code.Has() {
		r.Current.Kind = OfCode(int(code))
	}
	r.openMeteoHours(raw.Hourly)
	r.openMeteoDays(raw.Daily)
	if len(r.Hours) > 0 {
		r.Current.UV = r.Hours[0].UV
	}
	return r, nil
}

func (r *Report) openMeteoHours(c map[string]column) {
	for i := range c["time"][:min(len(c["time"]), MaxHours+1)] {
		at := c["time"].at(i)
		if !at.Has() {
			continue
		}
		r.Hours = append(r.Hours, Hour{
			At: unix(at).In(r.Zone), Temp: c["temperature_2m"].at(i), Rain: c["precipitation"].at(i), Probability: c["precipitation_probability"].at(i),
			Wind: c["wind_speed_10m"].at(i), UV: c["uv_index"].at(i), Kind: c["weather_code"].kind(i), IsDay: c["is_day"].at(i) != 0,
		})
	}
	r.Hours = startOfHour(r.Hours)
}

func (r *Report) openMeteoDays(c map[string]column) {
	byHour := daysOf(r.Hours, r.Zone)
	for i := range c["time"][:min(len(c["time"]), MaxDays)] {
		at := c["time"].at(i)
		if !at.Has() {
			continue
		}
		d := Day{
			Date: unix(at).In(r.Zone), Min: c["temperature_2m_min"].at(i), Max: c["temperature_2m_max"].at(i), Rain: c["precipitation_sum"].at(i),
			Probability: c["precipitation_probability_max"].at(i), Wind: c["wind_speed_10m_max"].at(i), UV: c["uv_index_max"].at(i),
			Worst: c["weather_code"].kind(i), Sunrise: unix(c["sunrise"].at(i)), Sunset: unix(c["sunset"].at(i)),
		}
		d.Midday, d.Most = d.Worst, d.Worst
		for _, h := range byHour {
			if h.Date.Equal(d.Date) {
				d.Midday, d.Most = h.Midday, h.Most
			}
		}
		r.Days = append(r.Days, d)
	}
}

// unix converts Unix seconds to a time. It returns the zero time for a missing number, and for 0, which means that there is no sunrise.
func unix(n Number) time.Time {
	if !n.Has() || n <= 0 {
		return time.Time{}
	}
	return time.Unix(int64(n), 0)
}

// zoneOf returns the zone with a name. If the name is unknown, it returns a zone with the offset, in seconds east of UTC.
func zoneOf(name string, offset int) *time.Location {
	if loc, err := time.LoadLocation(name); err == nil && name != "" && !strings.EqualFold(name, "local") {
		return loc
	}
	return time.FixedZone("", min(max(offset, -86399), 86399))
}
