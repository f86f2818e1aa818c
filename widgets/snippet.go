package widgets

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/render/text"
)

// snippet is one line of text at one size, which ends in an ellipsis where it does not fit. Unlike a caption it takes
// bytes, and allocates nothing for texts whose words are known.
type snippet struct {
	b    *Builder
	face face
	edge edge
	box  image.Rectangle
	line text.Line
	raw  []byte
	cut  []byte
	at   image.Point // the baseline's start
	ink  image.Rectangle
}

// snippet returns an empty text.
func (b *Builder) snippet(f face, e edge) snippet { return snippet{b: b, face: f, edge: e} }

// set shows another text and reports whether it is another one.
func (c *snippet) set(s []byte) bool {
	if string(s) == string(c.raw) {
		return false
	}
	c.raw = append(c.raw[:0], s...)
	c.layout()
	return true
}

// dress gives the text another face.
func (c *snippet) dress(f face) {
	if f != c.face {
		c.face = f
		c.layout()
	}
}

// place moves the text to another box.
func (c *snippet) place(box image.Rectangle) {
	if box == c.box {
		return
	}
	same := box.Dx() == c.box.Dx()
	c.box = box
	if same {
		c.arrange()
		return
	}
	c.layout()
}

// want is how wide the whole text is, px.
func (c *snippet) want() int {
	if len(c.raw) == 0 {
		return 0
	}
	c.b.Text.ShapeBytes(&c.line, c.face.font, c.face.size, c.raw)
	w := c.line.Width()
	c.layout()
	return w
}

func (c *snippet) layout() {
	c.ink = image.Rectangle{}
	w := c.box.Dx()
	if len(c.raw) == 0 || w <= 0 {
		return
	}
	c.b.Text.ShapeBytes(&c.line, c.face.font, c.face.size, c.raw)
	if c.line.Width() > w {
		c.shorten(w)
	}
	c.arrange()
}

// shorten cuts the text to what fits before an ellipsis.
func (c *snippet) shorten(w int) {
	low, high := 0, len(c.raw)-1
	for low < high {
		mid := (low + high + 1) / 2
		if c.shape(mid); c.line.Width() <= w {
			low = mid
		} else {
			high = mid - 1
		}
	}
	c.shape(low)
}

// shape shapes the first n bytes, whole letters of them, and an ellipsis.
func (c *snippet) shape(n int) {
	for n > 0 && n < len(c.raw) && c.raw[n]&0xc0 == 0x80 {
		n--
	}
	for n > 0 && (c.raw[n-1] == ' ' || c.raw[n-1] == ',') {
		n--
	}
	c.cut = append(append(c.cut[:0], c.raw[:n]...), ellipsis...)
	c.b.Text.ShapeBytes(&c.line, c.face.font, c.face.size, c.cut)
}

// arrange places the baseline.
func (c *snippet) arrange() {
	if len(c.raw) == 0 || c.box.Dx() <= 0 {
		return
	}
	m := c.b.Text.Metrics(c.face.font, c.face.size)
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
	c.at = image.Pt(x, c.box.Min.Y+(c.box.Dy()-m.Ascent-m.Descent)/2+m.Ascent)
	c.ink = c.line.Ink().Add(c.at)
}

// width is how wide the text is as it stands, px.
func (c *snippet) width() int {
	if len(c.raw) == 0 || c.box.Dx() <= 0 {
		return 0
	}
	return c.line.Width()
}

// paint draws the text in a color, premultiplied.
func (c *snippet) paint(cv render.Canvas, col color.RGBA) {
	if !c.ink.Empty() && cv.Sees(c.ink) {
		c.line.Paint(cv.Dst, cv.Clip, cv.Org.Add(c.at), col)
	}
}
