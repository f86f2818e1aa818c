package text

import (
	"bytes"
	"image"
	"image/color"

	"github.com/go-text/typesetting/segmenter"
)

// Options sets the layout of a Block.
type Options struct {
	Font *Font // Default: the font that Default returns

	// Size is the maximum text size in pixels. If Size is 0, the text may be as high as the box without its padding. A text that does not fit
	// gets smaller.
	Size int

	Box     image.Point // size of the block. Nothing is painted outside
	Padding int         // distance of the text from each edge of the box, in pixels

	Align  Align
	VAlign VAlign

	// Wrap breaks lines between words, as the Unicode line breaking algorithm (UAX 14) allows, before the text gets smaller. If a word does
	// not fit on a line, the text also gets smaller.
	Wrap bool

	// Even applies to wrapped text on two lines. If the second line would have only a short word, Even moves words from the first line to
	// the second line. Even also gives all texts at the bottom the same baseline, with and without descenders.
	Even bool

	// Ellipsis cuts the text if it would have to be smaller than Size, or smaller than minLegible if Size is 0. Lines that are too wide
	// end with an ellipsis, and lines without room are dropped. Without Ellipsis, the text shrinks down to one pixel. The box clips a text
	// that does not fit even then.
	Ellipsis bool

	// Least is the minimum size of the text. If the text does not fit at this size, it is cut with an ellipsis. 0 means Size, or
	// minLegible if Size is 0. Least has no effect without Ellipsis.
	Least int

	// LineHeight is the distance between two baselines, in pixels. 0 means the distance of the font.
	LineHeight int

	// Lines is the maximum number of lines. 0 means no maximum except the height of the box.
	Lines int
}

// minLegible is the smallest legible size in pixels. It is small print at arm's length on a 100 dpi screen. Below this size, an ellipsis
// is more useful than text.
const minLegible = 10

// Block is text fitted into a box. A single line has the same size and place as in the text widget of Grydgets, with one exception. A
// line at the bottom is raised, so that its descenders fit into the box. Only one goroutine may use a Block.
type Block struct {
	c     *Cache
	o     Options
	w, h  int // size of the box without the padding. It may be negative
	raw   []byte
	clean []byte
	size  int
	rows  []row
	ink   image.Rectangle
	short bool // true if a part of the text is not visible

	// Working memory for wrapping.
	words    segmenter.Segmenter
	units    []unit
	segments []*segment
	spans    []span
}

// row is a line of a block, with the point in the box at which its baseline starts.
type row struct {
	line Line
	at   image.Point
}

// span is the part of the clean text that one line shows: clean[start:end]. In a paragraph that reads from right to left, every part reads
// from right to left, even if it consists of Latin letters.
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

// Set changes the text to s and lays it out. `changed` is true if s differs from the previous text. Set allocates nothing if all words of s
// are in the cache, and no line has to be wrapped.
func (b *Block) Set(s string) (changed bool) {
	if string(b.raw) == s {
		return false
	}
	b.raw = append(b.raw[:0], s...)
	b.layout()
	return true
}

// SetBytes does the same as Set for a byte slice. It keeps no reference to s.
func (b *Block) SetBytes(s []byte) (changed bool) {
	if bytes.Equal(b.raw, s) {
		return false
	}
	b.raw = append(b.raw[:0], s...)
	b.layout()
	return true
}

// SetSize changes Options.Size and lays the text out again. `changed` is true if px differs from the previous value.
func (b *Block) SetSize(px int) (changed bool) {
	if b.o.Size == px {
		return false
	}
	b.o.Size = px
	b.layout()
	return true
}

// Size returns the size of the laid out text in pixels, or 0 if there is no text.
func (b *Block) Size() int { return b.size }

// Lines returns the number of laid out lines.
func (b *Block) Lines() int { return len(b.rows) }

// Shortened reports whether the text was cut because it does not fit. This happens only with Options.Ellipsis. At least one line of the
// text then ends in an ellipsis.
func (b *Block) Shortened() bool { return b.short }

// Ink returns the smallest rectangle that contains all pixels of the text, relative to the top left corner of the box.
func (b *Block) Ink() image.Rectangle { return b.ink }

// Paint blends the text in a premultiplied color onto dst, within `clip`. The box's top left corner is at org.
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

// late() reports whether the text must be laid out again, because fonts were missing and have been loaded since the layout.
func (b *Block) late() bool {
	for i := range b.rows {
		if b.rows[i].line.late() {
			return true
		}
	}
	return false
}

// layout computes the lines from the field `raw`, and the size and the places of the lines.
func (b *Block) layout() {
	b.clean = appendClean(b.clean[:0], b.raw)
	b.clean = bytes.TrimRight(b.clean, "\n") // a line break at the end of the text does not begin another line
	b.size, b.short = 0, false
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

// paragraphs() makes one span for each line of the text, without wrapping.
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

// fill makes one row for each span. It reuses the memory of earlier rows.
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

// set shapes the text of a row.
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

// arrange computes the positions of the rows at the chosen size, and their ink.
func (b *Block) arrange() {
	p := b.o.Padding
	m := b.o.Font.Metrics(b.size)
	for i := range b.rows {
		b.rows[i].line.place(b.size)
	}
	step := b.lineHeight(m)
	height := b.size - m.Descent + (len(b.rows)-1)*step // distance from the top of the text to the last baseline
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
		r.at = image.Pt(p+left, y+i*step)
		switch b.o.Align {
		case Left:
			r.at.X = max(r.at.X, -r.line.Ink().Min.X) // the box would cut off a part of a letter such as j
		case Center:
			r.at.X += (b.w - tw) / 2
		case Right:
			r.at.X += b.w - tw
		}
		b.ink = b.ink.Union(r.line.Ink().Add(r.at))
	}
	b.ink = b.ink.Intersect(image.Rectangle{Max: b.o.Box})
}

// lineHeight returns the distance between two baselines.
func (b *Block) lineHeight(m Metrics) int {
	if b.o.LineHeight > 0 {
		return b.o.LineHeight
	}
	return m.LineHeight
}

// overshoot is the greatest distance by which round letters extend below the baseline, as a fraction of the size: 1/overshoot. Descenders
// and commas extend further.
const overshoot = 24

// lift returns the distance by which text at the bottom of the box must be raised. Otherwise the box would cut off the descenders of the
// last line. Without descenders, the baseline is at the edge of the padding, as in Grydgets. With Options.Even, the distance does not
// depend on descenders, so that neighboring texts have the same baseline.
func (b *Block) lift() int {
	if len(b.rows) == 0 {
		return 0
	}
	deep := b.rows[len(b.rows)-1].line.Ink().Max.Y
	if b.o.Even {
		deep = max(deep, b.o.Font.Metrics(b.size).Deep)
	}
	if deep <= b.size/overshoot {
		return 0
	}
	return max(0, deep-b.o.Padding)
}
