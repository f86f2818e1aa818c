package text

import (
	"bytes"
	"slices"
	"sort"
)

// unit is the text between two places where a line may break: a word with its punctuation, and the blanks after it. The segments of the
// word are Block.segments[first:blank], and the segments of the blanks are Block.segments[blank:last].
type unit struct {
	start, end         int // range of the word in the clean text
	first, blank, last int
	rtl                bool // true if the paragraph reads from right to left
	final              bool // true if the unit is the last unit of its paragraph
}

// maxRetries bounds how often wrap() makes a text smaller because a line is wider than the sum of its words' widths. Kerning can cause
// this.
const maxRetries = 4

// wrap finds the largest size at which the wrapped text fits, and makes its rows.
func (b *Block) wrap() {
	least := b.leastSize()
	lo, hi := least, max(least, b.startSize())
	if b.o.Even && b.whole(hi) {
		return
	}
	b.findUnits()
	for lo < hi { // the result is between lo and hi. If no size fits, the result is lo
		mid := (lo + hi + 1) / 2
		if b.breakLines(mid) && b.fitsHeight(mid, len(b.spans)) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	b.size = lo
	for try := 0; ; try++ {
		b.breakLines(b.size)
		b.even()
		b.fill()
		if try == maxRetries || b.size == least || b.rowsFit() {
			return
		}
		b.size--
	}
}

// whole fills the rows without wrapping, and reports whether they fit in the given size. The sum of the words' widths can exceed the width of
// their line, because the width of each word is rounded. So a box with the width of a text would be too narrow for its words.
func (b *Block) whole(size int) bool {
	b.size = size
	if !b.fitsHeight(size, len(b.spans)) {
		return false
	}
	b.fill()
	return b.rowsFit()
}

// shortLine is the width below which Options.Even lengthens the second of two lines, as a fraction of the box: 1/shortLine.
const shortLine = 4

// even breaks two lines again at the smallest width that needs no third line, if Options.Even is set and the second line is short.
func (b *Block) even() {
	if !b.o.Even || len(b.spans) != 2 || !b.fitsHeight(b.size, 2) || bytes.IndexByte(b.clean, '\n') >= 0 {
		return
	}
	whole, second := b.w, 0
	for _, u := range b.units {
		if u.start >= b.spans[1].start {
			second += width(b.segments[u.first:u.last], b.size)
		}
	}
	if second*shortLine >= whole {
		return
	}
	b.w = sort.Search(whole, func(w int) bool {
		b.w = w
		return b.breakLines(b.size) && len(b.spans) == 2
	})
	b.breakLines(b.size)
	b.w = whole
}

// rowsFit reports whether all rows are narrow enough.
func (b *Block) rowsFit() bool {
	for i := range b.rows {
		if width(b.rows[i].line.segments, b.size) > b.w {
			return false
		}
	}
	return true
}

// findUnits splits all paragraphs into units and shapes the units.
func (b *Block) findUnits() {
	b.units = b.units[:0]
	clear(b.segments)
	b.segments = b.segments[:0]
	for _, s := range b.spans {
		b.appendUnits(s.start, b.clean[s.start:s.end])
	}
}

// appendUnits splits one paragraph into units. `offset` is the paragraph's position in the clean text.
func (b *Block) appendUnits(offset int, text []byte) {
	rtl := rightToLeft(text)
	if len(text) == 0 {
		n := len(b.segments)
		b.units = append(b.units, unit{start: offset, end: offset, first: n, blank: n, last: n, final: true})
		return
	}
	if b.words.InitWithBytes(text) != nil {
		return // cannot happen, because the text is clean
	}
	for it := b.words.LineIterator(); it.Next(); {
		l := it.Line()
		part := text[l.OffsetInBytes : l.OffsetInBytes+l.LengthInBytes]
		word := bytes.TrimRight(part, " ")
		u := unit{start: offset + l.OffsetInBytes, first: len(b.segments), rtl: rtl}
		u.end = u.start + len(word)
		b.cut(word)
		u.blank = len(b.segments)
		b.cut(part[len(word):])
		u.last = len(b.segments)
		b.units = append(b.units, u)
	}
	b.units[len(b.units)-1].final = true
}

func (b *Block) cut(text []byte) {
	if len(text) > 0 {
		b.segments = b.c.appendSegments(b.segments, b.o.Font, text)
	}
}

// breakLines distributes the units over lines at a size, with as many units on each line as fit, and stores the spans. It reports whether
// all lines are narrow enough and there are fewer than maxLines lines.
func (b *Block) breakLines(size int) bool {
	b.spans = b.spans[:0]
	fits := true
	first, pen := 0, 0 // first unit of the current line, and width of the line so far
	for i, u := range b.units {
		word := width(b.segments[u.first:u.blank], size)
		if i > first && pen+word > b.w {
			b.closeLine(first, i-1)
			first, pen = i, 0
		}
		fits = fits && pen+word <= b.w
		pen += word + width(b.segments[u.blank:u.last], size)
		if u.final {
			b.closeLine(first, i)
			first, pen = i+1, 0
		}
	}
	return fits && len(b.spans) < maxLines
}

func (b *Block) closeLine(first, last int) {
	if len(b.spans) < maxLines {
		b.spans = append(b.spans, span{b.units[first].start, b.units[last].end, b.units[first].rtl})
	}
}

// ellipsis is the character at the end of text that was cut.
const ellipsis = "…"

// shorten drops the rows that do not fit into the height, and cuts the rows that are too wide. If rows were dropped, the last remaining
// row also gets an ellipsis.
func (b *Block) shorten() {
	n := len(b.rows)
	for n > 1 && !b.fitsHeight(b.size, n) {
		n--
	}
	dropped := n < len(b.rows)
	b.short = dropped
	b.rows = b.rows[:n]
	for i := range b.rows {
		force := dropped && i == n-1
		if force || width(b.rows[i].line.segments, b.size) > b.w {
			b.rows[i].shorten(b, b.spans[i])
			b.short = true
		}
	}
}

// shorten cuts a row between two grapheme clusters, so that it fits together with an ellipsis. If not even one cluster fits, only the
// ellipsis remains.
func (r *row) shorten(b *Block, s span) {
	text := b.clean[s.start:s.end]
	cuts := b.cuts(text)
	room := b.w - width(b.c.appendSegments(nil, b.o.Font, []byte(ellipsis)), b.size)
	// The widths in the uncut row give a first estimate. The loop then shapes the cut row itself, and cuts more until the row fits.
	i := sort.Search(len(cuts), func(i int) bool { return r.widthUntil(cuts[i], b.size) > room })
	for i = min(i, len(cuts)-1); ; i-- {
		kept := bytes.TrimRight(text[:cuts[i]], " ")
		r.set(b, append(slices.Clone(kept), ellipsis...), s.rtl)
		if i == 0 || width(r.line.segments, b.size) <= b.w {
			return
		}
	}
}

// cuts() returns the offsets at which text may be cut, in ascending order, from 0 to its length.
func (b *Block) cuts(text []byte) []int {
	out := []int{0}
	if b.words.InitWithBytes(text) != nil {
		return out // cannot happen, because the text is clean
	}
	for it := b.words.GraphemeIterator(); it.Next(); {
		g := it.Grapheme()
		out = append(out, g.OffsetInBytes+g.LengthInBytes)
	}
	return out
}

// widthUntil returns the width of the glyphs before an offset in the row's text.
func (r *row) widthUntil(offset, size int) int {
	a, base := 0, 0
	for _, s := range r.line.segments {
		for i := range s.glyphs {
			if base+int(s.glyphs[i].cluster) < offset {
				a += advanceAt(s.glyphs[i].advance, size)
			}
		}
		base += len(s.text)
	}
	return ceil26(a)
}
