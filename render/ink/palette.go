// Package ink converts pixels to the inks of a display.
//
// E-paper shows a handful of inks and no colors between them. In text, lines and flat areas, each pixel becomes the nearest ink, so that
// letters stay sharp. Photos are dithered, each within its rectangle. Dithering uses the measured colors of the inks, not their nominal
// colors. A Quantizer handles both kinds of pixels, and allocates its memory once.
package ink

import (
	"image/color"
	"math/bits"
	"strconv"
)

// MaxInks bounds the inks of a palette, because a pixel's index is one byte.
const MaxInks = 256

// An Ink is one color that a display can show.
type Ink struct {
	Name  string
	Looks color.RGBA // color on the display, measured under white light, for previews
	Pure  color.RGBA // nominal color, for picture files that a board translates to its inks
	// hue is the ink's hue in OKLab, in degrees. In text and flat areas, colors with a similar hue become this ink. For inks without a
	// color, hue is the constant `neutral`.
	hue float64
}

// `neutral` is the value of hue for inks without a color.
const neutral = -1

// A Palette lists the inks of a display, in the order of their indices. It never changes and may be shared.
type Palette struct {
	Name string
	Doc  string // description of the palette in one line, for the reference page
	Inks []Ink
}

// Named returns the palette with the given name, which must be one of Names. `ok` is false for an unknown name.
func Named(name string) (*Palette, bool) {
	for _, p := range palettes() {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// Names returns the names of all palettes. Palettes with fewer inks come first.
func Names() []string {
	var names []string
	for _, p := range palettes() {
		names = append(names, p.Name)
	}
	return names
}

// Looks returns the inks with their measured colors, for a preview.
func (p *Palette) Looks() color.Palette {
	return p.colors(func(i Ink) color.RGBA { return i.Looks })
}

// Pure returns the inks with their nominal colors, for a picture file that is sent to a display with these inks.
func (p *Palette) Pure() color.Palette {
	return p.colors(func(i Ink) color.RGBA { return i.Pure })
}

func (p *Palette) colors(of func(Ink) color.RGBA) color.Palette {
	list := make(color.Palette, len(p.Inks))
	for i, ink := range p.Inks {
		list[i] = of(ink)
	}
	return list
}

// Bits returns the number of bits for the ink of a pixel: 1, 2, 4 or 8.
func (p *Palette) Bits() int {
	need := bits.Len(uint(len(p.Inks) - 1))
	for _, n := range []int{1, 2, 4} {
		if need <= n {
			return n
		}
	}
	return 8
}

// Gray reports whether the palette has only grays, black and white.
func (p *Palette) Gray() bool {
	for _, i := range p.Inks {
		if i.hue != neutral {
			return false
		}
	}
	return true
}

// palettes() returns all palettes. The measured colors come from OpenDisplay (Spectra 6: 7.3 inch, linear raw, 2026; four inks: 3.97 inch)
// and from esp32-photoframe #110 (seven inks, partly estimated). The colors of the palette with three inks are placeholders from
// OpenDisplay. There is no single correct value, because an ink looks different in different light.
func palettes() []*Palette {
	return []*Palette{
		grays("bw", "Black and white.", 2),
		{"bwr", "Black, white, red.", []Ink{
			black(5, 5, 5), white(200, 200, 200), red(120, 15, 5),
		}},
		grays("gray4", "Four grays.", 4),
		{"bwry", "Black, white, yellow, red.", []Ink{
			black(10, 7, 14), white(173, 178, 174), yellow(172, 128, 0), red(85, 24, 14),
		}},
		{"spectra6", "E Ink Spectra 6: black, white, yellow, red, blue, green.", []Ink{
			black(31, 24, 41), white(168, 180, 182), yellow(180, 173, 0), red(113, 24, 19), blue(36, 70, 139), green(50, 84, 60),
		}},
		{"inky7", "The seven colors of Inky Impression and other ACeP panels: black, white, green, blue, red, yellow, orange.", []Ink{
			black(2, 2, 2), white(179, 182, 171), green(33, 69, 40), blue(0, 47, 107), red(117, 10, 0), yellow(201, 184, 0), orange(170, 82, 0),
		}},
		grays("gray16", "Sixteen grays.", 16),
		grays("gray256", "256 grays.", 256),
	}
}

// grays() returns a palette of n grays from black to white in equal steps.
func grays(name, doc string, n int) *Palette {
	p := &Palette{Name: name, Doc: doc, Inks: make([]Ink, n)}
	for i := range n {
		v := uint8((255*i + (n-1)/2) / (n - 1))
		c := color.RGBA{v, v, v, 255}
		p.Inks[i] = Ink{Name: "gray " + strconv.Itoa(i), Looks: c, Pure: c, hue: neutral}
	}
	p.Inks[0].Name, p.Inks[n-1].Name = "black", "white"
	return p
}

// Each function below returns an ink. The arguments are the ink's measured color. The ink's hue lies between the hue of its nominal color
// and the hue of the theme's color with the same name. With the nominal hues, the theme's amber would be nearer to red than to yellow.
func black(r, g, b uint8) Ink {
	return Ink{"black", color.RGBA{r, g, b, 255}, color.RGBA{0, 0, 0, 255}, neutral}
}
func white(r, g, b uint8) Ink {
	return Ink{"white", color.RGBA{r, g, b, 255}, color.RGBA{255, 255, 255, 255}, neutral}
}
func red(r, g, b uint8) Ink {
	return Ink{"red", color.RGBA{r, g, b, 255}, color.RGBA{255, 0, 0, 255}, 24}
}
func orange(r, g, b uint8) Ink {
	return Ink{"orange", color.RGBA{r, g, b, 255}, color.RGBA{255, 128, 0, 255}, 58}
}
func yellow(r, g, b uint8) Ink {
	return Ink{"yellow", color.RGBA{r, g, b, 255}, color.RGBA{255, 255, 0, 255}, 98}
}
func green(r, g, b uint8) Ink {
	return Ink{"green", color.RGBA{r, g, b, 255}, color.RGBA{0, 255, 0, 255}, 150}
}
func blue(r, g, b uint8) Ink {
	return Ink{"blue", color.RGBA{r, g, b, 255}, color.RGBA{0, 0, 255, 255}, 258}
}
