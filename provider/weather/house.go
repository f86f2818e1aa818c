package weather

import (
	"time"

	"dashboard/internal/localtime"
	"dashboard/provider/geocode"
)

// A house converts the weather of a Home Assistant to the units of a Report. The units of the Home Assistant are in the entity's
// attributes.
type house struct {
	zone                        *time.Location
	at                          *geocode.Place // nil if unknown
	fahrenheit                  bool
	toSpeed, toPressure, toRain float64 // factors that convert to m/s, hPa and mm
}

// The units as Home Assistant writes them (homeassistant/const.py). All other units are treated as metric.
var (
	speeds    = map[string]float64{"km/h": kmh, "m/s": 1, "mph": 0.44704, "kn": 1852.0 / 3600, "ft/s": 0.3048}
	pressures = map[string]float64{"hPa": 1, "mbar": 1, "kPa": 10, "Pa": 0.01, "inHg": 33.8638866667, "mmHg": 1.33322387415, "psi": 68.9475729318}
	rains     = map[string]float64{"mm": 1, "cm": 10, "in": 25.4}
)

// houseOf returns a house for the units in the attributes of an entity.
func houseOf(attributes map[string]any, zone *time.Location) *house {
	unit := func(name string, all map[string]float64, other float64) float64 {
		text, _ := attributes[name].(string)
		if f, ok := all[text]; ok {
			return f
		}
		return other
	}
	return &house{
		zone: zone, fahrenheit: attributes["temperature_unit"] == "°F",
		toSpeed: unit("wind_speed_unit", speeds, kmh), toPressure: unit("pressure_unit", pressures, 1), toRain: unit("precipitation_unit", rains, 1),
	}
}

// numberOf returns a number multiplied by a factor, or None if v is not a number.
func numberOf(v any, by float64) Number {
	switch v := v.(type) {
	case int:
		return Number(float64(v) * by)
	case float64:
		return Number(v * by)
	}
	return None
}

// temperature converts a temperature to °C.
func (h *house) temperature(v any) Number {
	n := numberOf(v, 1)
	if h.fahrenheit {
		return Number(float64(n-32) / 1.8)
	}
	return n
}

// condition() returns the kind of weather and whether it is day. If the location is known, the position of the sun decides whether it is
// day. Otherwise the condition decides.
func (h *house) condition(text string, at time.Time) (k Kind, isDay bool) {
	k, isDay = HomeKind(text)
	if h.at != nil {
		isDay = place{h.at.Latitude, h.at.Longitude}.isDay(at)
	}
	return k, isDay
}

// current() returns the current weather from the attributes of the entity.
func (h *house) current(a map[string]any, condition string, now time.Time) Current {
	c := Current{
		Temp: h.temperature(a["temperature"]), Feels: h.temperature(a["apparent_temperature"]), Humidity: numberOf(a["humidity"], 1),
		Wind: numberOf(a["wind_speed"], h.toSpeed), Gust: numberOf(a["wind_gust_speed"], h.toSpeed), Bearing: windFrom(a["wind_bearing"]),
		Pressure: numberOf(a["pressure"], h.toPressure), UV: numberOf(a["uv_index"], 1), Cloud: numberOf(a["cloud_coverage"], 1), Rain: None,
	}
	c.Kind, c.IsDay = h.condition(condition, now)
	if !c.Feels.Has() {
		c.Feels = feels(c.Temp, c.Humidity, c.Wind)
	}
	return c
}

// bearings are the sixteen directions that some entities report as text.
var bearings = [...]string{"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"}

// windFrom returns the direction from which the wind comes, in degrees.
func windFrom(v any) Number {
	for i, name := range bearings {
		if v == name {
			return Number(float64(i) * 22.5)
		}
	}
	return numberOf(v, 1)
}

// mostRows is the maximum number of entries that are read from a forecast: two weeks by hours.
const mostRows = 14 * 24

// rows() calls f with each entry of a forecast and the entry's time, in the order of the list.
func (h *house) rows(list []any, f func(m map[string]any, at time.Time)) {
	for _, v := range list[:min(len(list), mostRows)] {
		m, _ := v.(map[string]any)
		text, _ := m["datetime"].(string)
		if at, ok := h.time(text); ok {
			f(m, at)
		}
	}
}

// time parses a time. A time without an offset is local time at the location.
func (h *house) time(text string) (time.Time, bool) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.In(h.zone), true
	}
	for _, form := range [...]string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if at, err := time.Parse(form, text); err == nil {
			return localtime.Resolve(at, h.zone), true
		}
	}
	return time.Time{}, false
}

// hours() returns the hours of a forecast that are not yet over.
func (h *house) hours(list []any, now time.Time) (hours []Hour) {
	h.rows(list, func(m map[string]any, at time.Time) {
		if len(hours) == MaxHours || !at.Add(time.Hour).After(now) || len(hours) > 0 && !at.After(hours[len(hours)-1].At) {
			return
		}
		hour := Hour{
			At: at, Temp: h.temperature(m["temperature"]), Rain: numberOf(m["precipitation"], h.toRain),
			Probability: numberOf(m["precipitation_probability"], 1), Wind: numberOf(m["wind_speed"], h.toSpeed), UV: numberOf(m["uv_index"], 1),
		}
		condition, _ := m["condition"].(string)
		hour.Kind, hour.IsDay = h.condition(condition, at)
		hours = append(hours, hour)
	})
	return hours
}

// days() returns the days of a forecast, starting today.
func (h *house) days(list []any, now time.Time) (days []Day) {
	here := now.In(h.zone)
	today := localtime.At(here.Year(), here.Month(), here.Day(), 0, h.zone)
	h.rows(list, func(m map[string]any, at time.Time) {
		date := localtime.At(at.Year(), at.Month(), at.Day(), 0, h.zone)
		if len(days) == MaxDays || date.Before(today) || len(days) > 0 && !date.After(days[len(days)-1].Date) {
			return
		}
		condition, _ := m["condition"].(string)
		k, _ := HomeKind(condition)
		days = append(days, Day{
			Date: date, Min: h.temperature(m["templow"]), Max: h.temperature(m["temperature"]), Rain: numberOf(m["precipitation"], h.toRain),
			Probability: numberOf(m["precipitation_probability"], 1), Wind: numberOf(m["wind_speed"], h.toSpeed), UV: numberOf(m["uv_index"], 1),
			Worst: k, Midday: k, Most: k,
		})
	})
	return days
}
