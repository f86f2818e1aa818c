package sun

import (
	"math"
	"time"
)

// This file computes the height of the sun a second time, without the series and formulas of the package. It uses the main terms of
// VSOP87 for the position of the earth (Bretagnon and Francou, 1988), nutation, and aberration. The hour angle comes from sidereal time
// instead of the equation of time (Meeus, Astronomical Algorithms, chapters 12, 22 and 32). The error is about two arc seconds.

// term is A*cos(B+C*tau). A is in 1e-8 radians, and tau is in Julian millennia.
type term struct{ a, b, c float64 }

var earthL = [3][]term{
	{
		{175347046, 0, 0}, {3341656, 4.6692568, 6283.0758500}, {34894, 4.62610, 12566.15170}, {3497, 2.7441, 5753.3849},
		{3418, 2.8289, 3.5231}, {3136, 3.6277, 77713.7715}, {2676, 4.4181, 7860.4194}, {2343, 6.1352, 3930.2097},
		{1324, 0.7425, 11506.7698}, {1273, 2.0371, 529.6910}, {1199, 1.1096, 1577.3435}, {990, 5.233, 5884.927},
		{902, 2.045, 26.298}, {857, 3.508, 398.149}, {780, 1.179, 5223.694}, {753, 2.533, 5507.553}, {505, 4.583, 18849.228},
		{492, 4.205, 775.523}, {357, 2.920, 0.067}, {317, 5.849, 11790.629}, {284, 1.899, 796.298}, {271, 0.315, 10977.079},
	},
	{{628331966747, 0, 0}, {206059, 2.678235, 6283.075850}, {4303, 2.6351, 12566.1517}, {425, 1.590, 3.523}},
	{{52919, 0, 0}, {8720, 1.0721, 6283.0758}},
}

func oracleElevation(at time.Time, lat, lon float64) float64 {
	days := at.Sub(time.Date(2000, 1, 1, 12, 0, 0, 0, time.UTC)).Hours() / 24
	tau := (days + 69.2/86400) / 365250
	T := tau * 10
	long, power := 0.0, 1.0
	for _, series := range earthL {
		for _, t := range series {
			long += power * t.a * 1e-8 * math.Cos(t.b+t.c*tau)
		}
		power *= tau
	}
	rad := math.Pi / 180
	node, l, lm := (125.04452-1934.136261*T)*rad, (280.4665+36000.7698*T)*rad, (218.3165+481267.8813*T)*rad
	dPsi := (-17.20*math.Sin(node) - 1.32*math.Sin(2*l) - 0.23*math.Sin(2*lm) + 0.21*math.Sin(2*node)) / 3600
	dEps := (9.20*math.Cos(node) + 0.57*math.Cos(2*l) + 0.10*math.Cos(2*lm) - 0.09*math.Cos(2*node)) / 3600
	eps := (84381.448-46.8150*T)/3600 + dEps
	radius := 1.000140 - 0.016708*math.Cos((357.529+35999.050*T)*rad) // precise enough for the aberration
	lambda := (long/rad + 180 + dPsi - 20.4898/3600/radius) * rad
	ra := math.Atan2(math.Sin(lambda)*math.Cos(eps*rad), math.Cos(lambda))
	dec := math.Asin(math.Sin(lambda) * math.Sin(eps*rad))
	sidereal := 280.46061837 + 360.98564736629*days + 0.000387933*T*T + dPsi*math.Cos(eps*rad)
	hour := (sidereal+lon)*rad - ra
	return math.Asin(math.Sin(lat*rad)*math.Sin(dec)+math.Cos(lat*rad)*math.Cos(dec)*math.Cos(hour)) / rad
}

// oracleCrossings searches for sunrises and sunsets in steps of half an hour.
func oracleCrossings(lat, lon float64, from, to time.Time) []crossing {
	const step = 30 * time.Minute
	up := func(t time.Time) bool { return oracleElevation(t, lat, lon) > riseElevation }
	var all []crossing
	for a := from; a.Before(to); a = a.Add(step) {
		l, r := a, a.Add(step)
		if up(l) == up(r) {
			continue
		}
		rising := up(r)
		for r.Sub(l) > time.Second {
			if m := l.Add(r.Sub(l) / 2); up(m) == rising {
				r = m
			} else {
				l = m
			}
		}
		all = append(all, crossing{at: r, rising: rising})
	}
	return all
}
