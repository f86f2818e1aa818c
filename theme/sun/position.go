package sun

import (
	"math"
	"time"
)

// riseElevation is the geometric elevation of the sun's center at sunrise, in degrees. The upper edge of the sun is 16 arc minutes above
// the center, and refraction lifts the sun by 34 arc minutes. NOAA and published tables use the same values.
const riseElevation = -0.833

const (
	degree     = math.Pi / 180
	unixJ2000  = 946728000 // 2000-01-01 12:00 UTC (Julian day 2451545.0) in Unix seconds
	dayLength  = 86400.0   // in seconds
	perCentury = 36525.0   // in days
	// `dynamical` is the difference between the uniform time of astronomy and UTC in seconds (ΔT, about 69 s in the 2020s). An error of some
	// seconds does not matter, because the sun moves less than 1/20 arc second per second along its path among the stars.
	dynamical = 69.0
)

// Elevation returns the height of the sun's center above the horizon in degrees. `lat` and `lon` are in degrees north and east.
func Elevation(at time.Time, lat, lon float64) float64 { return elevation(at, lat, lon) }

// elevation() returns the height of the sun's center above the horizon in degrees, without refraction. `lat` and `lon` are in degrees north
// and east.
//
// It uses the series of NOAA's solar calculator (https://gml.noaa.gov/grad/solcalc/calcdetails.html) and of Meeus, Astronomical Algorithms,
// chapter 25. In this century, its error is 0.02 degrees. At a steep sunrise, this corresponds to a few seconds.
func elevation(at time.Time, lat, lon float64) float64 {
	seconds := float64(at.Unix()-unixJ2000) + float64(at.Nanosecond())/1e9
	decl, eqTime := declination(((seconds + dynamical) / dayLength) / perCentury)
	// The hour angle is the rotation of the earth since the sun was in the south. At J2000, it is noon in Greenwich, so the angle is 0
	// there.
	turn := math.Mod(seconds/dayLength, 1)*360 + eqTime + lon
	sinLat, cosLat := math.Sincos(lat * degree)
	sinDecl, cosDecl := math.Sincos(decl)
	s := sinLat*sinDecl + cosLat*cosDecl*math.Cos(turn*degree)
	return math.Asin(max(-1, min(1, s))) / degree
}

// declination() returns the sun's declination in radians, and the equation of time in degrees. The equation of time is apparent solar time
// minus mean solar time, where 360 degrees are a day. t is the time in Julian centuries since J2000.
func declination(t float64) (decl, eqTime float64) {
	meanLong := 280.46646 + t*(36000.76983+t*0.0003032)           // L0
	anomaly := (357.52911 + t*(35999.05029-t*0.0001537)) * degree // M
	eccentricity := 0.016708634 - t*(0.000042037+t*0.0000001267)  // e
	s1, c1 := math.Sincos(anomaly)                                //
	s2, c2 := 2*s1*c1, 1-2*s1*s1                                  // sine and cosine of 2M
	s3 := s2*c1 + c2*s1                                           // sine of 3M
	centre := s1*(1.914602-t*(0.004817+t*0.000014)) + s2*(0.019993-t*0.000101) + s3*0.000289
	node := (125.04 - 1934.136*t) * degree // longitude of the node of the moon's orbit, for the nutation
	apparent := (meanLong + centre - 0.00569 - 0.00478*math.Sin(node)) * degree
	obliquity := (23.43929111 - t*(0.01300417+t*(1.64e-7-t*5.036e-7)) + 0.00256*math.Cos(node)) * degree
	decl = math.Asin(math.Sin(obliquity) * math.Sin(apparent))

	y := math.Tan(obliquity / 2)
	y *= y
	sL, cL := math.Sincos(2 * meanLong * degree)
	e := y*sL - 2*eccentricity*s1 + 4*eccentricity*y*s1*cL - 0.5*y*y*2*sL*cL - 1.25*eccentricity*eccentricity*s2
	return decl, e / degree
}
