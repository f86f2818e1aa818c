package weather

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// scaled multiplies a number, as from km/h to m/s.
func scaled(v *float64, by float64) Number { return Number(float64(of(v)) * by) }

const (
	kmh     = 1 / 3.6 // m/s
	percent = 100
)

// MetNoURL is the address of a forecast of the Norwegian Meteorological Institute, which wants at most four digits and a
// User-Agent that names the program.
func MetNoURL(latitude, longitude float64) string {
	return "https://api.met.no/weatherapi/locationforecast/2.0/compact?lat=" + short(latitude) + "&lon=" + short(longitude)
}

// metPeriod is what met.no says of the hours behind a moment.
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

func of(v *float64) Number {
	if v == nil {
		return None
	}
	return Number(*v)
}

// metStep is one moment of a forecast of met.no and the hours behind it.
type metStep struct {
	Time time.Time
	Data struct {
		Instant struct{ Details metDetails }
		Hour    *metPeriod `json:"next_1_hours"`
		Six     *metPeriod `json:"next_6_hours"`
	}
}

// hour is the step as an hour of a report.
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

// MetNo reads a forecast of met.no, which has no days and does not say where the sun is: both are worked out.
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

// metKind reads a symbol of met.no: lightrainshowers_night.
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

// BrightSkyURL is the address of an answer of Bright Sky, the data of Germany's weather service: from one date to another.
func BrightSkyURL(latitude, longitude float64, from, to time.Time) string {
	return "https://api.brightsky.dev/weather?lat=" + short(latitude) + "&lon=" + short(longitude) + "&date=" + from.Format("2006-01-02") + "&last_date=" + to.Format("2006-01-02")
}

// brightRow is an hour of Bright Sky.
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

// hour is the row as an hour of a report.
func (w *brightRow) hour(where place, zone *time.Location) Hour {
	return Hour{
		At: w.Timestamp.In(zone), Temp: of(w.Temp), Rain: of(w.Rain), Probability: of(w.Chance), Wind: scaled(w.Wind, kmh), UV: None,
		Kind: fallen(brightKind(w.Condition, w.Icon), of(w.Rain)), IsDay: where.isDay(w.Timestamp),
	}
}

// current is the weather of the hour that now lies in.
func (w *brightRow) current(h Hour) Current {
	return Current{
		Temp: h.Temp, Humidity: of(w.Humidity), Wind: h.Wind, Gust: scaled(w.Gust, kmh), Bearing: of(w.Bearing), Pressure: of(w.Pressure),
		UV: None, Cloud: of(w.Cloud), Rain: h.Rain, Kind: h.Kind, IsDay: h.IsDay, Feels: feels(h.Temp, of(w.Humidity), h.Wind),
	}
}

// BrightSky reads hours of Bright Sky. The current weather is that of the hour which now lies in.
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
	var all []Hour
	for _, w := range raw.Weather[:min(len(raw.Weather), 24*MaxDays)] {
		h := w.hour(where, zone)
		all = append(all, h)
		if w.Timestamp.Add(time.Hour).After(now) && len(r.Hours) < MaxHours {
			if len(r.Hours) == 0 {
				r.Current = w.current(h)
			}
			r.Hours = append(r.Hours, h)
		}
	}
	r.Days = daysOf(all, zone)
	where.suns(r.Days)
	return r, nil
}

// Rates of rain, mm in an hour, above which it is no longer light, and heavy: those of the WMO's guide to instruments, No. 8,
// annex 1.B to chapter 1.
const (
	moderateRain = 2.5
	violentRain  = 10
)

// fallen is rain or snow as light or heavy as what falls, for services that do not say.
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

// brightKind reads a condition and an icon of Bright Sky.
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

// OpenWeatherURL is the address of a forecast of OpenWeather's One Call 3.0, which needs a key.
func OpenWeatherURL(latitude, longitude float64, key string) string {
	return "https://api.openweathermap.org/data/3.0/onecall?units=metric&exclude=minutely&lat=" + short(latitude) + "&lon=" + short(longitude) + "&appid=" + key
}

// openRow is the current weather or an hour of OpenWeather.
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

// current is the row as the weather of now.
func (o *openRow) current() Current {
	return Current{
		Temp: of(o.Temp), Feels: of(o.Feels), Humidity: of(o.Humidity), Wind: of(o.Wind), Gust: of(o.Gust), Bearing: of(o.Bearing), Pressure: of(o.Pressure),
		UV: of(o.UV), Cloud: of(o.Cloud), Rain: o.rain(), Kind: o.Weather.kind(), IsDay: o.Weather.isDay(),
	}
}

// hour is the row as an hour of a report.
func (o *openRow) hour(zone *time.Location) Hour {
	return Hour{
		At: time.Unix(o.At, 0).In(zone), Temp: of(o.Temp), Rain: o.rain(), Probability: scaled(o.Chance, percent),
		Wind: of(o.Wind), UV: of(o.UV), Kind: o.Weather.kind(), IsDay: o.Weather.isDay(),
	}
}

// openDay is a day of OpenWeather.
type openDay struct {
	At      int64 `json:"dt"`
	Sunrise int64
	Sunset  int64
	Temp    struct{ Min, Max *float64 }
	Chance  *float64 `json:"pop"`
	Rain    *float64
	UV      *float64 `json:"uvi"`
	Wind    *float64 `json:"wind_speed"`
	Weather openSigns
}

// day is the day as a report has it.
func (d *openDay) day(zone *time.Location) Day {
	at, k := time.Unix(d.At, 0).In(zone), d.Weather.kind()
	return Day{
		Date: time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, zone), Min: of(d.Temp.Min), Max: of(d.Temp.Max), Rain: of(d.Rain),
		Probability: scaled(d.Chance, percent), Wind: of(d.Wind), UV: of(d.UV), Worst: k, Midday: k, Most: k,
		Sunrise: unix(Number(d.Sunrise)), Sunset: unix(Number(d.Sunset)),
	}
}

// OpenWeather reads a forecast of OpenWeather.
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

// rain is what falls in an hour, mm of water.
func (o *openRow) rain() Number { return Number(o.Rain["1h"] + o.Snow["1h"]) }

// openKind reads a condition's number of OpenWeather.
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

// HomeKind reads a condition of Home Assistant's weather entities.
func HomeKind(condition string) (k Kind, isDay bool) {
	switch condition {
	case "clear-night":
		return Clear, false
	case "sunny":
		return Clear, true
	case "partlycloudy":
		return PartlyCloudy, true
	case "cloudy":
		return Cloudy, true
	case "fog":
		return Fog, true
	case "hail":
		return ThunderstormHail, true
	case "lightning", "lightning-rainy":
		return Thunderstorm, true
	case "pouring":
		return HeavyRain, true
	case "rainy":
		return Rain, true
	case "snowy":
		return Snow, true
	case "snowy-rainy":
		return Sleet, true
	case "windy", "windy-variant":
		return Windy, true
	}
	return Unknown, true
}

// suns works out when the sun rises and sets, for services that do not say.
func (p place) suns(days []Day) {
	for i := range days {
		d := &days[i]
		d.Sunrise, d.Sunset = p.day(d.Date)
	}
}

// clip bounds a text of a service.
func clip(s string) string {
	const most = 200
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	return s
}
