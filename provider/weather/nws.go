package weather

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// NWSPoint returns the address at which the National Weather Service of the USA names the forecast addresses for a location.
func NWSPoint(latitude, longitude float64) string {
	return "/points/" + plainDegrees(latitude) + "," + plainDegrees(longitude)
}

// NWSAlerts returns the address of the warnings for a location.
func NWSAlerts(latitude, longitude float64) string {
	return "/alerts/active?point=" + plainDegrees(latitude) + "," + plainDegrees(longitude)
}

// plainDegrees formats a coordinate with at most four decimals and without zeros at the end. The service redirects requests with any
// other form.
func plainDegrees(v float64) string {
	text := strings.TrimRight(strings.TrimRight(short(v), "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// An NWSGrid describes a location: the address of its forecast, its time zone and its place.
type NWSGrid struct {
	Hourly string // address of the hourly forecast
	Zone   *time.Location
	Place  string
}

// NWSGridOf parses an answer from the address NWSPoint.
func NWSGridOf(data []byte) (*NWSGrid, error) {
	var raw struct {
		Detail     string
		Properties struct {
			Hourly   string `json:"forecastHourly"`
			TimeZone string
			Relative struct{ Properties struct{ City string } } `json:"relativeLocation"`
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the answer is none of weather.gov: %w", err)
	}
	p := raw.Properties
	if p.Hourly == "" {
		return nil, fmt.Errorf("weather.gov has no forecast for this place: %.200s", raw.Detail)
	}
	if !strings.HasPrefix(p.Hourly, nwsHost+"/") {
		return nil, errors.New("weather.gov names a forecast on another server")
	}
	return &NWSGrid{Hourly: p.Hourly, Zone: zoneOf(p.TimeZone, 0), Place: p.Relative.Properties.City}, nil
}

// An nwsPeriod is one hour of a forecast.
type nwsPeriod struct {
	Start       time.Time `json:"startTime"`
	IsDaytime   bool
	Temperature nwsTemperature
	Unit        string                   `json:"temperatureUnit"`
	Chance      struct{ Value *float64 } `json:"probabilityOfPrecipitation"`
	Humidity    struct{ Value *float64 } `json:"relativeHumidity"`
	WindSpeed   string
	WindFrom    string `json:"windDirection"`
	Icon        string
	Short       string `json:"shortForecast"`
}

// An nwsTemperature is a temperature in an answer. The service sends it as a number, or as a mapping whose key "value" has the number.
type nwsTemperature struct{ value *float64 }

// UnmarshalJSON implements json.Unmarshaler.
func (t *nwsTemperature) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &t.value); err == nil {
		return nil
	}
	var m struct{ Value *float64 }
	if err := json.Unmarshal(b, &m); err != nil {
		return err
	}
	t.value = m.Value
	return nil
}

// celsius() returns the temperature of the hour in °C.
func (p *nwsPeriod) celsius() Number {
	v := of(p.Temperature.value)
	if strings.EqualFold(p.Unit, "F") {
		return Number(float64(v-32) * (5.0 / 9))
	}
	return v
}

// NWS parses an hourly forecast. The current weather is the weather of the hour that contains the time `now`.
func NWS(data []byte, latitude, longitude float64, zone *time.Location, now time.Time) (*Report, error) {
	var raw struct {
		Properties struct{ Periods []nwsPeriod }
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the answer is no forecast of weather.gov: %w", err)
	}
	periods := raw.Properties.Periods
	if len(periods) == 0 {
		return nil, errors.New("the answer has no forecast in it")
	}
	where := place{latitude, longitude}
	r := &Report{Zone: zone, At: now, Credit: "Weather data by the National Weather Service"}
	var all []Hour
	for i := range periods[:min(len(periods), 24*MaxDays)] {
		p := &periods[i]
		h := Hour{
			At: p.Start.In(zone), Temp: p.celsius(), Rain: None, Probability: of(p.Chance.Value), Wind: nwsSpeed(p.WindSpeed), UV: None,
			Kind: p.kind(), IsDay: p.IsDaytime,
		}
		all = append(all, h)
		if !p.Start.Add(time.Hour).After(now) || len(r.Hours) == MaxHours {
			continue
		}
		if len(r.Hours) == 0 {
			r.Current = Current{
				Temp: h.Temp, Feels: feels(h.Temp, of(p.Humidity.Value), h.Wind), Humidity: of(p.Humidity.Value), Wind: h.Wind, Gust: None,
				Bearing: bearing(p.WindFrom), Pressure: None, UV: None, Cloud: None, Rain: None, Kind: h.Kind, IsDay: h.IsDay,
			}
		}
		r.Hours = append(r.Hours, h)
	}
	if len(r.Hours) == 0 {
		return nil, errors.New("the forecast in the answer is over")
	}
	r.Days = daysOf(all, zone)
	where.suns(r.Days)
	return r, nil
}

// nwsSpeed parses a speed such as "16 km/h", "10 mph" or "5 to 10 mph". It returns the highest speed, in m/s.
func nwsSpeed(text string) Number {
	best := None
	words := strings.Fields(text)
	for _, w := range words {
		if v, err := strconv.ParseFloat(w, 64); err == nil {
			best = greatest(best, Number(v))
		}
	}
	if len(words) == 0 {
		return None
	}
	switch words[len(words)-1] {
	case "mph":
		return best * 0.44704
	case "km/h":
		return best * kmh
	}
	return None
}

// bearing returns the degrees of a direction such as SSW.
func bearing(name string) Number {
	for i, n := range [16]string{"N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"} {
		if n == name {
			return Number(float64(i) * 22.5)
		}
	}
	return None
}

// kind returns the kind of weather that the icon shows. The text of the forecast decides about the intensity.
func (p *nwsPeriod) kind() Kind {
	k, words := nwsKind(p.Icon), strings.ToLower(p.Short)
	light, heavy := strings.Contains(words, "light "), strings.Contains(words, "heavy ")
	switch k {
	case Rain:
		return graded(light, heavy, LightRain, Rain, HeavyRain)
	case Snow:
		return graded(light, heavy, LightSnow, Snow, HeavySnow)
	}
	return k
}

// nwsKind returns the kind of weather for the address of an icon, such as …/icons/land/day/tsra_hi,40/rain,20?size=small. If the address
// names two icons, the first icon counts.
func nwsKind(icon string) Kind {
	_, name, found := strings.Cut(icon, "/day/")
	if !found {
		if _, name, found = strings.Cut(icon, "/night/"); !found {
			return Unknown
		}
	}
	name = name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz_"))]
	if k, ok := nwsKinds[name]; ok {
		return k
	}
	return Unknown
}

// nwsKinds maps the names of the icons at https://api.weather.gov/icons to kinds.
var nwsKinds = map[string]Kind{
	"skc": Clear, "few": MainlyClear, "sct": PartlyCloudy, "bkn": Cloudy, "ovc": Cloudy,
	"wind_skc": Windy, "wind_few": Windy, "wind_sct": Windy, "wind_bkn": Windy, "wind_ovc": Windy,
	"snow": Snow, "rain_snow": Sleet, "rain_sleet": Sleet, "snow_sleet": Sleet, "fzra": FreezingRain, "rain_fzra": FreezingRain, "snow_fzra": FreezingRain,
	"sleet": Sleet, "rain": Rain, "rain_showers": Showers, "rain_showers_hi": Showers, "tsra": Thunderstorm, "tsra_sct": Thunderstorm, "tsra_hi": Thunderstorm,
	"tornado": Thunderstorm, "hurricane": Thunderstorm, "tropical_storm": Thunderstorm,
	"dust": Fog, "smoke": Fog, "haze": Fog, "fog": Fog, "hot": Clear, "cold": Clear, "blizzard": HeavySnow,
}

// NWSAlertsOf parses an answer from the address NWSAlerts.
func NWSAlertsOf(data []byte, zone *time.Location) ([]Alert, error) {
	var raw struct {
		Features []struct {
			Properties struct {
				Event, Severity string
				Ends, Expires   *time.Time
			}
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the answer has no warnings of weather.gov: %w", err)
	}
	var all []Alert
	for _, f := range raw.Features[:min(len(raw.Features), maxAlerts)] {
		p := f.Properties
		a := Alert{Title: clip(p.Event), Grave: p.Severity == "Severe" || p.Severity == "Extreme"}
		if until := p.Ends; until != nil {
			a.Until = until.In(zone)
		} else if p.Expires != nil {
			a.Until = p.Expires.In(zone)
		}
		all = append(all, a)
	}
	return all, nil
}

// BrightSkyAlerts returns the address of the warnings for a location.
func BrightSkyAlerts(latitude, longitude float64) string {
	return "/alerts?lat=" + short(latitude) + "&lon=" + short(longitude)
}

// BrightSkyAlertsOf parses an answer from the address BrightSkyAlerts.
func BrightSkyAlertsOf(data []byte, zone *time.Location) ([]Alert, error) {
	var raw struct {
		Alerts []struct {
			Event    string `json:"event_en"`
			Severity string
			Expires  *time.Time
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("the answer has no warnings of Bright Sky: %w", err)
	}
	var all []Alert
	for _, a := range raw.Alerts[:min(len(raw.Alerts), maxAlerts)] {
		alert := Alert{Title: clip(a.Event), Grave: a.Severity == "severe" || a.Severity == "extreme"}
		if a.Expires != nil {
			alert.Until = a.Expires.In(zone)
		}
		all = append(all, alert)
	}
	return all, nil
}
