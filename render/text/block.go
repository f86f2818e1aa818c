package text

import (
	"bytes"
	"image"
	"image/color"

	"github.com/go-text/typesetting/segmenter"
)

// Options set how a Block lays out its text.
type Options struct {
	Font *Font // nil is Default()

	// Size is the largest size in pixels; 0 lets the text grow to the height
	// inside the padding. Text that does not fit shrinks below it.
	Size int

	Box     image.Point // width and height of the block; nothing is painted outside
	Padding int         // from each edge of the box, in pixels

	Align  Align
	VAlign VAlign

	// Wrap breaks lines between words, where the Unicode line breaking
	// algorithm (UAX 14) allows, before it shrinks them. It shrinks until no
	// word is wider than a line.
	Wrap bool

	// Ellipsis ends with an ellipsis lines that are too wide, and drops lines that are too many, if the text would have
	// to shrink below Size, or with Size 0 below minLegible. Without it the text shrinks to one pixel and is then
	// clipped by the box.
	Ellipsis bool

	// Least is the size below which the text is cut with an ellipsis, in place of Size; 0 leaves that. It needs Ellipsis.
	Least int

	// Lines bounds the lines of the text. If 0, it is what fits.
	Lines int
}

// minLegible is the size in pixels below which an ellipsis is more useful than text: small print at arm's length on a
// 100 dpi screen.
const minLegible = 10

// Block is text fitted into a box. A single line is sized and placed as the text widget of Grydgets does it, except
// that at the bottom it is raised by the room for its descenders. A Block belongs to one goroutine.
type Block struct {
	c     *Cache
	o     Options
	w, h  int // inside the padding; may be negative
	raw   []byte
	clean []byte
	size  int
	rows  []row
	ink   image.Rectangle

	// Scratch of the wrapping step.
	words    segmenter.Segmenter
	units    []unit
	segments []*segment
	spans    []span
}

// row is a line of a block and where its baseline starts.
type row struct {
	line Line
	at   image.Point
}

// span is a line's part of the clean text: clean[start:end]. A part of a right-to-left paragraph also runs from right
// to left, for any letters.
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

// Set lays out s and reports whether it differs from the text before. It
// allocates nothing if s has one line, or lines without Wrap, of words that
// are in the cache.
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

// SetSize lays the text out with another Size of the options and reports whether it changed.
func (b *Block) SetSize(px int) (changed bool) {
	if b.o.Size == px {
		return false
	}
	b.o.Size = px
	b.layout()
	return true
}

// Size returns the size chosen for the text, in pixels, or 0 without text.
func (b *Block) Size() int { return b.size }

// Lines returns how many lines the text has been laid out in.
func (b *Block) Lines() int { return len(b.rows) }

// Ink returns the smallest rectangle that holds every pixel the block paints,
// relative to the box's top left corner.
func (b *Block) Ink() image.Rectangle { return b.ink }

// Paint blends the text in a premultiplied color onto dst within clip. The
// box's top left corner lies at org.
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

// late reports whether the text lacked fonts that have come since.
func (b *Block) late() bool {
	for i := range b.rows {
		if b.rows[i].line.late() {
			return true
		}
	}
	return false
}

// layout lays out raw: lines, size, places.
func (b *Block) layout() {
	b.clean = appendClean(b.clean[:0], b.raw)
	b.clean = bytes.TrimRight(b.clean, "\n") // a final break ends a line and begins none
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

// paragraphs makes one span of every line of the text.
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

// fill makes one row of every span, reusing the rows there are.
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

// set finds a row's segments.
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

// arrange places the rows at the chosen size and adds up their ink.
func (b *Block) arrange() {
	p := b.o.Padding
	m := b.o.Font.Metrics(b.size)
	for i := range b.rows {
		b.rows[i].line.place(b.size)
	}
	height := b.size - m.Descent + (len(b.rows)-1)*m.LineHeight // to the last baseline
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

// overshoot is the part of a size, 1/overshoot, by which round letters reach below the baseline at most. Tails of
// letters and commas reach further.
const overshoot = 24

// lift is how far text at the bottom is raised, so that the box does not cut off descenders of the last line. Without
// descenders the baseline stands on the padding, as in Grydgets.
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
