package weather

import (
	"math"
	"slices"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/weather"
	"dashboard/widgets/kit"
)

// Factors that convert wind speeds and amounts of rain to other units.
const (
	kmhOfMS  = 3.6
	mphOfMS  = 2.236936
	mmOfInch = 25.4
)

// degrees() appends a temperature in the language's units: 14°.
func degrees(b *kit.Builder, dst []byte, n weather.Number) []byte {
	if !n.Has() {
		return append(dst, "—"...)
	}
	return append(b.Locale.AppendNumber(dst, temperature(b, n), 0, false), "°"...)
}

// temperature() returns a temperature in the language's units.
func temperature(b *kit.Builder, celsius weather.Number) float64 {
	v := float64(celsius)
	if b.Locale.Units == locale.US {
		v = v*9/5 + 32
	}
	return v
}

// between() returns the range of temperatures of a day as text, such as "9° – 17°".
func between(b *kit.Builder, d *weather.Day) string {
	if !d.Min.Has() && !d.Max.Has() {
		return "—"
	}
	return string(degrees(b, append(degrees(b, nil, d.Min), " – "...), d.Max))
}

// feels() returns a text with the felt temperature, or "" if the felt temperature is unknown.
func feels(b *kit.Builder, c *weather.Current) string {
	if !c.Feels.Has() {
		return ""
	}
	return string(b.Locale.AppendPhrase(nil, locale.FeelsLike, string(degrees(b, nil, c.Feels))))
}

// wind() returns a text with the speed of the wind. If the direction is known and the speed is not 0, the text includes the direction. If
// the speed is unknown, wind() returns "".
func wind(b *kit.Builder, c *weather.Current) string {
	if !c.Wind.Has() {
		return ""
	}
	speed, unit := float64(c.Wind)*kmhOfMS, " km/h"
	if b.Locale.Units != locale.Metric {
		speed, unit = float64(c.Wind)*mphOfMS, " mph"
	}
	text := append(b.Locale.AppendNumber(nil, speed, 0, false), unit...)
	if c.Bearing.Has() && math.Round(speed) > 0 {
		eighth := int(math.Round(math.Mod(float64(c.Bearing), 360)/45)+8) % 8
		text = append(append(text, ' '), b.Locale.Say(locale.North+locale.Phrase(eighth))...)
	}
	return string(b.Locale.AppendPhrase(nil, locale.Wind, string(text)))
}

// clock() returns a time of day as text, in a time zone.
func clock(b *kit.Builder, t time.Time, zone *time.Location) string {
	return string(b.Locale.Append(nil, t.In(zone), locale.Time))
}

// wet is the minimum amount of rain to mention, in mm per hour. If a service does not report the amount, the probability must be at least
// wetChance percent.
const (
	wet       = 0.1
	wetChance = 50
	unlikely  = 20 // rain with a lower probability in percent is not mentioned
)

// rains() reports whether an hour has rain or snow.
func rains(h *weather.Hour) bool {
	if h.Probability.Has() && h.Probability < unlikely {
		return false
	}
	if !h.Rain.Has() {
		return h.Probability >= wetChance
	}
	return h.Rain >= wet
}

// shower() returns the start and the end of the next rain, if the rain begins within the next 14 hours. If there is no such rain, both
// times are zero. If the end is not in the forecast, or if the rain lasts 24 hours or longer, only the end is zero.
func shower(hours []weather.Hour) (from, to time.Time) {
	first, end := showerOf(hours)
	if first < 0 {
		return from, to
	}
	if end < len(hours) {
		to = hours[end].At
	}
	return hours[first].At, to
}

// showerOf returns the index of the first hour with rain and the index of the first dry hour after it. The rain must begin within the next
// 14 hours. If there is no such rain, `first` is -1. If the rain lasts 24 hours or longer, `end` is the number of hours.
func showerOf(hours []weather.Hour) (first, end int) {
	const ahead, longest = 14, 24
	first = slices.IndexFunc(hours[:min(len(hours), ahead)], func(h weather.Hour) bool { return rains(&h) })
	if first < 0 {
		return -1, 0
	}
	for end = first; end < min(len(hours), first+longest) && rains(&hours[end]); end++ {
	}
	if end == first+longest {
		end = len(hours)
	}
	return first, end
}

// wetWord returns the word for the precipitation of an hour. If the hour's weather is a kind of precipitation, such as "snow", this is
// the word for the weather. Otherwise, it is the word for rain.
func wetWord(b *kit.Builder, h *weather.Hour) string {
	if h.Kind >= weather.Drizzle && h.Kind <= weather.ThunderstormHail {
		return h.Kind.Text(b.Locale)
	}
	return b.Locale.Say(locale.Rain)
}
