// Package sky paints a gradient in the colors of the sky, as the background of a wall.
package sky

import (
	"image"
	"math"
)

// Rows is the number of colors in a gradient, from the top of the sky to the horizon.
const Rows = 64

// `deep` is the value of one color level in the gradient: levels have 8 fraction bits.
const deep = 256

// Light is the range of relative luminance (WCAG 2.2, section 1.4.3) that keeps texts over the sky legible. The zero value allows every
// luminance.
type Light struct{ Least, Most float64 }

// Gradient holds the sky of one moment. The zero value is black.
type Gradient struct {
	rows [Rows + 1][3]uint16 // the last color is stored twice, because at() also reads the next row
}

// shade is the sky at a certain height of the sun. Its two colors are in polar Oklab, as lightness, chroma, and hue in degrees.
type shade struct {
	height       float64 // height of the sun, in degrees
	top, horizon [3]float64
}

// shades lists the sky at night, at blue hour, at dawn, in the morning and at noon. The colors were chosen by eye.
var shades = [...]shade{
	{-18, [3]float64{0.12, 0.020, 265}, [3]float64{0.20, 0.030, 265}},
	{-8, [3]float64{0.22, 0.055, 270}, [3]float64{0.42, 0.075, 285}},
	{-3, [3]float64{0.34, 0.080, 272}, [3]float64{0.66, 0.120, 42}},
	{0, [3]float64{0.44, 0.085, 262}, [3]float64{0.78, 0.130, 58}},
	{6, [3]float64{0.56, 0.095, 255}, [3]float64{0.88, 0.075, 82}},
	{20, [3]float64{0.62, 0.115, 250}, [3]float64{0.90, 0.045, 230}},
	{60, [3]float64{0.66, 0.125, 250}, [3]float64{0.92, 0.045, 230}},
}

// `clouded` is the share of the chroma that a completely clouded sky loses. The difference in lightness between the top and the horizon
// decreases too, by half of this share.
const clouded = 0.85

// Set computes the gradient for a height of the sun in degrees and a share of clouds from 0 to 1. l is the range of luminance for the
// texts. `changed` is true if any color changed.
func (g *Gradient) Set(height, clouds float64, l Light) (changed bool) {
	clouds = min(1, max(0, clouds))
	top, horizon := lab(height)
	middle := (top[0] + horizon[0]) / 2
	for i := range Rows {
		at := math.Pow(float64(i)/(Rows-1), 1.4)
		var c [3]float64
		for k := range c {
			c[k] = top[k] + (horizon[k]-top[k])*at
		}
		c[0] += (middle - c[0]) * clouds * clouded / 2
		c[1], c[2] = c[1]*(1-clouds*clouded), c[2]*(1-clouds*clouded)
		changed = g.store(i, l.hold(c)) || changed
	}
	g.rows[Rows] = g.rows[Rows-1]
	return changed
}

// lab returns the two colors of the sky at a height of the sun, interpolated in Oklab.
func lab(height float64) (top, horizon [3]float64) {
	i := 0
	for i < len(shades)-2 && height > shades[i+1].height {
		i++
	}
	a, b := &shades[i], &shades[i+1]
	at := min(1, max(0, (height-a.height)/(b.height-a.height)))
	mix := func(p, q [3]float64) (c [3]float64) {
		p, q = flat(p), flat(q)
		for k := range c {
			c[k] = p[k] + (q[k]-p[k])*at
		}
		return c
	}
	return mix(a.top, b.top), mix(a.horizon, b.horizon)
}

// flat() converts polar Oklab to Cartesian Oklab.
func flat(c [3]float64) [3]float64 {
	sin, cos := math.Sincos(c[2] * math.Pi / 180)
	return [3]float64{c[0], c[1] * cos, c[1] * sin}
}

// hold converts an Oklab color to linear sRGB, within the range of luminance. First it maps the lightness to the range. If the luminance
// is still outside, it mixes the color with black or white.
func (l Light) hold(c [3]float64) [3]float64 {
	low, high := math.Cbrt(l.Least), 1.0
	if l.Most > 0 {
		high = math.Cbrt(l.Most)
	}
	scale := high - low
	rgb := linear([3]float64{low + c[0]*scale, c[1] * max(0.35, scale), c[2] * max(0.35, scale)})
	y := 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
	for k := range rgb {
		switch {
		case l.Most > 0 && y > l.Most:
			rgb[k] *= l.Most / y
		case y < l.Least && y < 1:
			rgb[k] += (1 - rgb[k]) * (l.Least - y) / (1 - y)
		}
	}
	return rgb
}

// linear() converts an Oklab color to linear sRGB, and limits it to the colors that sRGB can represent
// (https://bottosson.github.io/posts/oklab).
func linear(c [3]float64) [3]float64 {
	l := c[0] + 0.3963377774*c[1] + 0.2158037573*c[2]
	m := c[0] - 0.1055613458*c[1] - 0.0638541728*c[2]
	s := c[0] - 0.0894841775*c[1] - 1.2914855480*c[2]
	l, m, s = l*l*l, m*m*m, s*s*s
	clip := func(v float64) float64 { return min(1, max(0, v)) }
	return [3]float64{
		clip(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		clip(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		clip(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
	}
}

// store stores the color of row i in sRGB if one of its 8-bit levels changed, and reports whether it has stored the color.
func (g *Gradient) store(i int, rgb [3]float64) (changed bool) {
	var row [3]uint16
	for k, v := range rgb {
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		row[k] = uint16(math.Round(v * (deep*255 - 1)))
		changed = changed || row[k]/deep != g.rows[i][k]/deep
	}
	if changed {
		g.rows[i] = row
	}
	return changed
}

// bayer holds Bayer's matrix for a square of 8 x 8 pixels. The matrix decides how a color between two levels is rounded. The fraction of
// the color, in 1/64 of a level, is added to the pixel's value in the matrix. If the sum is at least a whole level, the color is rounded
// up.
var bayer = [8][8]uint8{
	{0, 32, 8, 40, 2, 34, 10, 42}, {48, 16, 56, 24, 50, 18, 58, 26}, {12, 44, 4, 36, 14, 46, 6, 38}, {60, 28, 52, 20, 62, 30, 54, 22},
	{3, 35, 11, 43, 1, 33, 9, 41}, {51, 19, 59, 27, 49, 17, 57, 25}, {15, 47, 7, 39, 13, 45, 5, 37}, {63, 31, 55, 23, 61, 29, 53, 21},
}

// at() returns the color of row y of a picture, in fixed point. The argument `high` is the number of rows of the picture.
func (g *Gradient) at(y, high int) (c [3]uint32) {
	pos := (uint32(2*y+1)*(Rows-1)*deep/2 + uint32(high)/2) / uint32(max(1, high))
	i, part := pos/deep, pos%deep
	for k := range c {
		c[k] = (uint32(g.rows[i][k])*(deep-part) + uint32(g.rows[i+1][k])*part) / deep
	}
	return c
}

// Paint draws the part of the sky inside `clip` onto dst. The argument `all` is the rectangle of the whole sky. Its width does not matter,
// because every row repeats after eight pixels.
func (g *Gradient) Paint(dst *image.RGBA, clip, all image.Rectangle) {
	clip = clip.Intersect(all).Intersect(dst.Rect)
	if clip.Empty() {
		return
	}
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		i := dst.PixOffset(clip.Min.X, y)
		row := dst.Pix[i : i+4*clip.Dx()]
		g.eight(row[:min(len(row), 32)], clip.Min.X, y, g.at(y-all.Min.Y, all.Dy()))
		for n := 32; n < len(row); n *= 2 {
			copy(row[n:], row[:n])
		}
	}
}

// eight() draws up to eight pixels of row y, starting at column x.
func (g *Gradient) eight(row []uint8, x, y int, c [3]uint32) {
	order := &bayer[y&7]
	for p := 0; p < len(row); p += 4 {
		up := uint32(order[(x+p/4)&7]) * (deep / 64)
		row[p], row[p+1], row[p+2], row[p+3] = uint8((c[0]+up)/deep), uint8((c[1]+up)/deep), uint8((c[2]+up)/deep), 255
	}
}
