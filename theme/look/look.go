// Package look holds the look of widgets: the colors of roles, the styles of texts, and lengths. It also computes the scale of styles and
// lengths for the size of the picture.
package look

import (
	"image/color"
	"maps"
	"math"
)

// A Look holds the design of a theme in one mode, day or night. It is immutable.
type Look struct {
	Colors   map[string]color.NRGBA // colors of the roles and of all other names in the theme
	Roles    map[string]string      // for each other name in the theme, the role to which it refers, or "" for its own color
	Styles   map[string]Style
	Sizes    Sizes
	Typeface string // "inter", "liberation", or the path of a font file
	Italic   string // path of the italic font file for the typeface, or ""
	Ink      bool   // true for black-and-white paper, without surfaces, shadows and grays
}

// Style describes the appearance of one kind of text. Size is in px for a picture whose shorter side has 720 px. Tracking and Line are
// multiples of Size.
type Style struct {
	Size     float64
	Weight   int
	Tracking float64
	Line     float64
	Features []string
}

// Sizes holds lengths in px, for a picture whose shorter side has 720 px.
type Sizes struct {
	Margin, Gap, Padding, PaddingY, Radius, Line, Icon float64
	Divider                                            float64 // thickness of the line between the parts of a layout, or 0
	Outline                                            float64 // thickness of the line around a card, or 0
	Blur                                               float64 // standard deviation of the blur behind a translucent card, or 0
}

// Lengths and styles that the built-in themes share.
var (
	usualSizes = Sizes{Margin: 20, Gap: 14, Padding: 24, PaddingY: 20, Radius: 18, Line: 1, Icon: 24}
	tabular    = []string{"tnum"}
	usual      = map[string]Style{
		"label":    {14, 500, 0, 1.43, tabular},
		"caption":  {16, 400, 0, 1.4, tabular},
		"body":     {20, 400, 0, 1.4, tabular},
		"title":    {26, 500, -0.01, 1.25, tabular},
		"headline": {36, 400, -0.005, 1.15, tabular},
		"figure":   {64, 300, -0.025, 1, []string{"tnum", "case"}},
		"display":  {160, 250, -0.03, 1, []string{"tnum", "case"}},
	}
)

// StyleNames returns the names of the styles that every theme has, from the smallest to the largest.
func StyleNames() []string {
	return []string{"label", "caption", "body", "title", "headline", "figure", "display"}
}

// hex() returns the opaque color 0xrrggbb.
func hex(v uint32) color.NRGBA { return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }

// roles() converts a map of numbers in the form 0xrrggbb to a map of opaque colors.
func roles(all map[string]uint32) map[string]color.NRGBA {
	colors := make(map[string]color.NRGBA, len(all))
	for name, v := range all {
		colors[name] = hex(v)
	}
	return colors
}

func newLook(colors map[string]uint32) *Look {
	return &Look{Colors: roles(colors), Styles: maps.Clone(usual), Sizes: usualSizes, Typeface: "inter"}
}

// Calm returns the look of the default theme for modern widgets: blue-gray by night, warm white by day.
func Calm(night bool) *Look {
	if night {
		return newLook(map[string]uint32{
			"sun":        0xf7c04f,
			"background": 0x0b0f16, "surface": 0x141a24, "raised": 0x1d2533, "line": 0x253042,
			"text": 0xeef2f8, "muted": 0x95a1b3, "faint": 0x66738a, "accent": 0x6ea8fe,
			"good": 0x5ad09a, "warn": 0xf5b84b, "bad": 0xec7569, "cold": 0x5bb8e8, "warm": 0xf59a5b,
			"series1": 0x6ea8fe, "series2": 0xea8d52, "series3": 0x268c74, "series4": 0xd987b9, "series5": 0xe1ed7f, "series6": 0xf2bfff,
		})
	}
	return newLook(map[string]uint32{
		"sun":        0xd98a0a,
		"background": 0xefece6, "surface": 0xfffdf9, "raised": 0xffffff, "line": 0xe4dfd5,
		"text": 0x1c2430, "muted": 0x5d6673, "faint": 0x858c97, "accent": 0x2a66c8,
		"good": 0x197b4e, "warn": 0x9f5d00, "bad": 0xa7192a, "cold": 0x0f76a8, "warm": 0xb5541c,
		"series1": 0x2a66c8, "series2": 0xd36749, "series3": 0x085546, "series4": 0xaa3a87, "series5": 0x576100, "series6": 0x2a2aa7,
	})
}

// `reference` is the shorter side in px of the picture to which all sizes refer.
const reference = 720

// Lengths returns the factor by which the theme's lengths are multiplied in a picture. `shorter` is the picture's shorter side in px. In a
// picture smaller than the reference, lengths shrink less than the picture.
func Lengths(shorter int) float64 {
	r := float64(shorter) / reference
	if r < 1 {
		return math.Sqrt(r)
	}
	return r
}

// A point holds the sizes of the styles for one length of the picture's shorter side. The sizes have the order of StyleNames.
type point struct {
	shorter float64
	sizes   [7]float64
}

// `points` are sizes that were chosen by eye. Sizes between two points are interpolated.
var points = [...]point{
	{240, [7]float64{13, 15, 17, 20, 26, 38, 84}},
	{480, [7]float64{14, 15, 18, 21, 36, 64, 126}},
	{reference, [7]float64{14, 16, 20, 26, 36, 64, 160}},
}

// Type returns the factor by which the size of a style is multiplied in a picture. `shorter` is the picture's shorter side in px. A style
// that is not in StyleNames is scaled like "body".
func Type(style string, shorter int) float64 {
	s := float64(shorter)
	if s >= reference {
		return s / reference
	}
	i := 2 // index of "body"
	for k, name := range StyleNames() {
		if name == style {
			i = k
		}
	}
	full := points[2].sizes[i]
	if s <= points[0].shorter {
		return points[0].sizes[i] / full
	}
	for k := 1; k < len(points); k++ {
		a, b := points[k-1], points[k]
		if s <= b.shorter {
			share := (s - a.shorter) / (b.shorter - a.shorter)
			return (a.sizes[i] + float64((b.sizes[i]-a.sizes[i])*share)) / full
		}
	}
	return 1
}

// Contrast returns the contrast ratio of two opaque colors, from 1 to 21 (WCAG 2.1, section 1.4.3).
func Contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	if x < y {
		x, y = y, x
	}
	return (x + 0.05) / (y + 0.05)
}

// Luminance returns the relative luminance of an opaque color, from 0 to 1.
func Luminance(c color.NRGBA) float64 { return luminance(c) }

func luminance(c color.NRGBA) float64 {
	f := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*f(c.R) + 0.7152*f(c.G) + 0.0722*f(c.B)
}
