// Package moon computes the phases of the moon.
package moon

import (
	"math"
	"time"
)

// The phases, as angles between sun and moon in degrees.
const (
	New          = 0
	FirstQuarter = 90
	Full         = 180
	LastQuarter  = 270
)

// perDay is the average change of the angle in degrees per day. A synodic month of 29.530589 days has 360 degrees.
const perDay = 360 / 29.530589

// `epoch` is J2000.0.
var epoch = time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)

// Angle returns the angle between sun and moon in degrees, from 0 to 360. It is measured from the center of the earth, along the ecliptic.
// At new moon it is 0, and at full moon it is 180. In the century around 2000 the error is some tenths of a degree, or about half an hour
// (J. Meeus, Astronomical Algorithms, 2nd edition, chapter 48).
func Angle(t time.Time) float64 {
	c := t.Sub(epoch).Hours() / 24 / 36525 // in Julian centuries
	d := 297.8501921 + float64(445267.1114034*c)
	m := 357.5291092 + float64(35999.0502909*c)
	l := 134.9633964 + float64(477198.8675055*c)
	sin := func(degrees float64) float64 { return math.Sin(math.Mod(degrees, 360) * math.Pi / 180) }
	a := d + float64(6.289*sin(l)) - float64(2.100*sin(m)) + float64(1.274*sin(2*d-l)) + float64(0.658*sin(2*d)) + float64(0.214*sin(2*l)) + float64(0.110*sin(d))
	return turn(a)
}

// turn() normalizes an angle to the range from 0 to 360.
func turn(a float64) float64 {
	if a = math.Mod(a, 360); a < 0 {
		a += 360
	}
	return a
}

// Lit returns the part of the moon's disc that the sun lights, from 0 to 1.
func Lit(angle float64) float64 { return (1 - math.Cos(angle*math.Pi/180)) / 2 }

// `principal` is a limit in degrees. A day counts as new moon, full moon or a quarter if its angle differs by at most `principal` from the
// angle of this phase. The angle changes by `principal` in half a day.
const principal = perDay / 2

// Phase returns one of eight phases for an angle: 0 new moon, 2 first quarter, 4 full moon, 6 last quarter. Odd numbers are the phases in
// between.
func Phase(angle float64) int {
	for i := range 4 {
		off := math.Abs(turn(angle-float64(90*i)+180) - 180)
		if off <= principal {
			return 2 * i
		}
	}
	return 2*int(angle/90) + 1
}

// Next returns the first time after a moment at which the moon has the given angle.
func Next(after time.Time, angle float64) time.Time {
	const nearly = 3e-3 // maximum error in degrees. In about 20 s, the angle changes by this amount
	ahead := turn(angle - Angle(after))
	at := after.Add(days(ahead / perDay))
	for range 10 {
		off := turn(angle-Angle(at)+180) - 180
		if math.Abs(off) < nearly {
			break
		}
		at = at.Add(days(off / perDay))
	}
	if !at.After(after) {
		return Next(after.Add(days(1)), angle)
	}
	return at
}

func days(n float64) time.Duration { return time.Duration(n * 24 * float64(time.Hour)) }
