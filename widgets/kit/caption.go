package kit

import (
	"image"
	"image/color"
	"strings"

	"dashboard/render"
	"dashboard/render/text"
)

// Caption is a line of text in a box. If the text is too wide, it shrinks to a minimum size, and after that an ellipsis replaces its end.
// A text that was shown before does not allocate memory.
type Caption struct {
	B      *Builder
	Face   Face
	Least  int // minimum size in px. A text that is still too wide is cut. If Least is the size of the face, the text never shrinks
	Edge   Edge
	Box    image.Rectangle
	Line   text.Line
	Size   int
	Fits   int         // size in px at which the text fits if its group sets no maximum
	Most   int         // maximum size in px that the text's group sets. 0 if the text has no group
	At     image.Point // start of the baseline
	Raw    string
	cut    []byte
	Ink    image.Rectangle
	raised int // distance in px by which the baseline is moved up
}

// Caption returns an empty caption in a box. The maximum size of its text is the size of the face.
func (b *Builder) Caption(f Face, box image.Rectangle, fl Edge) *Caption {
	return &Caption{B: b, Face: f, Least: min(f.Size, max(b.Least(), f.Size*3/4)), Edge: fl, Box: box}
}

// Place moves the text to another box.
func (c *Caption) Place(box image.Rectangle) {
	if box != c.Box {
		c.Box = box
		c.Layout()
	}
}

// Set sets the text and reports whether it changed.
func (c *Caption) Set(s string) bool {
	if s == c.Raw {
		return false
	}
	c.Raw = s
	c.Layout()
	return true
}

// Ellipsis is the end of a text that is cut.
const Ellipsis = "…"

// Layout computes the text size, cuts a text that is too wide, and places the baseline.
func (c *Caption) Layout() {
	cache, w := c.B.Text, c.Box.Dx()
	c.Ink = image.Rectangle{}
	if c.Raw == "" || w <= 0 {
		return
	}
	c.Size = c.Face.Size
	cache.Shape(&c.Line, c.Face.Font, c.Size, c.Raw)
	if c.Line.Width() > w {
		c.Size = max(c.Least, cache.FitWidth(c.Face.Font, c.Raw, c.Face.Size, w))
		cache.Shape(&c.Line, c.Face.Font, c.Size, c.Raw)
	}
	c.Fits = c.Size
	if c.Most > 0 && c.Most < c.Size {
		c.Size = max(c.Most, min(c.Size, c.B.Least()))
		cache.Shape(&c.Line, c.Face.Font, c.Size, c.Raw)
	}
	if c.Line.Width() > w {
		c.shorten(w)
	}
	c.Arrange()
}

// Arrange places the baseline so that letters are vertically centered in the box. If a large text is aligned left, its first letter
// touches the edge of the box.
func (c *Caption) Arrange() {
	m := c.B.Text.Metrics(c.Face.Font, c.Size)
	x := c.Box.Min.X
	switch c.Edge {
	case EdgeStart:
		if c.Face.Size > BigType && c.Raw[0] != ' ' {
			x -= c.Line.Ink().Min.X
		}
		x -= min(0, x-c.Box.Min.X+c.Line.Ink().Min.X) // if ink is left of the box, such as the hook of a j, move the text right
	case EdgeCenter:
		x += (c.Box.Dx() - c.Line.Width()) / 2
	case EdgeEnd:
		x = c.Box.Max.X - c.Line.Width()
	}
	c.At = image.Pt(x, c.Box.Min.Y+(c.Box.Dy()-m.Ascent-m.Descent)/2+m.Ascent-c.raised)
	c.Ink = c.Line.Ink().Add(c.At)
}

// Keep moves the text up or down until it is inside a box. A text that is higher than the box is removed.
func (c *Caption) Keep(in image.Rectangle) {
	switch {
	case c.Ink.Empty() || c.Ink.Min.Y >= in.Min.Y && c.Ink.Max.Y <= in.Max.Y:
	case c.Ink.Dy() > in.Dy():
		c.Set("")
	case c.Ink.Min.Y < in.Min.Y:
		c.Place(c.Box.Add(image.Pt(0, in.Min.Y-c.Ink.Min.Y)))
	default:
		c.Place(c.Box.Add(image.Pt(0, in.Max.Y-c.Ink.Max.Y)))
	}
}

// shorten cuts the text and adds an ellipsis, so that it fits into a width.
func (c *Caption) shorten(w int) {
	low, high := 0, len(c.Raw)
	for low < high {
		mid := (low + high + 1) / 2
		c.shapeCut(mid)
		if c.Line.Width() <= w {
			low = mid
		} else {
			high = mid - 1
		}
	}
	c.shapeCut(low)
}

// shapeCut shapes the first n bytes of the text with an ellipsis. If n is inside a letter, the letter is removed. Spaces and punctuation
// before the ellipsis are also removed.
func (c *Caption) shapeCut(n int) {
	for n > 0 && n < len(c.Raw) && c.Raw[n]&0xc0 == 0x80 {
		n--
	}
	c.cut = append(append(c.cut[:0], strings.TrimRight(c.Raw[:n], " ,.;:")...), Ellipsis...)
	c.B.Text.ShapeBytes(&c.Line, c.Face.Font, c.Size, c.cut)
}

// Shortened reports whether the text does not fit and therefore ends in an ellipsis.
func (c *Caption) Shortened() bool {
	return c.Raw != "" && c.Box.Dx() > 0 && c.B.TextWidth(c.Face, c.Raw)*c.Size > (c.Box.Dx()+c.Size)*c.Face.Size
}

// Limit sets the maximum size of the text, in px. 0 is no limit.
func (c *Caption) Limit(px int) {
	if px != c.Most {
		c.Most = px
		c.Layout()
	}
}

// Width returns the width of the text, in px.
func (c *Caption) Width() int {
	if c.Raw == "" {
		return 0
	}
	return c.Line.Width()
}

// Paint draws the text in a premultiplied color.
func (c *Caption) Paint(cv render.Canvas, col color.RGBA) {
	if !c.Ink.Empty() {
		c.Line.Paint(cv.Dst, cv.Clip, cv.Org.Add(c.At), col)
	}
}

// TextWidth returns the width of a text in a face, in px.
func (b *Builder) TextWidth(f Face, s string) int {
	b.Text.Shape(&b.Scratch, f.Font, f.Size, s)
	return b.Scratch.Width()
}

// TwoLines splits a text into two lines at a space. It chooses the space that allows the largest text size for the width `wide`. The size
// is at most the size of the face. If the size would be below the parameter `least`, or if there is no space, the returned `size` is 0
// and `first` is the whole text. All lengths are in px.
func (b *Builder) TwoLines(f Face, words string, least, wide int) (first, more string, size int) {
	first = words
	fit := func(s string) int { return wide * f.Size / max(1, b.TextWidth(f, s)) }
	for i := strings.LastIndexByte(words, ' '); i > 0; i = strings.LastIndexByte(words[:i], ' ') {
		if px := min(fit(words[:i]), fit(words[i+1:]), f.Size); px > size && px >= least {
			first, more, size = words[:i], words[i+1:], px
		}
	}
	return first, more, size
}

// maxWords is the maximum number of cached texts. It is above the number of minutes of a day, so that a clock can repeat its texts on the
// next day without allocating memory.
const maxWords = 4096

// Word converts a text to a string. The strings are cached, because many texts are shown repeatedly.
func (b *Builder) Word(s []byte) string {
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
