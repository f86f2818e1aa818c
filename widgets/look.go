package widgets

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"dashboard/config/value"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
)

// face is a style of type at the size of this picture.
type face struct {
	font *text.Font
	size int // px
	line int // px from one line to the next
}

// floors are the smallest sizes, px, at which text is drawn: what is smaller nobody reads.
const (
	floor    = 11
	inkFloor = 14
)

// least is the smallest size of text in this tree.
func (b *Builder) least() int {
	if b.Look.Ink {
		return inkFloor
	}
	return floor
}

// shorter is the shorter side of the picture, px.
func (b *Builder) shorter() int { return min(b.Picture.X, b.Picture.Y) }

// px is a length of the theme in this picture: whole px, and never less than one if it is above zero.
func (b *Builder) px(themed float64) int { return whole(themed * look.Lengths(b.shorter())) }

// written is a length of the widgets file in this picture.
func (b *Builder) written(l value.Length) int { return whole(float64(l) * b.Scale) }

// chosen is a length of the widgets file or, where there is none, of the theme.
func (b *Builder) chosen(l *value.Length, themed float64) int {
	if l != nil {
		return b.written(*l)
	}
	return b.px(themed)
}

func whole(px float64) int {
	if px <= 0 {
		return 0
	}
	return max(1, int(math.Round(px)))
}

// role is the color of a role, premultiplied.
func (b *Builder) role(name string) color.RGBA { return render.Premultiply(b.Look.Colors[name]) }

// shade is a role's color with a share of opacity, premultiplied.
func (b *Builder) shade(name string, share float64) color.RGBA {
	c := b.Look.Colors[name]
	c.A = uint8(math.Round(float64(c.A) * share))
	return render.Premultiply(c)
}

// style returns a style of the theme by name, and reports one that there is not.
func (b *Builder) style(s *Spec, name string) look.Style {
	st, ok := b.Look.Styles[name]
	if !ok {
		s.Errorf("style", "'%s' is no style of the theme; there are %s", name, strings.Join(styleNames(b.Look), ", "))
		return b.Look.Styles["body"]
	}
	return st
}

func styleNames(l *look.Look) []string {
	names := look.StyleNames()
	for name := range l.Styles {
		if !contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// face is a style by name in this picture.
func (b *Builder) face(name string) face { return b.faceOf(name, b.Look.Styles[name]) }

func (b *Builder) faceOf(name string, st look.Style) face {
	return b.faceAt(st, whole(st.Size*look.Type(name, b.shorter())*b.textScale()))
}

// textScale is what the configuration multiplies all text by.
func (b *Builder) textScale() float64 {
	if b.Scale <= 0 {
		return 1
	}
	return b.TextScale / b.Scale
}

// bigType is the size, px, from which letters are drawn as those of a display.
const bigType = 32

// faceAt is a style at a size in px.
func (b *Builder) faceAt(st look.Style, px int) face {
	px = max(px, b.least())
	tabular := false
	var features []string
	for _, f := range st.Features {
		if f == "tnum" {
			tabular = true
		} else {
			features = append(features, f)
		}
	}
	line := st.Line
	if line == 0 {
		line = 1.3
	}
	return face{
		font: b.Text.Style(b.typeface(), text.Style{
			Weight: st.Weight, Optical: min(px, bigType), Tracking: int(math.Round(st.Tracking * 1000)),
			Features: strings.Join(features, " "), Tabular: tabular,
		}),
		size: px, line: max(px, int(math.Round(float64(px)*line))),
	}
}

// prose is a style by name for words that stay as they are: its digits have their own widths.
func (b *Builder) prose(name string) face {
	st := b.Look.Styles[name]
	st.Features = slices.DeleteFunc(slices.Clone(st.Features), func(f string) bool { return f == "tnum" })
	return b.faceOf(name, st)
}

// typeface is the theme's font.
func (b *Builder) typeface() *text.Font {
	switch b.Look.Typeface {
	case "", "inter":
		return text.Inter()
	case "liberation":
		return text.Liberation()
	}
	if f, ok := b.fonts[b.Look.Typeface]; ok && f != nil {
		return f
	}
	f, err := b.Text.Open(b.Files, b.Look.Typeface)
	if err != nil {
		f = text.Inter() // the theme's check has told why
	}
	b.fonts[b.Look.Typeface] = f
	return f
}

// typed is the face that a widget's parameters ask for: a style by name, its weight and size changed.
func (b *Builder) typed(s *Spec, t *Typed, usual string) face {
	name := usual
	if t.Style != "" {
		name = t.Style
	}
	st := b.style(s, name)
	if t.Weight != nil {
		st.Weight = int(*t.Weight)
	}
	if t.TextSize > 0 {
		return b.faceAt(st, b.written(t.TextSize))
	}
	return b.faceOf(name, st)
}

// tint returns a color with less opacity, for what stands on it.
func tint(c color.RGBA, share float64) color.RGBA {
	f := func(v uint8) uint8 { return uint8(math.Round(float64(v) * share)) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}

// edge is where a text stands in its box from left to right.
type edge uint8

// The flows.
const (
	edgeStart edge = iota
	edgeCenter
	edgeEnd
)

// edgeOf reads the words of align. Start is right in languages from right to left.
func (b *Builder) edgeOf(align string) edge {
	f := map[string]edge{"": edgeStart, "start": edgeStart, "center": edgeCenter, "end": edgeEnd, "left": edgeStart, "right": edgeEnd}[align]
	mirrored := b.Locale.RightToLeft && (align == "" || align == "start" || align == "end")
	if mirrored && f != edgeCenter {
		return edgeEnd - f
	}
	return f
}
