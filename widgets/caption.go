package widgets

import (
	"image"
	"image/color"
	"strings"

	"dashboard/render"
	"dashboard/render/text"
)

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
