package kit

import (
	"fmt"
	"image/color"

	"dashboard/config"
	"dashboard/theme"
	"dashboard/theme/look"
)

// leastContrast is the minimum contrast between a text and its background, which WCAG 2.2 requires for large text (section 1.4.3).
const leastContrast = 3.0

// A ground is the background behind the content of a widget. The zero value is the background of the wall.
type ground struct {
	color  *color.NRGBA // color of the card or of the widget's background. nil for the wall's background
	unseen bool         // true if the color is unknown, because the background is a picture, a gradient, or other widgets of a stack
}

// ground() returns the background behind the content of a frame.
func (w *Frame) ground(c *Common, here within, stacked bool) ground {
	g := here.ground
	switch back := c.Background; {
	case back == nil:
	case back.Color != nil && back.Color.A == 255:
		g = ground{color: &back.Color.NRGBA}
	default:
		g = ground{unseen: true}
	}
	if surface := w.b.Look.Colors["surface"]; w.surface.Color.A == 255 {
		g = ground{color: &surface}
	} else if w.surface.Color.A > 0 {
		g = ground{unseen: true}
	}
	g.unseen = g.unseen || stacked
	return g
}

// legibleColor warns about a text color that has too little contrast with the background.
func (b *Builder) legibleColor(s *Spec, key string, c *config.Live[theme.RoleColor]) {
	g := b.Within.ground
	if c == nil || c.IsLive() || c.Plain.A < 255 || g.unseen {
		return
	}
	under := b.Look.Colors["background"]
	if g.color != nil {
		under = *g.color
	}
	if got := look.Contrast(c.Plain.NRGBA, under); got < leastContrast {
		s.Warnf(key, "%s on %s behind it has a contrast of %.1f:1, less than %.1f:1: its text is hard to read", hexColor(c.Plain.NRGBA), hexColor(under), got, leastContrast)
	}
}

func hexColor(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Lettered is implemented by parameters that include the text parameters.
type Lettered interface{ Lettering() *Typed }

// Lettering returns the text parameters.
func (t *Typed) Lettering() *Typed { return t }

// legible() warns about a text color or a text size that makes the widget's text hard to read.
func (b *Builder) legible(s *Spec, params any) {
	l, ok := params.(Lettered)
	if !ok {
		return
	}
	t := l.Lettering()
	b.legibleColor(s, "color", t.Color)
	if px := b.Written(t.TextSize); t.TextSize > 0 && px < b.Least() {
		b.smallText(s, px, fmt.Sprintf("; it is drawn at %d px", b.Least()))
	}
}

// smallText warns about a text size that is too small for the picture. The parameter `instead` is a text that is appended to the message.
func (b *Builder) smallText(s *Spec, px int, instead string) {
	s.Warnf("text_size", "is %d px in a picture of %dx%d, less than the %d px that can be read%s", px, b.Picture.X, b.Picture.Y, b.Least(), instead)
}
