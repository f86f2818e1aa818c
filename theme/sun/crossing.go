package sun

import (
	"iter"
	"math"
	"time"
)

const (
	// scanStep is the distance between samples of the sun's height, in seconds. The sun rises and sinks once a day, so among three
	// samples an hour apart it turns around at most once.
	scanStep = 3600
	// sag bounds how many degrees the sun can rise beyond the highest of three samples: 90*(1-cos 7.5°) is below one.
	sag = 1.0
)

// A crossing is the sun passing the horizon.
type crossing struct {
	at     time.Time // the first whole second after the crossing
	rising bool
}

// A height is the sun's elevation above the rise elevation, in degrees, at a Unix second.
type height func(unix int64) float64

func heightAt(lat, lon float64) height {
	return func(unix int64) float64 { return elevation(time.Unix(unix, 0), lat, lon) - riseElevation }
}

// crossings yields sunrises and sunsets between two moments in order of time. It samples at whole hours, so that every
// call finds the same second for the same sunrise.
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

// signChanges yields the spans in which h changes its sign, at least between the two given seconds. Most lie between two samples.
// Near the poles, when the season changes, the sun can cross the horizon twice between two samples. These short spans are found
// too.
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

// nearMiss reports whether the middle one of three samples is the nearest to the horizon, and all three are on the same side.
func nearMiss(before, here, after float64) bool {
	if here <= 0 {
		before, here, after = -before, -here, -after
	}
	return here <= sag && before >= here && after >= here
}

// extremum returns the second between a and b at which h has its minimum (lowest) or its maximum. h must have only one there. The
// search is ternary: each step removes a third of the span.
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

// bisect finds the first second between a and b where h has the sign of h at b.
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

// up reports whether the sun is above the horizon.
func up(at time.Time, lat, lon float64) bool {
	return !math.Signbit(elevation(at, lat, lon) - riseElevation)
}
