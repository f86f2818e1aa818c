// Package axis computes the ticks of charts: round numbers on a value axis, and round times on a time axis.
package axis

import (
	"math"
	"time"

	"dashboard/internal/localtime"
)

// Scale maps values from Min to Max onto 0 to 1. Max is above Min.
type Scale struct{ Min, Max float64 }

// At returns the position of v: 0 at Min and 1 at Max. Values outside the scale give positions outside this range.
func (s Scale) At(v float64) float64 { return (v - s.Min) / (s.Max - s.Min) }

// maxTicks is the maximum number of ticks of an axis, because no screen has room for more.
const maxTicks = 64

// `steps` are distances between ticks that are easy to read. Every distance is one of these numbers, multiplied by a power of ten.
var steps = [...]float64{1, 2, 2.5, 5, 10}

// Nice returns a scale for values from `lo` to `hi`, and its ticks at round values. The parameter `want` is the approximate number of
// ticks. An end of the scale is moved outward to a tick, unless it is fixed. An end close beyond 0 is moved outward by half a step only,
// because a whole step would take much room from the data. If `lo` and `hi` are equal, the scale has room on both sides.
// If `lo` or `hi` is infinite or NaN, ok is false.
func Nice(lo, hi float64, fixedLo, fixedHi bool, want int) (s Scale, ticks []float64, ok bool) {
	if math.IsNaN(lo) || math.IsNaN(hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return Scale{0, 1}, nil, false
	}
	if hi < lo {
		lo, hi = hi, lo
	}
	lo, hi = apart(lo, hi, fixedLo, fixedHi)
	step := Step(hi-lo, want)
	from, to := math.Floor(lo/step+slack), math.Ceil(hi/step-slack)
	if finer := Step((hi-lo)*0.9, want+1); (to-from)*step > most*(hi-lo) && math.Ceil(hi/finer-slack)-math.Floor(lo/finer+slack) <= float64(want) {
		step = finer
		from, to = math.Floor(lo/step+slack), math.Ceil(hi/step-slack)
	}
	crosses := lo < 0 && hi > 0
	switch {
	case fixedLo:
		from = math.Ceil(lo/step - slack)
	case crosses && -lo < little*step:
		from, lo = 0, -step/2
	default:
		lo = from * step
	}
	switch {
	case fixedHi:
		to = math.Floor(hi/step + slack)
	case crosses && hi < little*step:
		to, hi = 0, step/2
	default:
		hi = to * step
	}
	for i := from; i <= to && len(ticks) < maxTicks; i++ {
		ticks = append(ticks, i*step)
	}
	return Scale{lo, hi}, ticks, true
}

// `most` is the maximum length of a scale, divided by the range of the data. If a scale is longer, Nice tries a smaller step with one
// more tick.
const most = 1.4

// `little` is the maximum distance from 0, divided by the step, of an end that is moved outward by half a step.
const little = 0.4

// `slack` allows for rounding errors: 0.30000000000000004 counts as the tick 0.3.
const slack = 1e-9

// apart() returns different ends of a scale if `lo` and `hi` are equal. An end that is not fixed is moved by a tenth of its value or, if
// the value is zero, by one. If both ends are fixed, the upper end is moved.
func apart(lo, hi float64, fixedLo, fixedHi bool) (float64, float64) {
	least := math.Max(math.Abs(lo), math.Abs(hi)) * 1e-9 // smaller differences are rounding errors of numbers of this size
	if hi-lo > least {
		return lo, hi
	}
	by := math.Abs(lo) / 10
	if by == 0 {
		by = 1
	}
	switch {
	case fixedLo:
		return lo, lo + by
	case fixedHi:
		return hi - by, hi
	}
	return lo - by, hi + by
}

// Step returns a round distance between ticks on an axis of the given length, which must be positive. The parameter `want` is the
// approximate number of ticks. A number below 2 counts as 2.
func Step(length float64, want int) float64 {
	rough := length / float64(max(want-1, 1))
	power := math.Pow(10, math.Floor(math.Log10(rough)+slack))
	for _, s := range steps {
		if s*power >= rough*(1-slack) {
			return s * power
		}
	}
	return 10 * power
}

// Decimals returns the number of decimals in the labels of ticks with the distance `step`.
func Decimals(step float64) int {
	for n := range 9 {
		if scaled := step * math.Pow10(n); math.Abs(scaled-math.Round(scaled)) < 1e-6*scaled {
			return n
		}
	}
	return 9
}

// Unit is the unit of a round time, which selects its format.
type Unit uint8

// Units of round times.
const (
	Seconds Unit = iota
	Minutes
	Hours
	Days
	Months
	Years
)

// round is a distance between ticks on a time axis.
type round struct {
	unit Unit
	n    int
	long time.Duration
}

const day = 24 * time.Hour

var rounds = [...]round{
	{Seconds, 1, time.Second}, {Seconds, 5, 5 * time.Second}, {Seconds, 10, 10 * time.Second}, {Seconds, 15, 15 * time.Second}, {Seconds, 30, 30 * time.Second},
	{Minutes, 1, time.Minute}, {Minutes, 2, 2 * time.Minute}, {Minutes, 5, 5 * time.Minute}, {Minutes, 10, 10 * time.Minute}, {Minutes, 15, 15 * time.Minute}, {Minutes, 30, 30 * time.Minute},
	{Hours, 1, time.Hour}, {Hours, 2, 2 * time.Hour}, {Hours, 3, 3 * time.Hour}, {Hours, 6, 6 * time.Hour}, {Hours, 12, 12 * time.Hour},
	{Days, 1, day}, {Days, 2, 2 * day}, {Days, 7, 7 * day}, {Months, 1, 30 * day}, {Months, 3, 91 * day}, {Months, 6, 182 * day},
	{Years, 1, 365 * day}, {Years, 2, 730 * day}, {Years, 5, 1826 * day}, {Years, 10, 3652 * day},
}

// Times returns the round times between `from` and `to`, in the time zone of `from`. The parameter `want` is the approximate maximum number
// of times. Round times are, for example, whole hours, midnights and first days of months. The unit selects the format of the times.
func Times(from, to time.Time, want int) ([]time.Time, Unit) {
	want = min(max(want, 1), maxTicks)
	span := to.Sub(from)
	if span <= 0 {
		return nil, Seconds
	}
	i := 0
	for i < len(rounds)-1 && int(span/rounds[i].long) >= want {
		i++
	}
	ticks := rounds[i].between(from, to, want)
	for ; len(ticks) < 2 && i > 0; ticks = rounds[i].between(from, to, want) { // a single tick does not show the scale of an axis
		i--
	}
	return ticks, rounds[i].unit
}

// between() returns the round times between `from` and `to`, but at most want+1 times.
func (r round) between(from, to time.Time, want int) (ticks []time.Time) {
	for t := r.first(from); !t.After(to) && len(ticks) < want+1; t = r.next(t) {
		if !t.Before(from) {
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// first() returns a round time that is not after the time `from`.
func (r round) first(from time.Time) time.Time {
	y, m, d := from.Date()
	switch r.unit {
	case Years:
		return localtime.At(y-y%r.n, time.January, 1, 0, from.Location())
	case Months:
		return localtime.At(y, m-(m-1)%time.Month(r.n), 1, 0, from.Location())
	case Days:
		if r.n == 7 {
			d -= (int(from.Weekday()) + 6) % 7
		}
		return localtime.At(y, m, d, 0, from.Location())
	case Hours:
		return localtime.At(y, m, d, (from.Hour()-from.Hour()%r.n)*60, from.Location())
	}
	_, east := from.Zone() // in seconds. Some offsets are no multiple of the step, such as Nepal's +5:45
	offset := time.Duration(east) * time.Second
	return from.Add(offset).Truncate(r.long).Add(-offset)
}

// next() returns the round time after the round time `t`.
func (r round) next(t time.Time) time.Time {
	y, m, d := t.Date()
	switch r.unit {
	case Years:
		return localtime.At(y+r.n, m, d, 0, t.Location())
	case Months:
		return localtime.At(y, m+time.Month(r.n), d, 0, t.Location())
	case Days:
		return localtime.At(y, m, d+r.n, 0, t.Location())
	case Hours:
		return r.nextHour(t)
	}
	return t.Add(r.long)
}

// nextHour returns the next time at which the clock shows a multiple of n hours. Adding n hours would be wrong in nights in which a clock
// change repeats or skips an hour.
func (r round) nextHour(t time.Time) time.Time {
	next := t.Add(r.long)
	if r.n == 1 || next.Hour()%r.n == 0 {
		return next
	}
	for _, by := range []time.Duration{-time.Hour, time.Hour} {
		if moved := next.Add(by); moved.Hour()%r.n == 0 {
			return moved
		}
	}
	return next
}
