package text

import (
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// missing is the glyph number of the box that stands for what no font has. It
// is drawn by this package, because many fonts have a blank there.
const missing = uint32(font.EmptyGlyph) - 1

// missingAdvance is the box's advance: 0.6 of an em, a wide digit.
const missingAdvance = refEm * 6 / 10

// item is a piece of a line of one direction, script and face: runes[start:end].
type item struct {
	start, end int
	level      bidi.Level
	script     language.Script
	face       *face
}

// shape lays out one line of clean text.
func (c *Cache) shape(f *Font, text string) *segment {
	s := &segment{text: text}
	runes := make([]rune, 0, len(text))
	offsets := make([]int32, 0, len(text))
	for i, r := range text {
		runes, offsets = append(runes, r), append(offsets, int32(i))
	}
	items := c.items(f, runes)
	reorder(items)
	for _, it := range items {
		s.glyphs = c.shapeItem(s.glyphs, it, runes, offsets)
	}
	return s
}

// items cuts runes, in logical order, where direction, script or face change.
func (c *Cache) items(f *Font, runes []rune) []item {
	var items []item
	faces := c.facesFor(f, runes)
	runs := c.bidi.Segment(runes, bidi.LeftToRight)
	for i := range runs.NumRuns() {
		run := runs.Run(i)
		items = appendScripts(items, runes, faces, run)
	}
	return items
}

// appendScripts cuts one run of one level by script and face. Characters that
// belong to no script, or inherit it, go with what stands before them, or at
// the start with what follows.
func appendScripts(items []item, runes []rune, faces []*face, run bidi.Run) []item {
	cur := item{start: run.Start, level: run.Level, script: language.Common, face: faces[run.Start]}
	for i := run.Start; i < run.End; i++ {
		sc := language.LookupScript(runes[i])
		if !sc.Strong() {
			sc = cur.script
		}
		if faces[i] == cur.face && (sc == cur.script || cur.script == language.Common) {
			cur.script = sc
			continue
		}
		cur.end = i
		items = append(items, cur)
		cur = item{start: i, level: run.Level, script: sc, face: faces[i]}
	}
	cur.end = run.End
	return append(items, cur)
}

// reorder puts items into the order they stand from left to right: rule L2 of
// the Unicode bidirectional algorithm (UAX 9).
func reorder(items []item) {
	var top bidi.Level
	for _, it := range items {
		top = max(top, it.level)
	}
	for level := top; level > 0; level-- {
		for i := 0; i < len(items); i++ {
			j := i
			for j < len(items) && items[j].level >= level {
				j++
			}
			for a, b := i, j-1; a < b; a, b = a+1, b-1 {
				items[a], items[b] = items[b], items[a]
			}
			i = j
		}
	}
}

// facesFor chooses a face for every rune, one for a whole grapheme cluster, so
// that marks stand on the letter's own font and emoji sequences stay whole.
// Clusters without ink of their own go with what stands before them.
func (c *Cache) facesFor(f *Font, runes []rune) []*face {
	faces := make([]*face, len(runes))
	last := f.chain[0]
	c.clusters.Init(runes)
	for it := c.clusters.GraphemeIterator(); it.Next(); {
		g := it.Grapheme()
		if !blank(g.Text) {
			last = c.faceFor(f, g.Text)
		}
		for i := range g.Text {
			faces[g.Offset+i] = last
		}
	}
	return faces
}

// blank reports whether a cluster draws nothing in any font.
func blank(cluster []rune) bool {
	for _, r := range cluster {
		if !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
			return false
		}
	}
	return true
}

// faceFor returns the first face that has the whole cluster, else the first
// that has its first rune, else the font's own.
func (c *Cache) faceFor(f *Font, cluster []rune) *face {
	for _, part := range [][]rune{cluster, cluster[:1]} {
		for _, fc := range f.chain {
			if covers(fc.ft.Cmap, part) {
				return fc
			}
		}
		if fc := c.system.face(part, f.bold); fc != nil {
			return fc
		}
	}
	return f.chain[0]
}

// covers reports whether a font has all runes that draw something.
func covers(cmap font.Cmap, runes []rune) bool {
	for _, r := range runes {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			continue // joiners and the like: shaping takes care of them
		}
		if _, ok := cmap.Lookup(r); !ok {
			return false
		}
	}
	return true
}

// shapeItem appends an item's glyphs. The shaper works on what a font file
// says; if that makes it panic, the item becomes boxes.
func (c *Cache) shapeItem(dst []glyph, it item, runes []rune, offsets []int32) (out []glyph) {
	defer func() {
		if recover() != nil {
			out = appendBoxes(dst, it, offsets)
		}
	}()
	in := shaping.Input{
		Text: runes, RunStart: it.start, RunEnd: it.end,
		Direction: di.DirectionLTR, Face: c.instance(it.face), Size: fixed.I(refSize),
		Script: it.script, Language: "en",
	}
	if it.level%2 == 1 {
		in.Direction = di.DirectionRTL
	}
	out = dst
	for _, g := range c.shaper.ShapeNoExtents(in).Glyphs {
		n := glyph{
			face: it.face, gid: uint32(g.GlyphID), advance: int32(g.Advance),
			dx: int32(g.XOffset), dy: int32(g.YOffset), cluster: offsets[g.TextIndex()],
		}
		if g.GlyphID == 0 {
			n.gid, n.advance, n.dx, n.dy = missing, missingAdvance, 0, 0
		}
		out = append(out, n)
	}
	return out
}

func appendBoxes(dst []glyph, it item, offsets []int32) []glyph {
	for i := it.start; i < it.end; i++ {
		dst = append(dst, glyph{face: it.face, gid: missing, advance: missingAdvance, cluster: offsets[i]})
	}
	return dst
}

// rightToLeft reports whether a paragraph reads from right to left: whether
// its first letter does (rules P2 and P3 of UAX 9).
func rightToLeft(text []byte) bool {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		switch {
		case unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) && unicode.IsLetter(r), r == 0x200f:
			return true
		case unicode.IsLetter(r), r == 0x200e:
			return false
		}
	}
	return false
}
