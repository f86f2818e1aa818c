package kit

import (
	"image/color"
	"math"

	"dashboard/render"
	"dashboard/theme/look"
)

// PhotoTint holds the colors that translucent cards take from the photo behind them. The zero value has no colors. Only the goroutine
// that updates a tree may use it.
type PhotoTint struct {
	seq     int // number of the current photo
	surface color.RGBA
	accent  color.RGBA
}

// photoContrast is the minimum contrast between an accent color and its card.
const photoContrast = 4.5

// TintBy gives translucent cards the colors of a photo, if the theme blurs the content behind them. The colors must be sorted by frequency.
// A card keeps the opacity of the theme, and becomes at most as bright as in the theme, so that its texts stay readable. Icons get the most
// vivid color.
func (b *Builder) TintBy(colors []color.RGBA) {
	surface, ok := b.Look.Colors["surface"]
	if !ok || surface.A == 255 || b.Look.Sizes.Blur == 0 || len(colors) == 0 || colors[0].A == 0 {
		return
	}
	opaque := surface
	opaque.A = 255
	tint := asBright(opaqueOf(colors[0]), look.Luminance(opaque))
	tint.A = surface.A
	b.Photo.surface = render.Premultiply(tint)
	b.Photo.accent = render.Premultiply(apart(opaqueOf(vivid(colors)), opaque))
	b.Photo.seq++
}

// leastVivid is the minimum difference between the channels of an accent color. In a gray picture, no color reaches this difference.
const leastVivid = 40

// AccentOf returns the most vivid color of a picture, changed until it has enough contrast on a card. If no color is vivid enough, or on
// a display with few inks, AccentOf returns the accent of the theme.
func (b *Builder) AccentOf(colors []color.RGBA) color.RGBA {
	if len(colors) == 0 || b.Look.Ink {
		return b.Role("accent")
	}
	c := vivid(colors)
	if int(max(c.R, c.G, c.B))-int(min(c.R, c.G, c.B)) < leastVivid {
		return b.Role("accent")
	}
	ground := b.Look.Colors["surface"]
	ground.A = 255
	return render.Premultiply(apart(opaqueOf(c), ground))
}

func opaqueOf(c color.RGBA) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, 255} }

// asBright returns c with at most the given luminance. If necessary, it darkens the color.
func asBright(c color.NRGBA, luminance float64) color.NRGBA {
	low, high := 0.0, 1.0
	for range 12 { // 12 bisections are exact for 8-bit channels
		mid := (low + high) / 2
		if look.Luminance(scaled(c, mid)) > luminance {
			high = mid
		} else {
			low = mid
		}
	}
	return scaled(c, low)
}

func scaled(c color.NRGBA, by float64) color.NRGBA {
	f := func(v uint8) uint8 { return uint8(math.Round(float64(v) * by)) }
	return color.NRGBA{f(c.R), f(c.G), f(c.B), 255}
}

// vivid() returns the color with the largest difference between its channels.
func vivid(colors []color.RGBA) (best color.RGBA) {
	most := -1
	for _, c := range colors {
		if v := int(max(c.R, c.G, c.B)) - int(min(c.R, c.G, c.B)); v > most {
			best, most = c, v
		}
	}
	return best
}

// apart() mixes c with white or black until its contrast to `ground` is high enough.
func apart(c, ground color.NRGBA) color.NRGBA {
	toward := color.NRGBA{255, 255, 255, 255}
	if look.Luminance(ground) > 0.18 {
		toward = color.NRGBA{A: 255}
	}
	for i := range 33 {
		share := float64(i) / 32
		f := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
		mixed := color.NRGBA{f(c.R, toward.R), f(c.G, toward.G), f(c.B, toward.B), 255}
		if look.Contrast(mixed, ground) >= photoContrast {
			return mixed
		}
	}
	return toward
}

// takeTint gives a translucent card the colors of the current photo.
func (w *Frame) takeTint(t render.Tick) {
	p := w.b.Photo
	if w.frost == nil || p == nil || w.tinted == p.seq {
		return
	}
	w.tinted, w.surface.Color = p.seq, p.surface
	if w.Head != nil && w.tint.A == 0 { // the icon of a tinted card has the color of its tint
		w.Head.iconInk = p.accent
		w.Head.Load(w.b)
	}
	t.DamageAll()
}
