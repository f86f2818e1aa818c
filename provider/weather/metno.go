package weather

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// MetNoURL returns the address of a forecast of the Norwegian Meteorological Institute (met.no). The institute requires coordinates with
// at most four decimals, and a User-Agent with the name of the program.
func MetNoURL(latitude, longitude float64) string {
	return "https://api.met.no/weatherapi/locationforecast/2.0/compact?lat=" + short(latitude) + "&lon=" + short(longitude)
}

// A metPeriod has the data for the hours that follow a time.
type metPeriod struct {
	Summary struct {
		Symbol string `json:"symbol_code"`
	}
	Details struct {
		Rain *float64 `json:"precipitation_amount"`
	}
}

type metDetails struct {
	Temp     *float64 `json:"air_temperature"`
	Humidity *float64 `json:"relative_humidity"`
	Wind     *float64 `json:"wind_speed"`
	Bearing  *float64 `json:"wind_from_direction"`
	Pressure *float64 `json:"air_pressure_at_sea_level"`
	Cloud    *float64 `json:"cloud_area_fraction"`
}

// A metStep is one time in a forecast of met.no, with the data for the hours that follow it.
type metStep struct {
	Time time.Time
	Data struct {
		Instant struct{ Details metDetails }
		Hour    *metPeriod `json:"next_1_hours"`
		Six     *metPeriod `json:"next_6_hours"`
	}
}

// hour converts the step to an Hour.
func (s *metStep) hour(where place, zone *time.Location) Hour {
	d := &s.Data.Instant.Details
	h := Hour{At: s.Time.In(zone), Temp: of(d.Temp), Wind: of(d.Wind), Rain: None, Probability: None, UV: None, Kind: Unknown, IsDay: where.isDay(s.Time)}
	p := s.Data.Hour
	if p == nil {
		p = s.Data.Six
	}
	if p != nil {
		h.Rain, h.Kind = of(p.Details.Rain), metKind(p.Summary.Symbol)
	}
	return h
}

// MetNo parses a forecast of met.no. It computes the days and the position of the sun, because met.no does not report them.
func MetNo(data []byte, latitude, longitude float64, zone *time.Location) (*Report, error) {
	var raw struct {
		Properties struct {
			Series []metStep `json:"timeseries"`
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the answer is no forecast of met.no: %w", err)
	}
	series := raw.Properties.Series
	if len(series) == 0 {
		return nil, errors.New("the answer has no forecast in it")
	}
	where := place{latitude, longitude}
	r := &Report{Zone: zone, At: series[0].Time, Credit: "Weather data by MET Norway"}
	var all []Hour
	for _, s := range series[:min(len(series), 24*MaxDays)] {
		h := s.hour(where, zone)
		if s.Data.Hour != nil && len(r.Hours) < MaxHours {
			r.Hours = append(r.Hours, h)
		}
		all = append(all, h)
	}
	d := series[0].Data.Instant.Details
	r.Current = Current{
		Temp: of(d.Temp), Humidity: of(d.Humidity), Wind: of(d.Wind), Gust: None, Bearing: of(d.Bearing), Pressure: of(d.Pressure), UV: None,
		Cloud: of(d.Cloud), Rain: all[0].Rain, Kind: all[0].Kind, IsDay: all[0].IsDay, Feels: feels(of(d.Temp), of(d.Humidity), of(d.Wind)),
	}
	r.Days = daysOf(all, zone)
	where.suns(r.Days)
	return r, nil
}

// metKind converts a symbol of met.no, such as lightrainshowers_night, to a Kind.
func metKind(symbol string) Kind {
	s, _, _ := strings.Cut(symbol, "_")
	if strings.Contains(s, "thunder") {
		return Thunderstorm
	}
	light, heavy := strings.HasPrefix(s, "light"), strings.HasPrefix(s, "heavy")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "light"), "heavy")
	switch s {
	case "clearsky":
		return Clear
	case "fair":
		return MainlyClear
	case "partlycloudy":
		return PartlyCloudy
	case "cloudy":
		return Cloudy
	case "fog":
		return Fog
	case "rain":
		return graded(light, heavy, LightRain, Rain, HeavyRain)
	case "rainshowers":
		return graded(light, heavy, Showers, Showers, HeavyRain)
	case "sleet", "sleetshowers":
		return Sleet
	case "snow":
		return graded(light, heavy, LightSnow, Snow, HeavySnow)
	case "snowshowers":
		return SnowShowers
	}
	return Unknown
}

func graded(light, heavy bool, l, normal, h Kind) Kind {
	switch {
	case light:
		return l
	case heavy:
		return h
	}
	return normal
}
