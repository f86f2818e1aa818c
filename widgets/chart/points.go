package chart

import (
	"cmp"
	"math"
	"slices"
	"time"

	"dashboard/internal/localtime"
	"dashboard/internal/stable"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/history"
)

// Limits of a chart's data.
const (
	maxPoints = 4096 // maximum number of points of a series. If there are more points, the last points are used
	maxSeries = 12
)

// readPoints appends the points of a list. An element is a number, [time, number], {at, value}, or null for a gap. An element with an
// unreadable time is ignored. Any other unreadable element counts as a gap. `timed` reports whether the points have times.
func readPoints(dst []history.Datum, v any, zone *time.Location) (points []history.Datum, timed bool) {
	list, _ := v.([]any)
	list = list[max(0, len(list)-maxPoints):]
	for i, entry := range list {
		d := history.Datum{At: float64(i), V: math.NaN()}
		at, value := any(nil), entry
		switch entry := entry.(type) {
		case []any:
			if len(entry) >= 2 {
				at, value = entry[0], entry[1]
			}
		case map[string]any:
			at, value = entry["at"], entry["value"]
		}
		if n, ok := format.NumberOf(value); ok {
			d.V = n
		}
		if t, ok := format.TimeOf(at, zone); at != nil && ok {
			d.At, timed = history.Seconds(t), true
		} else if at != nil {
			continue // without a time, the position is unknown
		}
		dst = append(dst, d)
	}
	if timed && !slices.IsSortedFunc(dst, byTime) {
		stable.Sort(dst, byTime)
	}
	return dst, timed
}

func byTime(a, b history.Datum) int { return cmp.Compare(a.At, b.At) }

// bucket() combines the points of each period into one point, and stores the results in the same slice. The parameter `length` is the
// duration of a period in seconds. Periods are counted from midnight on 1 January 1970, at the UTC offset that `loc` has at the first
// point. Periods of whole days begin at midnight in `loc`, so a day with a clock change has 23 or 25 hours.
func bucket(points []history.Datum, length float64, combine string, loc *time.Location) []history.Datum {
	if length <= 0 || len(points) == 0 {
		return points
	}
	zone := func(d history.Datum) float64 {
		_, offset := history.Moment(d.At).In(loc).Zone()
		return float64(offset)
	}
	offset, days := zone(points[0]), math.Mod(length, 86400) == 0
	start := func(d history.Datum) float64 {
		if days {
			local := math.Floor((d.At+zone(d))/length) * length
			return history.Seconds(localtime.Resolve(history.Moment(local).UTC(), loc))
		}
		return math.Floor((d.At+offset)/length)*length - offset
	}
	out, before := points[:0], math.NaN()
	for i := 0; i < len(points); {
		at, j := start(points[i]), i
		for j < len(points) && start(points[j]) == at {
			j++
		}
		last := points[j-1].V
		v := combined(points[i:j], combine, before)
		before, i = last, j
		out = append(out, history.Datum{At: at, V: v})
	}
	return out
}

// combined() combines the numbers of a period into one number. `before` is the last number of the previous period.
func combined(points []history.Datum, how string, before float64) float64 {
	out, n := math.NaN(), 0
	for _, p := range points {
		if p.Gap() {
			continue
		}
		switch {
		case n == 0 || how == "last":
			out = p.V
		case how == "min":
			out = min(out, p.V)
		case how == "max":
			out = max(out, p.V)
		case how == "change":
			out = p.V
		default:
			out += p.V
		}
		n++
		if how == "change" && math.IsNaN(before) {
			before = p.V
		}
	}
	switch how {
	case "mean", "":
		return out / float64(n)
	case "change":
		return out - before
	}
	return out
}
