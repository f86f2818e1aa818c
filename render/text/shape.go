package text

import (
	"reflect"
	"unicode"
	"unicode/utf8"

	"github.com/go-text/typesetting/bidi"
	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	ot "github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
)

// `missing` is the glyph number of the box for a character that no font has. This package draws the box itself, because many fonts contain
// a blank instead of the box.
const missing = uint32(font.EmptyGlyph) - 1

// `awaited` is the glyph number of the blank that replaces a letter while its font is being loaded.
const awaited = missing - 1

// missingAdvance is the advance of the box: 0.6 em, as wide as a wide digit.
const missingAdvance = refEm * 6 / 10

// item is a part of a line with one direction, one script and one face: runes[start:end].
type item struct {
	start, end int
	level      bidi.Level
	script     language.Script
	face       *face
}

// shape shapes one line of clean text.
func (c *Cache) shape(f *Font, text string) *segment {
	s := &segment{text: text}
	c.waiting = false
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
	c.set(f, s)
	if s.late = c.waiting; s.late {
		await(s.glyphs)
	}
	c.measure(s)
	return s
}

// await replaces boxes by blanks while their font is still being loaded. So a wall shows no boxes at its start.
func await(glyphs []glyph) {
	for i := range glyphs {
		if glyphs[i].gid == missing {
			glyphs[i].gid = awaited
		}
	}
}

// items() splits `runes`, in logical order, wherever the level, the script or the face changes. A character without a script belongs to the
// previous item. At the start of a line it belongs to the next item.
func (c *Cache) items(f *Font, runes []rune) []item {
	var items []item
	faces, levels := c.facesFor(f, runes), c.levels(runes)
	for i, r := range runes {
		sc := language.LookupScript(r)
		if i > 0 {
			cur := &items[len(items)-1]
			if !sc.Strong() {
				sc = cur.script
			}
			if levels[i] == cur.level && faces[i] == cur.face && (sc == cur.script || cur.script == language.Common) {
				cur.script, cur.end = sc, i+1
				continue
			}
		}
		if !sc.Strong() {
			sc = language.Common
		}
		items = append(items, item{start: i, end: i + 1, level: levels[i], script: sc, face: faces[i]})
	}
	return items
}

// levels() returns the embedding level of every rune (UAX 9).
//
// The runs of the bidi library combine neighbors with the levels 0 and 2, or 1 and 3. Such a run has only the level of its first neighbor.
// This is not enough to order numbers in right-to-left text. The library does not export the levels of single runes, so levels() reads them
// by reflection. A test fails if the library's field changes.
func (c *Cache) levels(runes []rune) []bidi.Level {
	out := make([]bidi.Level, len(runes))
	runs := c.bidi.Segment(runes, bidi.Neutral)
	for i := range runs.NumRuns() {
		run := runs.Run(i)
		for j := run.Start; j < run.End; j++ {
			out[j] = run.Level
		}
	}
	exact := reflect.ValueOf(runs).FieldByName("levels")
	if exact.Kind() != reflect.Slice || exact.Type().Elem().Kind() != reflect.Int8 {
		return out
	}
	for i := range min(len(out), exact.Len()) {
		out[i] = bidi.Level(exact.Index(i).Int())
	}
	return out
}

// reorder sorts items into visual order from left to right: rule L2 of the Unicode bidirectional algorithm (UAX 9).
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

// facesFor chooses a face for every rune. All runes of a grapheme cluster get the same face. So combining marks match the font of their
// letter, and emoji sequences stay whole. A cluster without ink gets the face of the previous cluster.
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

// blank() reports whether a cluster has no ink in any font.
func blank(cluster []rune) bool {
	for _, r := range cluster {
		if !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
			return false
		}
	}
	return true
}

// faceFor returns the first face that has the whole cluster, else the first face that has its first rune, else the font's own face.
func (c *Cache) faceFor(f *Font, cluster []rune) *face {
	for _, part := range [][]rune{cluster, cluster[:1]} {
		for _, fc := range f.chain {
			if covers(fc.ft.Cmap, part) {
				return fc
			}
		}
		fc, late := c.systemFace(part, f.bold)
		c.waiting = c.waiting || late
		if fc != nil {
			return fc
		}
	}
	return f.chain[0]
}

// covers() reports whether a font has glyphs for all visible runes.
func covers(cmap font.Cmap, runes []rune) bool {
	for _, r := range runes {
		if unicode.In(r, unicode.Cf, unicode.Variation_Selector) {
			continue // joiners and similar runes need no glyph, because shaping removes them
		}
		if _, ok := cmap.Lookup(r); !ok {
			return false
		}
	}
	return true
}

// shapeItem shapes an item and appends its glyphs to dst. The shaper trusts the contents of font files. If the shaper panics, the item is
// drawn as boxes.
func (c *Cache) shapeItem(dst []glyph, it item, runes []rune, offsets []int32) (out []glyph) {
	defer func() {
		if recover() != nil {
			out = appendBoxes(dst, it, offsets)
		}
	}()
	in := shaping.Input{
		Text: runes, RunStart: it.start, RunEnd: it.end,
		Direction: di.DirectionLTR, Face: c.instance(it.face), Size: fixed.I(refSize),
		Script: it.script, Language: "en", FontFeatures: it.features(),
	}
	if it.level%2 == 1 {
		in.Direction = di.DirectionRTL
	}
	out = dst
	boxed := int32(-1) // the last cluster that is drawn as a box
	for _, g := range c.shaper.ShapeNoExtents(in).Glyphs {
		n := glyph{
			face: it.face, gid: uint32(g.GlyphID), advance: int32(g.Advance),
			dx: int32(g.XOffset), dy: int32(g.YOffset), cluster: offsets[g.TextIndex()],
		}
		if g.GlyphID == 0 {
			if n.cluster == boxed {
				continue // draw only one box for a cluster
			}
			boxed = n.cluster
			n.gid, n.advance, n.dx, n.dy = missing, missingAdvance, 0, 0
		}
		out = append(out, n)
	}
	return out
}

// `classic` turns off the ligatures of letters such as f and i, because Grydgets does not use them. Scripts with connected letters use
// other features.
var classic = []shaping.FontFeature{{Tag: ot.MustNewTag("liga")}, {Tag: ot.MustNewTag("clig")}}

// features() returns the OpenType features of the font's style. If the font has no style, Latin text and signs get the classic features.
func (it item) features() []shaping.FontFeature {
	if it.face.styled || it.script != language.Latin && it.script != language.Common {
		return it.face.features
	}
	return classic
}

func appendBoxes(dst []glyph, it item, offsets []int32) []glyph {
	for i := it.start; i < it.end; i++ {
		dst = append(dst, glyph{face: it.face, gid: missing, advance: missingAdvance, cluster: offsets[i]})
	}
	return dst
}

// rightToLeft reports whether a paragraph reads from right to left. Its first letter decides this (rules P2 and P3 of UAX 9).
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
