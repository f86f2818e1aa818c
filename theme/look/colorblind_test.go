package look_test

import (
	"image/color"
	"math"
	"testing"

	"dashboard/theme/look"
)

// `deficiencies` are normal vision and complete protanopia, deuteranopia and tritanopia, as matrices for linear RGB (Machado, Oliveira and
// Fernandes, 2009).
var deficiencies = map[string][9]float64{
	"normal":       {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// lab() returns the color that a viewer with a color vision deficiency sees. The result is in CIE Lab for daylight D65.
func lab(c color.NRGBA, kind [9]float64) [3]float64 {
	var in, seen [3]float64
	for i, v := range []uint8{c.R, c.G, c.B} {
		s := float64(v) / 255
		if s <= 0.04045 {
			in[i] = s / 12.92
		} else {
			in[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	for i := range seen {
		seen[i] = min(1, max(0, kind[3*i]*in[0]+kind[3*i+1]*in[1]+kind[3*i+2]*in[2]))
	}
	r, g, b := seen[0], seen[1], seen[2]
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return t*841/108 + 4.0/29
	}
	x, y, z := f((0.4124*r+0.3576*g+0.1805*b)/0.9505), f(0.2126*r+0.7152*g+0.0722*b), f((0.0193*r+0.1192*g+0.9505*b)/1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// apart() returns the difference that a viewer sees between two colors (CIE 1976 formula).
func apart(a, b color.NRGBA, kind [9]float64) float64 {
	p, q := lab(a, kind), lab(b, kind)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// TestColorBlindViewersTellColorsApart checks that the colors of the series differ by at least 20 for every viewer (CIE 1976 difference).
// The colors of the states must differ by as much. Black-and-white themes are not checked.
func TestColorBlindViewersTellColorsApart(t *testing.T) {
	const least = 20 // a smaller difference between neighboring colors is hard to see
	groups := [][]string{{"series1", "series2", "series3", "series4", "series5", "series6"}, {"good", "warn", "bad"}}
	for _, name := range look.Names() {
		for _, night := range []bool{false, true} {
			l, _ := look.Named(name, night)
			if l.Ink {
				continue
			}
			for kind, m := range deficiencies {
				for _, group := range groups {
					for i, a := range group {
						for _, b := range group[:i] {
							if d := apart(l.Colors[a], l.Colors[b], m); d < least {
								t.Errorf("%s, night %v, %s: %s and %s differ by %.1f, want %d", name, night, kind, b, a, d, least)
							}
						}
					}
				}
			}
		}
	}
}
