package widgets

import (
	"image"
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

// caption is one line of text in a box: it shrinks to its least size and then ends in an ellipsis. It allocates nothing
// for texts whose words are known.
type caption struct {
	b      *Builder
	face   face
	least  int // px, below which it is cut; the face's size if it must not shrink
	edge   edge
	box    image.Rectangle
	line   text.Line
	size   int
	fits   int         // px, the size that the text has by itself
	most   int         // px, that of its group; 0 for none
	at     image.Point // the baseline's start
	raw    string
	cut    []byte
	ink    image.Rectangle
	raised int // px that the baseline stands higher than in the middle
}

// caption returns an empty line of text in a box, at the size of the face or smaller.
func (b *Builder) caption(f face, box image.Rectangle, fl edge) *caption {
	return &caption{b: b, face: f, least: min(f.size, max(b.least(), f.size*3/4)), edge: fl, box: box}
}

// place moves the text to another box.
func (c *caption) place(box image.Rectangle) {
	if box != c.box {
		c.box = box
		c.layout()
	}
}

// set shows another text and reports whether it is another one.
func (c *caption) set(s string) bool {
	if s == c.raw {
		return false
	}
	c.raw = s
	c.layout()
	return true
}

const ellipsis = "…"

// layout finds the size, cuts what is too long, and places the baseline.
func (c *caption) layout() {
	cache, w := c.b.Text, c.box.Dx()
	c.ink = image.Rectangle{}
	if c.raw == "" || w <= 0 {
		return
	}
	c.size = c.face.size
	cache.Shape(&c.line, c.face.font, c.size, c.raw)
	if c.line.Width() > w {
		c.size = max(c.least, cache.FitWidth(c.face.font, c.raw, c.face.size, w))
		cache.Shape(&c.line, c.face.font, c.size, c.raw)
	}
	c.fits = c.size
	if c.most > 0 && c.most < c.size {
		c.size = max(c.most, min(c.size, c.b.least()))
		cache.Shape(&c.line, c.face.font, c.size, c.raw)
	}
	if c.line.Width() > w {
		c.shorten(w)
	}
	c.arrange()
}

// arrange places the baseline: the middle of small letters' and capitals' height in the middle of the box. Large type begins
// at the box with its ink.
func (c *caption) arrange() {
	m := c.b.Text.Metrics(c.face.font, c.size)
	x := c.box.Min.X
	switch c.edge {
	case edgeStart:
		if c.face.size > bigType && c.raw[0] != ' ' {
			x -= c.line.Ink().Min.X
		}
	case edgeCenter:
		x += (c.box.Dx() - c.line.Width()) / 2
	case edgeEnd:
		x = c.box.Max.X - c.line.Width()
	}
	c.at = image.Pt(x, c.box.Min.Y+(c.box.Dy()-m.Ascent-m.Descent)/2+m.Ascent-c.raised)
	c.ink = c.line.Ink().Add(c.at)
}

// shorten cuts the text to what fits before an ellipsis.
func (c *caption) shorten(w int) {
	low, high := 0, len(c.raw)
	for low < high {
		mid := (low + high + 1) / 2
		c.shapeCut(mid)
		if c.line.Width() <= w {
			low = mid
		} else {
			high = mid - 1
		}
	}
	c.shapeCut(low)
}

// shapeCut shapes the first n bytes, whole letters of them, and an ellipsis.
func (c *caption) shapeCut(n int) {
	for n > 0 && n < len(c.raw) && c.raw[n]&0xc0 == 0x80 {
		n--
	}
	c.cut = append(append(c.cut[:0], strings.TrimRight(c.raw[:n], " ,.;:")...), ellipsis...)
	c.b.Text.ShapeBytes(&c.line, c.face.font, c.size, c.cut)
}

// shortened reports whether the text ends in an ellipsis, for want of room.
func (c *caption) shortened() bool {
	return c.raw != "" && c.box.Dx() > 0 && c.b.textWidth(c.face, c.raw)*c.size > (c.box.Dx()+c.size)*c.face.size
}

// limit gives the text at most the size of its group, px; 0 is any.
func (c *caption) limit(px int) {
	if px != c.most {
		c.most = px
		c.layout()
	}
}

// width is how wide the text is, px.
func (c *caption) width() int {
	if c.raw == "" {
		return 0
	}
	return c.line.Width()
}

// paint draws the text in a color, premultiplied.
func (c *caption) paint(cv render.Canvas, col color.RGBA) {
	if !c.ink.Empty() {
		c.line.Paint(cv.Dst, cv.Clip, cv.Org.Add(c.at), col)
	}
}

// textWidth is how wide a text is in a face, px.
func (b *Builder) textWidth(f face, s string) int {
	b.Text.Shape(&b.scratch, f.font, f.size, s)
	return b.scratch.Width()
}

// twoLines splits words between two of them into two lines of one size, px, the largest in which both have room in a width; size is 0,
// and first is all, where it would be below the least.
func (b *Builder) twoLines(f face, words string, least, wide int) (first, more string, size int) {
	first = words
	fit := func(s string) int { return wide * f.size / max(1, b.textWidth(f, s)) }
	for i := strings.LastIndexByte(words, ' '); i > 0; i = strings.LastIndexByte(words[:i], ' ') {
		if px := min(fit(words[:i]), fit(words[i+1:]), f.size); px > size && px >= least {
			first, more, size = words[:i], words[i+1:], px
		}
	}
	return first, more, size
}

// maxWords bounds the texts that are kept so that showing them again allocates nothing: the minutes of a day, and more.
const maxWords = 4096

// word returns a text that is shown again and again as a string.
func (b *Builder) word(s []byte) string {
	if w, ok := b.spoken[string(s)]; ok {
		return w
	}
	if len(b.spoken) >= maxWords {
		clear(b.spoken)
	}
	w := string(s)
	b.spoken[w] = w
	return w
}
