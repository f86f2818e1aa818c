package weather

import (
	"math"
	"strconv"
	"time"

	"dashboard/internal/localtime"
	"dashboard/theme/sun"
)

func appendNumber(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'f', -1, 64) }

// The type gathered collects the hours of one day.
type gathered struct {
	day    Day
	counts map[Kind]int
}

// daysOf computes days from hours, for services that do not report days. A day has minima, maxima, the sum of the rain, and three kinds
// of weather: the most severe kind, the kind at noon, and the most frequent kind in daylight.
func daysOf(hours []Hour, zone *time.Location) []Day {
	var all []gathered
	for _, h := range hours {
		at := h.At.In(zone)
		date := localtime.At(at.Year(), at.Month(), at.Day(), 0, zone)
		if n := len(all); n == 0 || !all[n-1].day.Date.Equal(date) {
			if n == MaxDays {
				break
			}
			all = append(all, gathered{Day{Date: date, Min: None, Max: None, Rain: None, Probability: None, Wind: None, UV: None, Worst: Unknown, Midday: Unknown, Most: Unknown}, map[Kind]int{}})
		}
		all[len(all)-1].add(h, at)
	}
	days := make([]Day, len(all))
	for i := range all {
		days[i] = all[i].day
		days[i].Most = all[i].most()
	}
	return days
}

// startOfHour corrects the hours of a service that reports the precipitation of the hour before a time. Each hour gets the precipitation
// of the next entry, and the kind of weather that fits this precipitation. The last hour is removed, because its precipitation is
// unknown. If there is only one hour, it is kept.
func startOfHour(hours []Hour) []Hour {
	for i := range hours {
		h := &hours[i]
		h.Rain, h.Probability = None, None
		if i+1 == len(hours) || !hours[i+1].At.Equal(h.At.Add(time.Hour)) {
			continue // the next hour is missing
		}
		next := &hours[i+1]
		h.Rain, h.Probability = next.Rain, next.Probability
		begins, ends := next.Rain > 0 && next.Kind.wet(), next.Rain == 0 && h.Kind.wet() && next.Kind != Unknown
		if begins || ends {
			h.Kind = next.Kind
		}
	}
	return hours[:max(len(hours)-1, min(len(hours), 1))]
}

// noon is the hour whose weather represents the day.
const noon = 12

func (g *gathered) add(h Hour, at time.Time) {
	d := &g.day
	d.Min, d.Max = least(d.Min, h.Temp), greatest(d.Max, h.Temp)
	d.Rain = sum(d.Rain, h.Rain)
	d.Probability, d.Wind, d.UV = greatest(d.Probability, h.Probability), greatest(d.Wind, h.Wind), greatest(d.UV, h.UV)
	if h.Kind.Severity() > d.Worst.Severity() {
		d.Worst = h.Kind
	}
	if d.Midday == Unknown || at.Hour() <= noon {
		d.Midday = h.Kind
	}
	if h.IsDay {
		g.counts[h.Kind]++
	}
}

// most() returns the most frequent kind of weather in the hours with daylight. If two kinds are equally frequent, it returns the more
// severe kind. Without daylight, it returns the kind at noon.
func (g *gathered) most() Kind {
	best, count := g.day.Midday, 0
	for k, n := range g.counts {
		if n > count || n == count && k.Severity() > best.Severity() {
			best, count = k, n
		}
	}
	return best
}

func least(a, b Number) Number {
	if !a.Has() || b < a {
		return b
	}
	return a
}

func greatest(a, b Number) Number {
	if !a.Has() || b > a {
		return b
	}
	return a
}

func sum(a, b Number) Number {
	switch {
	case !a.Has():
		return b
	case !b.Has():
		return a
	}
	return a + b
}

// A place has the coordinates of a forecast.
type place struct{ latitude, longitude float64 }

// isDay reports whether the sun is up at a time.
func (p place) isDay(t time.Time) bool {
	return sun.Schedule{Lat: p.latitude, Lon: p.longitude}.Mode(t) == sun.Day
}

// feels() returns the apparent temperature in °C, for services that do not report it. It uses the Australian formula (R. Steadman, 1994).
// `humidity` is in %, and `wind` is in m/s.
func feels(temp, humidity, wind Number) Number {
	if !temp.Has() || !humidity.Has() || !wind.Has() {
		return None
	}
	t := float64(temp)
	vapour := float64(humidity) / 100 * 6.105 * math.Exp(17.27*t/(237.7+t))
	return Number(t + float64(0.33*vapour) - float64(0.7*float64(wind)) - 4)
}

// day returns sunrise and sunset on a date. Both times are zero on a day that has no sunrise and no sunset.
func (p place) day(date time.Time) (rise, set time.Time) {
	s := sun.Schedule{Lat: p.latitude, Lon: p.longitude}
	end := localtime.NextDay(date)
	for at := date.Add(-time.Second); ; {
		change, ok := s.NextChange(at)
		if !ok || !change.At.Before(end) {
			return rise, set
		}
		if change.Mode == sun.Day {
			rise = change.At.In(date.Location())
		} else {
			set = change.At.In(date.Location())
		}
		at = change.At
	}
}
