package ink

import (
	"image/color"
	"math"
)

// linear() converts a channel of an sRGB color to linear light from 0 to 1 (IEC 61966-2-1).
func linear(v uint8) float64 {
	f := float64(v) / 255
	if f <= 0.04045 {
		return f / 12.92
	}
	return math.Pow((f+0.055)/1.055, 2.4)
}

// chromaHue returns the chroma and the hue (in degrees, 0 to 360) of a color in OKLab (Ottosson, 2020). Every product is rounded before it
// is added, so that every machine gets the same result.
func chromaHue(c color.RGBA) (chroma, hue float64) {
	r, g, b := linear(c.R), linear(c.G), linear(c.B)
	l := math.Cbrt(mix(0.4122214708, r, 0.5363325363, g, 0.0514459929, b))
	m := math.Cbrt(mix(0.2119034982, r, 0.6806995451, g, 0.1073969566, b))
	s := math.Cbrt(mix(0.0883024619, r, 0.2817188376, g, 0.6299787005, b))
	x := mix(1.9779984951, l, -2.4285922050, m, 0.4505937099, s)
	y := mix(0.0259040371, l, 0.7827717662, m, -0.8086757660, s)
	hue = math.Atan2(y, x) * 180 / math.Pi
	if hue < 0 {
		hue += 360
	}
	return math.Hypot(x, y), hue
}

func mix(a, x, b, y, c, z float64) float64 {
	return float64(float64(a*x)+float64(b*y)) + float64(c*z)
}

// between() returns the angle between two hues, in degrees from 0 to 180.
func between(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 360-d)
}

// luma returns the brightness of a color, 0 to 255, computed from its sRGB values (Rec. 709). It does not use linear light, because an
// edge pixel that a letter half covers has half the sRGB value, not half the light.
func luma(c color.RGBA) int { return (54*int(c.R) + 183*int(c.G) + 19*int(c.B) + 128) >> 8 }
