package piece

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
)

// Snippet is a line of text with a fixed size. If the text does not fit, an ellipsis replaces its end. Unlike a Caption, a Snippet takes
// bytes. A text whose words were shown before does not allocate memory.
type Snippet struct {
	B    *kit.Builder
	Face kit.Face
	Edge kit.Edge
	Box  image.Rectangle
	Line text.Line
	Raw  []byte
	Cut  []byte
	At   image.Point // start of the baseline
	Ink  image.Rectangle
}

// NewSnippet returns an empty text.
func NewSnippet(b *kit.Builder, f kit.Face, e kit.Edge) Snippet {
	return Snippet{B: b, Face: f, Edge: e}
}

// Set sets the text and reports whether it changed.
func (c *Snippet) Set(s []byte) bool {
	if string(s) == string(c.Raw) {
		return false
	}
	c.Raw = append(c.Raw[:0], s...)
	c.Layout()
	return true
}

// Dress sets the face of the text.
func (c *Snippet) Dress(f kit.Face) {
	if f != c.Face {
		c.Face = f
		c.Layout()
	}
}

// Place moves the text to another box.
func (c *Snippet) Place(box image.Rectangle) {
	if box == c.Box {
		return
	}
	same := box.Dx() == c.Box.Dx()
	c.Box = box
	if same {
		c.Arrange()
		return
	}
	c.Layout()
}

// Want returns the width of the complete text, in px.
func (c *Snippet) Want() int {
	if len(c.Raw) == 0 {
		return 0
	}
	c.B.Text.ShapeBytes(&c.Line, c.Face.Font, c.Face.Size, c.Raw)
	w := c.Line.Width()
	c.Layout()
	return w
}

// Layout places the text again after a change of its box or its face.
func (c *Snippet) Layout() {
	c.Ink = image.Rectangle{}
	w := c.Box.Dx()
	if len(c.Raw) == 0 || w <= 0 {
		return
	}
	c.B.Text.ShapeBytes(&c.Line, c.Face.Font, c.Face.Size, c.Raw)
	if c.Line.Width() > w {
		c.shorten(w)
	}
	c.Arrange()
}

// shorten cuts the text and adds an ellipsis, so that it fits into a width.
func (c *Snippet) shorten(w int) {
	low, high := 0, len(c.Raw)-1
	for low < high {
		mid := (low + high + 1) / 2
		if c.shape(mid); c.Line.Width() <= w {
			low = mid
		} else {
			high = mid - 1
		}
	}
	c.shape(low)
}

// shape() shapes the first n bytes of the text with an ellipsis. If n is inside a letter, the letter is removed. Spaces and commas before
// the ellipsis are also removed.
func (c *Snippet) shape(n int) {
	for n > 0 && n < len(c.Raw) && c.Raw[n]&0xc0 == 0x80 {
		n--
	}
	for n > 0 && (c.Raw[n-1] == ' ' || c.Raw[n-1] == ',') {
		n--
	}
	c.Cut = append(append(c.Cut[:0], c.Raw[:n]...), kit.Ellipsis...)
	c.B.Text.ShapeBytes(&c.Line, c.Face.Font, c.Face.Size, c.Cut)
}

// Arrange places the baseline of the text in the box.
func (c *Snippet) Arrange() {
	if len(c.Raw) == 0 || c.Box.Dx() <= 0 {
		return
	}
	m := c.B.Text.Metrics(c.Face.Font, c.Face.Size)
	x := c.Box.Min.X
	switch c.Edge {
	case kit.EdgeStart:
		if c.Face.Size > kit.BigType && c.Raw[0] != ' ' {
			x -= c.Line.Ink().Min.X
		}
	case kit.EdgeCenter:
		x += (c.Box.Dx() - c.Line.Width()) / 2
	case kit.EdgeEnd:
		x = c.Box.Max.X - max(c.Line.Width(), c.Line.Ink().Max.X) // the last letter, such as k, may be wider than its advance
	}
	c.At = image.Pt(x, c.Box.Min.Y+(c.Box.Dy()-m.Ascent-m.Descent)/2+m.Ascent)
	c.Ink = c.Line.Ink().Add(c.At)
}

// Width returns the width of the shown text, in px. The shown text may be cut.
func (c *Snippet) Width() int {
	if len(c.Raw) == 0 || c.Box.Dx() <= 0 {
		return 0
	}
	return c.Line.Width()
}

// Paint draws the text in a premultiplied color.
func (c *Snippet) Paint(cv render.Canvas, col color.RGBA) {
	if !c.Ink.Empty() && cv.Sees(c.Ink) {
		c.Line.Paint(cv.Dst, cv.Clip, cv.Org.Add(c.At), col)
	}
}
