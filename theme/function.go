package theme

import (
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Limits for a color with functions. Real colors have a few dozen characters.
const (
	longestExpression = 256 // in bytes
	deepestExpression = 8   // maximum depth of nested functions
)

// parse parses a color in the forms that Palette.Parse describes.
func (r *reader) parse(s string) (Color, error) {
	if len(s) > longestExpression {
		return Color{}, notColor("a text of %d bytes is no color", len(s))
	}
	return r.expression(s, 0)
}

func (r *reader) expression(s string, depth int) (Color, error) {
	s = strings.TrimSpace(s)
	name, rest, call := strings.Cut(s, "(")
	if !call {
		return r.named(s)
	}
	inner, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return Color{}, notColor("%q is no color: a ) is missing at its end", s)
	}
	if depth >= deepestExpression {
		return Color{}, notColor("more than %d functions in one another", deepestExpression)
	}
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "alpha", "mix":
		return r.combined(name, arguments(inner), depth)
	case "rgb", "rgba", "hsl", "hsla", "oklch":
		return channels(s, strings.TrimSuffix(name, "a"), inner)
	}
	return Color{}, unknownFunction(s, name)
}

// arguments() splits a text at all commas that are not inside parentheses.
func arguments(s string) []string {
	var args []string
	begin, open := 0, 0
	for i, c := range s {
		switch c {
		case '(':
			open++
		case ')':
			open--
		case ',':
			if open == 0 {
				args, begin = append(args, s[begin:i]), i+1
			}
		}
	}
	return append(args, s[begin:])
}

// combined() parses alpha(COLOR, SHARE) and mix(COLOR, COLOR, SHARE). alpha() multiplies the opacity of the color by the share. mix()
// returns a mix of both colors, and the share is the part of the first color. The default share of mix() is a half.
func (r *reader) combined(name string, args []string, depth int) (Color, error) {
	if name == "alpha" && len(args) != 2 || name == "mix" && len(args) != 2 && len(args) != 3 {
		return Color{}, notColor("%s() is written %s", name, map[string]string{"alpha": "alpha(COLOR, 30%)", "mix": "mix(COLOR, COLOR, 30%)"}[name])
	}
	a, err := r.expression(args[0], depth+1)
	if err != nil {
		return Color{}, err
	}
	if name == "alpha" {
		part, err := share(args[1])
		a.A = round8(float64(a.A) * part)
		return a, err
	}
	b, err := r.expression(args[1], depth+1)
	part := 0.5
	if err == nil && len(args) == 3 {
		part, err = share(args[2])
	}
	return mix(a, b, part), err
}

// mix returns a mix of the colors `a` and `b`. The parameter `part` is the share of `a`, from 0 to 1. Colors with a lower opacity
// contribute less to each channel.
func mix(a, b Color, part float64) Color {
	alpha := part*float64(a.A) + (1-part)*float64(b.A)
	if alpha == 0 {
		return Color{}
	}
	channel := func(x, y uint8) uint8 {
		return round8((part*float64(a.A)*float64(x) + (1-part)*float64(b.A)*float64(y)) / alpha)
	}
	return Color{color.NRGBA{R: channel(a.R, b.R), G: channel(a.G, b.G), B: channel(a.B, b.B), A: round8(alpha)}}
}

func round8(x float64) uint8 { return uint8(min(255, max(0, math.Round(x)))) }

// share() parses a share such as 30% or 0.3.
func share(s string) (float64, error) {
	x, percent, ok := quantity(strings.TrimSpace(s), 1)
	if !ok || x < 0 || x > 1 {
		hint := "a share such as 30%"
		if !percent && x > 1 && x <= 100 {
			hint = strings.TrimSpace(s) + "%"
		}
		return 0, &ColorError{reason: strconv.Quote(strings.TrimSpace(s)) + " is no share of a color: write " + hint}
	}
	return x, nil
}

// quantity() parses a number or a percentage. A percentage is converted to a number: 100% becomes the value of the parameter `whole`.
func quantity(s string, whole float64) (x float64, percent, ok bool) {
	digits, percent := strings.CutSuffix(s, "%")
	x, err := strconv.ParseFloat(digits, 64)
	if percent {
		x = x * whole / 100
	}
	return x, percent, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}

// channels() parses rgb(), hsl() and oklch() of CSS Color Module Level 4, sections 5, 7 and 9.4. Blanks, commas or slashes separate the
// numbers. An opacity may follow.
func channels(s, name, inner string) (Color, error) {
	parts := strings.FieldsFunc(inner, func(c rune) bool { return c == ',' || c == ' ' || c == '/' })
	if len(parts) != 3 && len(parts) != 4 {
		return Color{}, notColor("%q is no color: %s() has three numbers, and perhaps a share of opacity", s, name)
	}
	whole := map[string][3]float64{"rgb": {255, 255, 255}, "hsl": {360, 1, 1}, "oklch": {1, 0.4, 360}}[name]
	var v [3]float64
	for i := range v {
		x, percent, ok := quantity(strings.TrimSuffix(parts[i], "deg"), whole[i])
		if name == "hsl" && i > 0 && !percent {
			x /= 100
		}
		if !ok || x < 0 && whole[i] != 360 || x > whole[i] && name != "oklch" && whole[i] != 360 || name == "oklch" && i == 0 && x > 1 {
			return Color{}, notColor("%q is no color: %q is out of the range of %s()", s, parts[i], name)
		}
		v[i] = x
	}
	c := Color{color.NRGBA{A: 255}}
	if len(parts) == 4 {
		alpha, err := share(parts[3])
		if err != nil {
			return Color{}, err
		}
		c.A = round8(alpha * 255)
	}
	switch name {
	case "rgb":
		c.R, c.G, c.B = round8(v[0]), round8(v[1]), round8(v[2])
	case "hsl":
		c.R, c.G, c.B = fromHSL(v[0], v[1], v[2])
	default:
		c.R, c.G, c.B = fromOKLCH(v[0], v[1], v[2])
	}
	return c, nil
}

// fromHSL converts a color from HSL to sRGB (CSS Color 4, section 7.1).
func fromHSL(h, s, l float64) (r, g, b uint8) {
	h = math.Mod(math.Mod(h, 360)+360, 360)
	f := func(n float64) uint8 {
		k := math.Mod(n+h/30, 12)
		return round8(255 * (l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1))))
	}
	return f(0), f(8), f(4)
}

// fromOKLCH converts a color from OKLCH to sRGB (CSS Color 4, sections 9.4 and 16.1, with the matrices of Björn Ottosson). If a screen
// cannot show the color, fromOKLCH reduces the chroma until sRGB contains the color. Hue and lightness do not change.
func fromOKLCH(l, c, h float64) (r, g, b uint8) {
	sin, cos := math.Sincos(h * math.Pi / 180)
	low, high := 0.0, c
	rgb, fits := fromOKLab(l, c*cos, c*sin)
	const steps = 20 // number of bisections, which is far more precise than 8 bits
	for range steps {
		if fits {
			break
		}
		middle := (low + high) / 2
		if _, inside := fromOKLab(l, middle*cos, middle*sin); inside {
			low = middle
		} else {
			high = middle
		}
	}
	if !fits {
		rgb, _ = fromOKLab(l, low*cos, low*sin)
	}
	return round8(255 * rgb[0]), round8(255 * rgb[1]), round8(255 * rgb[2])
}

func fromOKLab(l, a, b float64) (rgb [3]float64, fits bool) {
	cube := func(x float64) float64 { return x * x * x }
	x := cube(l + 0.3963377774*a + 0.2158037573*b)
	y := cube(l - 0.1055613458*a - 0.0638541728*b)
	z := cube(l - 0.0894841775*a - 1.2914855480*b)
	linear := [3]float64{
		4.0767416621*x - 3.3077115913*y + 0.2309699292*z,
		-1.2684380046*x + 2.6097574011*y - 0.3413193965*z,
		-0.0041960863*x - 0.7034186147*y + 1.7076147010*z,
	}
	fits = true
	for i, v := range linear {
		fits = fits && v > -1e-4 && v < 1+1e-4
		rgb[i] = encode(min(1, max(0, v)))
	}
	return rgb, fits
}

// encode applies the transfer function of sRGB (IEC 61966-2-1) to a linear channel.
func encode(v float64) float64 {
	if v <= 0.0031308 {
		return 12.92 * v
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}
