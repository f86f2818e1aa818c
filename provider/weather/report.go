// Package weather converts the answers of weather services to a common report. All reports have SI units, degrees Celsius, and the same
// kinds of weather.
package weather

import (
	"math"
	"slices"
	"time"

	"dashboard/internal/locale"
)

// Kind is a kind of weather. Its number is the code in WMO table 4677, which Open-Meteo uses too.
type Kind int

// The kinds of weather.
const (
	Clear            Kind = 0
	MainlyClear      Kind = 1
	PartlyCloudy     Kind = 2
	Cloudy           Kind = 3
	Fog              Kind = 45
	Drizzle          Kind = 53
	FreezingDrizzle  Kind = 56
	LightRain        Kind = 61
	Rain             Kind = 63
	HeavyRain        Kind = 65
	FreezingRain     Kind = 66
	Sleet            Kind = 68
	LightSnow        Kind = 71
	Snow             Kind = 73
	HeavySnow        Kind = 75
	Showers          Kind = 80
	SnowShowers      Kind = 85
	Thunderstorm     Kind = 95
	ThunderstormHail Kind = 96
	Windy            Kind = -1 // not a code of the WMO
	Unknown          Kind = -2
)

// A look has the name and the icons of a kind.
type look struct {
	kind       Kind
	phrase     locale.Phrase
	day, night string // names of Material Design Icons
}

// looks lists all kinds except Unknown. The mildest kind is first. If there are several kinds at a time, the last of them is shown. It is an
// array, because the initialization of a map needs 3 kB of code.
var looks = [...]look{
	{Clear, locale.Clear, "weather-sunny", "weather-night"},
	{MainlyClear, locale.MainlyClear, "weather-sunny", "weather-night"},
	{PartlyCloudy, locale.PartlyCloudy, "weather-partly-cloudy", "weather-night-partly-cloudy"},
	{Cloudy, locale.Cloudy, "weather-cloudy", "weather-cloudy"},
	{Windy, locale.Windy, "weather-windy", "weather-windy"},
	{Fog, locale.Fog, "weather-fog", "weather-fog"},
	{Drizzle, locale.Drizzle, "weather-partly-rainy", "weather-rainy"},
	{LightRain, locale.LightRain, "weather-rainy", "weather-rainy"},
	{Showers, locale.Showers, "weather-partly-rainy", "weather-rainy"},
	{Rain, locale.Rain, "weather-rainy", "weather-rainy"},
	{LightSnow, locale.LightSnow, "weather-snowy", "weather-snowy"},
	{Snow, locale.Snow, "weather-snowy", "weather-snowy"},
	{SnowShowers, locale.SnowShowers, "weather-partly-snowy", "weather-snowy-heavy"},
	{Sleet, locale.Sleet, "weather-snowy-rainy", "weather-snowy-rainy"},
	{FreezingDrizzle, locale.FreezingDrizzle, "weather-snowy-rainy", "weather-snowy-rainy"},
	{HeavyRain, locale.HeavyRain, "weather-pouring", "weather-pouring"},
	{HeavySnow, locale.HeavySnow, "weather-snowy-heavy", "weather-snowy-heavy"},
	{FreezingRain, locale.FreezingRain, "weather-snowy-rainy", "weather-snowy-rainy"},
	{Thunderstorm, locale.Thunderstorm, "weather-lightning-rainy", "weather-lightning-rainy"},
	{ThunderstormHail, locale.ThunderstormHail, "weather-hail", "weather-hail"},
}

// Kinds lists all kinds except Unknown. The mildest kind is first.
func Kinds() []Kind {
	all := make([]Kind, len(looks))
	for i, l := range looks {
		all[i] = l.kind
	}
	return all
}

// OfCode returns the kind for a WMO code. It returns Unknown for a code without a kind.
func OfCode(code int) Kind {
	switch code {
	case 0, 1, 2, 3:
		return Kind(code)
	case 45, 48:
		return Fog
	case 51, 53, 55:
		return Drizzle
	case 56, 57:
		return FreezingDrizzle
	case 61:
		return LightRain
	case 63:
		return Rain
	case 65, 82:
		return HeavyRain
	case 66, 67:
		return FreezingRain
	case 68, 69:
		return Sleet
	case 71, 77:
		return LightSnow
	case 73:
		return Snow
	case 75:
		return HeavySnow
	case 80, 81:
		return Showers
	case 85, 86:
		return SnowShowers
	case 95:
		return Thunderstorm
	case 96, 99:
		return ThunderstormHail
	case int(Windy):
		return Windy
	}
	return Unknown
}

// Text returns the name of the kind in the language of l. It returns "" for Unknown.
func (k Kind) Text(l *locale.Locale) string {
	if i := k.Severity(); i >= 0 {
		return l.Say(looks[i].phrase)
	}
	return ""
}

// Icon returns the name of the Material Design Icon for the kind, by day or by night.
func (k Kind) Icon(isDay bool) string {
	switch i := k.Severity(); {
	case i < 0:
		return "weather-cloudy-alert"
	case isDay:
		return looks[i].day
	default:
		return looks[i].night
	}
}

// Severity returns a number that is greater for kinds that are more important to people. It returns -1 for Unknown.
func (k Kind) Severity() int {
	return slices.IndexFunc(looks[:], func(l look) bool { return l.kind == k })
}

// wet() reports whether the kind has precipitation.
func (k Kind) wet() bool { return k.Severity() > Fog.Severity() }

// Number is a measured value. It is NaN if the service did not report the value.
type Number float64

// None is the Number of a value that the service did not report.
var None = Number(math.NaN())

// Has reports whether the service has reported the value.
func (n Number) Has() bool { return !math.IsNaN(float64(n)) }

// MarshalJSON implements json.Marshaler. A missing number becomes null.
func (n Number) MarshalJSON() ([]byte, error) {
	if !n.Has() || math.IsInf(float64(n), 0) {
		return []byte("null"), nil
	}
	return appendNumber(nil, float64(n)), nil
}

// Current is the current weather. Temperatures are in °C, speeds in m/s, pressure in hPa, humidity in %, and rain in mm.
type Current struct {
	Temp, Feels, Humidity, Wind, Gust, Bearing, Pressure, UV, Cloud, Rain Number

	Kind  Kind
	IsDay bool
}

// Hour is the forecast for the hour that begins at the time At.
type Hour struct {
	At                                time.Time
	Temp, Rain, Probability, Wind, UV Number
	Kind                              Kind
	IsDay                             bool
}

// Day is the forecast for a day. Date is midnight at the location. Sunrise and Sunset are zero on a day without sunrise and sunset.
type Day struct {
	Date                                  time.Time
	Min, Max, Rain, Probability, Wind, UV Number
	Worst, Midday, Most                   Kind // the most severe kind, the kind at noon, and the most frequent kind in daylight
	Sunrise, Sunset                       time.Time
}

// Alert is a warning by an authority.
type Alert struct {
	Title string
	Grave bool
	Until time.Time
}

// Report has all known data about the weather at a location.
type Report struct {
	Place   string
	At      time.Time
	Zone    *time.Location
	Current Current
	Hours   []Hour
	Days    []Day
	Alerts  []Alert
	Air     *Air   // nil if unknown
	Credit  string // text that the license of the service requires

	words *locale.Locale // language for Plain; nil means English
}

const (
	// MaxHours is the maximum number of hours in a report. No wall shows more.
	MaxHours = 72
	// MaxDays is the maximum number of days in a report.
	MaxDays = 16
	// maxAlerts is the maximum number of warnings in a report.
	maxAlerts = 10
)
