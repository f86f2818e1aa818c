package chart

import (
	"math"
	"time"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/axis"
)

// futureLeast is a divisor. Data contains future times if it ends at least 1/futureLeast of the chart's length after the current time. A
// shorter future is ignored, because the clock of a device may be some seconds ahead.
const futureLeast = 500

// ends are the first and the last position on the x axis.
type ends struct{ from, to float64 }

// side is a value axis.
type side struct {
	scale axis.Scale
	ticks []float64
	texts []*kit.Caption
	used  bool
	ok    bool
}

// domain() computes the ends of the x axis and the width of a bar's slot. It also checks whether the data contains future times.
func (w *chart) domain() {
	lo, hi, near := math.Inf(1), math.Inf(-1), math.Inf(1)
	bars := w.named
	for _, s := range w.series {
		bars = bars || s.kind == "bar"
		for i, d := range s.points {
			lo, hi = min(lo, d.At), max(hi, d.At)
			if i > 0 && d.At > s.points[i-1].At {
				near = min(near, d.At-s.points[i-1].At)
			}
		}
		if s.past != nil {
			lo, hi = min(lo, w.now-w.span.Seconds()), max(hi, w.now)
		}
	}
	if w.named {
		lo, hi, near = 0, float64(len(w.names)-1), 1
	}
	if bars && !math.IsInf(lo, 0) {
		if w.p.Bucket > 0 && w.timed {
			near = time.Duration(w.p.Bucket).Seconds()
		}
		if math.IsInf(near, 0) {
			near = 1
		}
		w.slot = near
		lo, hi = lo-near/2, hi+near/2
	}
	if !(hi > lo) {
		lo, hi = lo-0.5, lo+0.5
	}
	w.x = ends{lo, hi}
	w.future = w.timed && hi > w.now+(hi-lo)/futureLeast && lo < w.now && w.slot == 0
}

// values() computes the ends and the ticks of value axis i. The parameter `want` is the approximate number of ticks.
func (w *chart) values(i, want int) {
	side := &w.sides[i]
	side.used = false
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range w.series {
		if s.side != i {
			continue
		}
		for _, v := range s.tops {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo, hi, side.used = min(lo, v), max(hi, v), true
			}
		}
		if side.used && !w.bare && (s.kind == "bar" || s.kind == "area") {
			lo, hi = min(lo, 0), max(hi, 0)
		}
	}
	if i == 0 {
		lo, hi = w.reach(lo, hi)
	}
	fixedLo, fixedHi := w.bare, w.bare
	if v, ok := w.min.Number(); ok && i == 0 {
		lo, fixedLo = v, true
	}
	if v, ok := w.max.Number(); ok && i == 0 {
		hi, fixedHi = v, true
	}
	if lo > hi { // a configured end is above or below all data
		if fixedLo {
			hi = lo
		} else {
			lo = hi
		}
	}
	side.scale, side.ticks, side.ok = axis.Nice(lo, hi, fixedLo, fixedHi, want)
}

// reach() extends a range of values so that it includes thresholds outside the range. It ignores thresholds whose distance from the range
// is more than half of the range's length.
func (w *chart) reach(lo, hi float64) (float64, float64) {
	room := (hi - lo) / 2
	for _, l := range w.limits {
		for _, bound := range []*float64{l.Above, l.Below} {
			if bound != nil && *bound > hi && *bound <= hi+room {
				hi = *bound
			} else if bound != nil && *bound < lo && *bound >= lo-room {
				lo = *bound
			}
		}
	}
	return lo, hi
}
