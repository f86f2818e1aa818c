package kit

import (
	"image"
	"image/color"
	"math"

	"dashboard/theme/look"
)

// Limits for measuring a photo behind a text.
const (
	shadeSamples = 256  // maximum number of measured pixels in each direction
	shadeBins    = 1024 // number of bins for the luminance
	shadeShare   = 0.95 // share of the pixels that must have the contrast photoContrast to the text
)

// `linear` is a table with the luminance of each gray from 0 to 255.
var linear = func() (t [256]float32) {
	for i := range t {
		v := uint8(i)
		t[i] = float32(look.Luminance(color.NRGBA{v, v, v, 255}))
	}
	return t
}()

// Darkness returns the opacity of a black layer between a photo and a text. With this layer, 95 % of the pixels have a contrast of 4.5:1 to
// the text. The rectangle `r` of the text is in the photo's coordinates, and `luminance` is the luminance of the text, from 0 to 1. Outside
// of the photo, the background has the color `ground`.
func Darkness(photo *image.RGBA, r image.Rectangle, ground color.RGBA, luminance float64) uint8 {
	most := grayOf(max(0, (luminance+0.05)/photoContrast-0.05))
	if gray := grayOf(brightest(photo, r, ground)); gray > most {
		return uint8(min(255, math.Ceil(255*(1-most/gray))+2)) // two more steps compensate for the rounding of a fade
	}
	return 0
}

// grayOf returns the gray value, from 0 to 1, for a luminance from 0 to 1.
func grayOf(luminance float64) float64 {
	if luminance <= 0.0031308 {
		return 12.92 * luminance
	}
	return 1.055*math.Pow(luminance, 1/2.4) - 0.055
}

// brightest() returns a luminance that 95 % of the pixels in r do not exceed.
func brightest(photo *image.RGBA, r image.Rectangle, ground color.RGBA) float64 {
	var bins [shadeBins]int
	all, across, down := 0, r.Dx()/shadeSamples+1, r.Dy()/shadeSamples+1
	for y := r.Min.Y; y < r.Max.Y; y += down {
		for x := r.Min.X; x < r.Max.X; x += across {
			bins[min(shadeBins-1, int(luminanceAt(photo, image.Pt(x, y), ground)*shadeBins))]++
			all++
		}
	}
	for i, left := 0, int(math.Ceil(shadeShare*float64(all))); i < shadeBins; i++ {
		if left -= bins[i]; left <= 0 && all > 0 {
			return float64(i+1) / shadeBins
		}
	}
	return 0
}

// luminanceAt returns the luminance at a point of the photo, which is drawn on the color `ground`.
func luminanceAt(photo *image.RGBA, at image.Point, ground color.RGBA) float32 {
	c := ground
	if at.In(photo.Rect) {
		p := photo.Pix[photo.PixOffset(at.X, at.Y):]
		rest := 255 - int(p[3])
		f := func(v, g uint8) uint8 { return uint8(min(255, int(v)+int(g)*rest/255)) }
		c = color.RGBA{f(p[0], c.R), f(p[1], c.G), f(p[2], c.B), 255}
	}
	return 0.2126*linear[c.R] + 0.7152*linear[c.G] + 0.0722*linear[c.B]
}
