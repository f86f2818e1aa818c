package sun

import (
	"iter"
	"math"
	"time"
)

const (
	// scanStep is the time between two samples of the sun's height, in seconds. The sun's height
	// has one maximum and one minimum a day, so it has at most one extremum within three samples.
	scanStep = 3600
	// `sag` is a limit in degrees. Between two samples, the sun rises at most this much above the higher sample. The hour angle is then
	// at most 7.5° from the nearest sample, and 90*(1-cos 7.5°) is less than one.
	sag = 1.0
)

// A crossing is a sunrise or a sunset.
type crossing struct {
	at     time.Time // first whole second after the crossing
	rising bool
}

// A height is a function of the time in Unix seconds. It returns how far the sun is above its height at sunrise, in degrees.
type height func(unix int64) float64

func heightAt(lat, lon float64) height {
	return func(unix int64) float64 { return elevation(time.Unix(unix, 0), lat, lon) - riseElevation }
}

// crossings() yields the sunrises and sunsets between two times, in order. It takes samples at whole hours, so that every call finds the
// same second for the same sunrise.
func crossings(lat, lon float64, from, to time.Time) iter.Seq[crossing] {
	h := heightAt(lat, lon)
	return func(yield func(crossing) bool) {
		for a, b := range signChanges(h, from.Unix(), to.Unix()) {
			c := bisect(h, a, b)
			if !c.at.Before(from) && c.at.Before(to) && !yield(c) {
				return
			}
		}
	}
}

// signChanges yields spans of seconds. In each span, h changes its sign once. All sign changes between the times `from` and `to` are in a
// span. Some spans may be outside of these times. Most of the spans lie between two samples. Near the poles, the sun can cross the
// horizon twice between two samples when the season changes. signChanges also finds such short spans.
func signChanges(h height, from, to int64) iter.Seq2[int64, int64] {
	return func(yield func(a, b int64) bool) {
		at := from - from%scanStep - 2*scanStep
		before, here := h(at-scanStep), h(at)
		for ; at < to+2*scanStep; at += scanStep {
			after := h(at + scanStep)
			if (here > 0) != (after > 0) {
				if !yield(at, at+scanStep) {
					return
				}
			} else if nearMiss(before, here, after) {
				x := extremum(h, at-scanStep, at+scanStep, here > 0)
				if (h(x) > 0) != (here > 0) && (!yield(at-scanStep, x) || !yield(x, at+scanStep)) {
					return
				}
			}
			before, here = here, after
		}
	}
}

// nearMiss reports whether three samples have the same sign, and the middle sample is closest to the horizon and less than `sag` degrees
// away from it.
func nearMiss(before, here, after float64) bool {
	if here <= 0 {
		before, here, after = -before, -here, -after
	}
	return here <= sag && before >= here && after >= here
}

// extremum() returns the second between a and b at which h has its minimum if `lowest` is true, or its maximum if `lowest` is false. h
// must have only one extremum between a and b. The search is ternary: each step removes a third of the span.
func extremum(h height, a, b int64, lowest bool) int64 {
	for b-a > 2 {
		third := (b - a) / 3
		l, r := a+third, b-third
		if (h(l) < h(r)) == lowest {
			b = r
		} else {
			a = l
		}
	}
	return (a + b) / 2
}

// bisect returns the crossing at the first second between a and b at which h has the same sign as at b.
func bisect(h height, a, b int64) crossing {
	up := h(b) > 0
	for b-a > 1 {
		if mid := a + (b-a)/2; (h(mid) > 0) == up {
			b = mid
		} else {
			a = mid
		}
	}
	return crossing{at: time.Unix(b, 0).UTC(), rising: up}
}

// up() reports whether the sun is above the horizon.
func up(at time.Time, lat, lon float64) bool {
	return !math.Signbit(elevation(at, lat, lon) - riseElevation)
}
