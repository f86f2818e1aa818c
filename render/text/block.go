package text

import (
	"bytes"
	"image"
	"image/color"

	"github.com/go-text/typesetting/segmenter"
)

// Options set the layout of a Block.
type Options struct {
	Font *Font // nil is Default()

	// Size is the largest size in pixels. If Size is 0, the text may grow to the height inside the padding. If the text does not
	// fit, it gets smaller.
	Size int

	Box     image.Point // width and height of the block. Nothing is painted outside of it
	Padding int         // distance from each edge of the box, in pixels

	Align  Align
	VAlign VAlign

	// Wrap breaks lines between words before it shrinks the text, where the Unicode line breaking algorithm (UAX 14) allows it. The
	// text shrinks until no word is wider than a line.
	Wrap bool

	// Ellipsis shortens the text if it would have to shrink below Size, or below minLegible if Size is 0. Lines that are too wide
	// end with an ellipsis, and excess lines are dropped. Without Ellipsis the text shrinks to one pixel and is then clipped by the
	// box.
	Ellipsis bool

	// Least is the minimum size of the text, below which it is cut with an ellipsis. 0 means Size. It requires Ellipsis.
	Least int

	// Lines bounds the lines of the text. If Lines is 0, only the height of the box bounds them.
	Lines int
}

// minLegible is the size in pixels below which an ellipsis is more useful than text: small print at arm's length on a
// 100 dpi screen.
const minLegible = 10

// Block is text fitted into a box. A single line gets the size and the place that the text widget of Grydgets gives it. Only a
// line at the bottom is raised, so that its descenders fit. A Block belongs to one goroutine.
type Block struct {
	c     *Cache
	o     Options
	w, h  int // size inside the padding. May be negative
	raw   []byte
	clean []byte
	size  int
	rows  []row
	ink   image.Rectangle

	// Working memory of the wrapping step.
	words    segmenter.Segmenter
	units    []unit
	segments []*segment
	spans    []span
}

// row is a line of a block, with the start of its baseline.
type row struct {
	line Line
	at   image.Point
}

// span is the part of the clean text that a line shows: clean[start:end]. A part of a right-to-left paragraph also runs from right
// to left, whatever its letters are.
type span struct {
	start, end int
	rtl        bool
}

// NewBlock returns an empty block.
func NewBlock(c *Cache, o Options) *Block {
	if o.Font == nil {
		o.Font = Default()
	}
	return &Block{c: c, o: o, w: o.Box.X - 2*o.Padding, h: o.Box.Y - 2*o.Padding}
}

// Set lays out s and reports whether it differs from the previous text. It allocates nothing if s has one line, or lines without
// Wrap, and all its words are in the cache.
func (b *Block) Set(s string) (changed bool) {
	if string(b.raw) == s {
		return false
	}
	b.raw = append(b.raw[:0], s...)
	b.layout()
	return true
}

// SetBytes is Set for bytes. It keeps no reference to s.
func (b *Block) SetBytes(s []byte) (changed bool) {
	if bytes.Equal(b.raw, s) {
		return false
	}
	b.raw = append(b.raw[:0], s...)
	b.layout()
	return true
}

// SetSize changes Options.Size and lays the text out again. It reports whether anything changed.
func (b *Block) SetSize(px int) (changed bool) {
	if b.o.Size == px {
		return false
	}
	b.o.Size = px
	b.layout()
	return true
}

// Size returns the size of the text in pixels, or 0 if there is no text.
func (b *Block) Size() int { return b.size }

// Lines returns the number of lines of the text.
func (b *Block) Lines() int { return len(b.rows) }

// Ink returns the smallest rectangle that contains every pixel the block paints, relative to the box's top left corner.
func (b *Block) Ink() image.Rectangle { return b.ink }

// Paint blends the text in a premultiplied color onto dst, within clip. The box's top left corner is at org.
func (b *Block) Paint(dst *image.RGBA, clip image.Rectangle, org image.Point, col color.RGBA) {
	if b.late() {
		b.layout()
	}
	clip = clip.Intersect(b.ink.Add(org))
	for i := range b.rows {
		r := &b.rows[i]
		r.line.Paint(dst, clip, org.Add(r.at), col)
	}
}

// late reports whether the text was laid out without fonts that are loaded now.
func (b *Block) late() bool {
	for i := range b.rows {
		if b.rows[i].line.late() {
			return true
		}
	}
	return false
}

// layout computes lines, size and places of raw.
func (b *Block) layout() {
	b.clean = appendClean(b.clean[:0], b.raw)
	b.clean = bytes.TrimRight(b.clean, "\n") // a final line break ends a line and does not begin another
	b.size = 0
	b.ink = image.Rectangle{}
	b.paragraphs()
	switch {
	case len(b.clean) == 0:
		b.spans = b.spans[:0]
		b.fill()
		return
	case b.o.Wrap:
		b.wrap()
	default:
		b.fill()
		b.size = b.fitRows()
	}
	if b.o.Ellipsis {
		b.shorten()
	}
	b.arrange()
}

// paragraphs makes one span for every line of the text.
func (b *Block) paragraphs() {
	b.spans = b.spans[:0]
	for start := 0; start <= len(b.clean) && len(b.spans) < maxLines; {
		end := bytes.IndexByte(b.clean[start:], '\n')
		if end < 0 {
			end = len(b.clean)
		} else {
			end += start
		}
		b.spans = append(b.spans, span{start: start, end: end})
		start = end + 1
	}
}

// fill makes one row for every span. It reuses existing rows.
func (b *Block) fill() {
	for len(b.rows) < len(b.spans) {
		if len(b.rows) < cap(b.rows) {
			b.rows = b.rows[:len(b.rows)+1]
		} else {
			b.rows = append(b.rows, row{})
		}
	}
	b.rows = b.rows[:len(b.spans)]
	for i, s := range b.spans {
		b.rows[i].set(b, b.clean[s.start:s.end], s.rtl)
	}
}

// set computes the segments of a row.
func (r *row) set(b *Block, text []byte, rtl bool) {
	const rightToLeftMark = "\u200f"
	l := &r.line
	l.clean = l.clean[:0]
	if rtl && !rightToLeft(text) {
		l.clean = append(l.clean, rightToLeftMark...)
	}
	l.clean = append(l.clean, text...)
	l.cut(b.c, b.o.Font, l.clean)
}

// arrange positions the rows at the chosen size and computes their ink.
func (b *Block) arrange() {
	p := b.o.Padding
	m := b.o.Font.Metrics(b.size)
	for i := range b.rows {
		b.rows[i].line.place(b.size)
	}
	height := b.size - m.Descent + (len(b.rows)-1)*m.LineHeight // distance to the last baseline
	y := p + b.size - m.Descent
	switch b.o.VAlign {
	case Middle:
		y += (b.h - height) / 2
	case Bottom:
		y += b.h - height - b.lift()
	}
	for i := range b.rows {
		r := &b.rows[i]
		tw, left := inkWidth(r.line.segments, b.size)
		r.at = image.Pt(p+left, y+i*m.LineHeight)
		switch b.o.Align {
		case Center:
			r.at.X += (b.w - tw) / 2
		case Right:
			r.at.X += b.w - tw
		}
		b.ink = b.ink.Union(r.line.Ink().Add(r.at))
	}
	b.ink = b.ink.Intersect(image.Rectangle{Max: b.o.Box})
}

// overshoot bounds how far round letters reach below the baseline: 1/overshoot of the size. Descenders of letters and commas reach
// further.
const overshoot = 24

// lift returns how far text at the bottom is raised, so that the box does not cut off the descenders of the last line. Without
// descenders the baseline is at the padding, as in Grydgets.
func (b *Block) lift() int {
	if len(b.rows) == 0 {
		return 0
	}
	deep := b.rows[len(b.rows)-1].line.Ink().Max.Y
	if deep <= b.size/overshoot {
		return 0
	}
	return max(0, deep-b.o.Padding)
}
