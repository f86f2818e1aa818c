package kit

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strings"

	"dashboard/config/value"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
)

// Face is a font with a size in px, made from a style of the theme.
type Face struct {
	Font *text.Font
	Size int // size in px
	Line int // line height in px
}

// Minimum text sizes in px. Smaller text is unreadable.
const (
	floor    = 11
	inkFloor = 14
)

// Least returns the minimum text size in this tree, in px.
func (b *Builder) Least() int {
	if b.Look.Ink {
		return inkFloor
	}
	return floor
}

// Shorter returns the shorter side of the picture, in px.
func (b *Builder) Shorter() int { return min(b.Picture.X, b.Picture.Y) }

// Px converts a length of the theme to whole px in this picture. A length above zero is at least 1 px.
func (b *Builder) Px(themed float64) int {
	return Whole(themed * look.Lengths(b.Shorter()) * cmp.Or(b.Zoom, 1))
}

// Written converts a length from the widgets file to px in this picture.
func (b *Builder) Written(l value.Length) int { return Whole(float64(l) * b.Scale * cmp.Or(b.Zoom, 1)) }

// Chosen returns the length l of the widgets file in px. If l is nil, it returns the length of the theme.
func (b *Builder) Chosen(l *value.Length, themed float64) int {
	if l != nil {
		return b.Written(*l)
	}
	return b.Px(themed)
}

// Whole rounds a length to whole pixels. A length above 0 is at least 1 px.
func Whole(px float64) int {
	if px <= 0 {
		return 0
	}
	return max(1, int(math.Round(px)))
}

// Role returns the premultiplied color of a role.
func (b *Builder) Role(name string) color.RGBA { return render.Premultiply(b.Look.Colors[name]) }

// Shade returns the premultiplied color of a role, with its opacity multiplied by `share`.
func (b *Builder) Shade(name string, share float64) color.RGBA {
	c := b.Look.Colors[name]
	c.A = uint8(math.Round(float64(c.A) * share))
	return render.Premultiply(c)
}

// Style returns a style of the theme by name. It reports an unknown name.
func (b *Builder) Style(s *Spec, name string) look.Style {
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
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Face returns the face of the named style.
func (b *Builder) Face(name string) Face { return b.FaceOf(name, b.Look.Styles[name]) }

// FaceOf returns the face of style st. The size is scaled to the picture in the same way as the theme's style with the given name.
func (b *Builder) FaceOf(name string, st look.Style) Face {
	return b.FaceAt(st, Whole(st.Size*look.Type(name, b.Shorter())*b.textScale()*cmp.Or(b.Zoom, 1)))
}

// textScale returns the factor that the configuration sets for all text.
func (b *Builder) textScale() float64 {
	if b.Scale <= 0 {
		return 1
	}
	return b.TextScale / b.Scale
}

// BigType is a text size in px. Text of this size or larger uses the font's display letterforms, and its digits have different widths. On
// walls whose shorter side is above 720 px, the display letterforms begin at a proportionally larger size.
const BigType = 32

// FaceAt returns the face of a style at a size in px. It raises a smaller size to the minimum text size. From the size BigType on, digits
// have different widths, because digits of equal width would have gaps around a large 1.
func (b *Builder) FaceAt(st look.Style, px int) Face { return b.faceAt(st, px, false) }

// Ticking is like FaceAt, but all digits have the same width at every size. It is for digits that change each second.
func (b *Builder) Ticking(st look.Style, px int) Face { return b.faceAt(st, px, true) }

func (b *Builder) faceAt(st look.Style, px int, ticks bool) Face {
	px = max(px, b.Least())
	tabular := false
	var features []string
	for _, f := range st.Features {
		if f == "tnum" {
			tabular = ticks || px < BigType
		} else {
			features = append(features, f)
		}
	}
	line := st.Line
	if line == 0 {
		line = 1.3
	}
	seen := float64(px) / max(1, look.Lengths(b.Shorter()))
	return Face{
		Font: b.Text.Style(b.typeface(), text.Style{
			Weight: st.Weight, Optical: min(int(seen), BigType), Tracking: int(math.Round(st.Tracking * 1000)),
			Features: strings.Join(features, " "), Tabular: tabular,
		}),
		Size: px, Line: max(px, int(math.Round(float64(px)*line))),
	}
}

// Prose returns the face of the named style for text that does not change. Its digits have different widths.
func (b *Builder) Prose(name string) Face {
	st := b.Look.Styles[name]
	st.Features = slices.DeleteFunc(slices.Clone(st.Features), func(f string) bool { return f == "tnum" })
	return b.FaceOf(name, st)
}

// MostSteps is the maximum number of styles by which the text of a widget may grow to use free room.
const MostSteps = 2

// Risen returns the face of a style in the size of another style. The parameter `steps` is the distance between the two styles. For
// example, the style "body" gets the size of "title" with 1, of "headline" with 2, and of "caption" with −1. The size of "headline" is
// the maximum. If `st` has another size than the theme's style with this name, Risen returns the face of `st`.
func (b *Builder) Risen(name string, st look.Style, steps int) Face {
	names := look.StyleNames()
	i := slices.Index(names, name)
	if steps == 0 || i < 0 || b.Look.Styles[name].Size != st.Size {
		return b.FaceOf(name, st)
	}
	larger := min(max(0, i+steps), slices.Index(names, "headline"))
	if steps > 0 && larger <= i {
		return b.FaceOf(name, st)
	}
	up := b.Look.Styles[names[larger]]
	st.Size, st.Tracking, st.Line = up.Size, up.Tracking, up.Line
	return b.FaceOf(names[larger], st)
}

// typeface() returns the font of the theme.
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
		f = text.Inter() // the check of the theme has already reported the error
	}
	b.fonts[b.Look.Typeface] = f
	return f
}

// Typed returns the face for the text parameters of a widget. `usual` is the default style.
func (b *Builder) Typed(s *Spec, t *Typed, usual string) Face {
	name := usual
	if t.Style != "" {
		name = t.Style
	}
	st := b.Style(s, name)
	if t.Weight != nil {
		st.Weight = int(*t.Weight)
	}
	if t.TextSize > 0 {
		return b.FaceAt(st, b.Written(t.TextSize))
	}
	return b.FaceOf(name, st)
}

// Tint returns c with its opacity multiplied by `share`, for areas behind content.
func Tint(c color.RGBA, share float64) color.RGBA {
	f := func(v uint8) uint8 { return uint8(math.Round(float64(v) * share)) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), f(c.A)}
}

// Edge is the horizontal alignment of a text in its box.
type Edge uint8

// Alignments of a text.
const (
	EdgeStart Edge = iota
	EdgeCenter
	EdgeEnd
)

// EdgeOf returns the edge for a value of the parameter `align`. In languages that are written from right to left, "start" is on the right.
func (b *Builder) EdgeOf(align string) Edge {
	f := map[string]Edge{"": EdgeStart, "start": EdgeStart, "center": EdgeCenter, "end": EdgeEnd, "left": EdgeStart, "right": EdgeEnd}[align]
	mirrored := b.Locale.RightToLeft && (align == "" || align == "start" || align == "end")
	if mirrored && f != EdgeCenter {
		return EdgeEnd - f
	}
	return f
}
