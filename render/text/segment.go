package text

import (
	"unsafe"

	"github.com/go-text/typesetting/font"
)

// Segments are shaped at a size of 4096 pixels in 26.6 fixed point, so an em has 2^18 units. Outlines scale linearly, so one shape serves
// every size.
const (
	refSize  = 4096
	refShift = 12 // (length at refSize * size in pixels) >> refShift is a length in 26.6 pixels
	refEm    = refSize << 6
)

// segment is a shaped piece of text. Its glyphs are in order from left to right. It is immutable.
type segment struct {
	text   string
	glyphs []glyph
	left   int64 // start of the ink, relative to the start of the segment, in units of 1/refEm of an em
	right  int64
	late   bool // true if a font for this segment is still being loaded
}

// glyph is a glyph of a segment. Lengths are in units of 1/refEm of an em, y upwards.
type glyph struct {
	face    *face
	gid     uint32
	advance int32
	dx, dy  int32
	cluster int32 // byte offset of the glyph's cluster in the text
}

// measure computes where the ink of a segment starts and ends. Blanks have no ink.
func (c *Cache) measure(s *segment) {
	pen := int64(0)
	for i := range s.glyphs {
		g := &s.glyphs[i]
		left, width := c.bearing(g)
		if width > 0 {
			x := pen + int64(g.dx) + left
			if s.left >= s.right {
				s.left, s.right = x, x+width
			}
			s.left, s.right = min(s.left, x), max(s.right, x+width)
		}
		pen += int64(g.advance)
	}
}

// bearing returns where the ink of a glyph starts, relative to the glyph's origin, and how wide it is. Both are in units of 1/refEm of an
// em.
func (c *Cache) bearing(g *glyph) (left, width int64) {
	switch g.gid {
	case awaited:
		return 0, 0
	case missing:
		return refEm * 6 / 100, refEm * 48 / 100 // left edge and width of the box boxOutline
	}
	em := int64(g.face.ft.Upem())
	if g.face.outlines != nil {
		p := path{scale: 1, segments: c.outline(maskKey{face: g.face, gid: g.gid})}
		r := p.bounds()
		return int64(r.Min.X) * refEm / em, int64(r.Dx()) * refEm / em
	}
	e, ok := safeExtents(c.instance(g.face), font.GID(g.gid))
	if !ok {
		return 0, 0
	}
	return int64(e.XBearing) * refEm / em, int64(e.Width) * refEm / em
}

// segmentOverhead is the approximate memory of a cache entry in addition to its text and glyphs: structs, map slot and the allocator's
// rounding.
const segmentOverhead = 220

func (s *segment) bytes() int {
	return segmentOverhead + len(s.text) + len(s.glyphs)*int(unsafe.Sizeof(glyph{}))
}

// scale converts a length from units of 1/refEm of an em to 26.6 pixels at a size in pixels, rounded to nearest.
func scale(v int32, size int) int {
	return int((int64(v)*int64(size) + 1<<(refShift-1)) >> refShift)
}

// advanceAt does the same as scale() for advances. At subpixelMax and above, it rounds advances to whole pixels.
func advanceAt(v int32, size int) int {
	a := scale(v, size)
	if size >= subpixelMax {
		a = (a + 32) &^ 63
	}
	return a
}

// width returns the width of segments at a size, from start to end of their advances, in whole pixels, rounded up.
func width(segs []*segment, size int) int {
	a := 0
	for _, s := range segs {
		for i := range s.glyphs {
			a += advanceAt(s.glyphs[i].advance, size)
		}
	}
	return ceil26(a)
}

// snap is a tolerance in 26.6 pixels, as an allowance for hinting. Ink that extends less than this into a pixel does not count.
const snap = 16

// inkWidth returns the width of segments at a size, including ink that extends beyond their advances, as SDL_ttf measures text. `before`
// is how far the ink extends to the left of the start. w and `before` are in whole pixels.
func inkWidth(segs []*segment, size int) (w, before int) {
	pen, right := 0, 0
	for _, s := range segs {
		if s.left < s.right {
			before = max(before, -((pen + scale64(s.left, size) + snap) >> 6))
			right = max(right, (pen+scale64(s.right, size)+32)>>6)
		}
		for i := range s.glyphs {
			pen += advanceAt(s.glyphs[i].advance, size)
		}
	}
	return max(right, ceil26(pen)) + before, before
}

func scale64(v int64, size int) int { return int((v*int64(size) + 1<<(refShift-1)) >> refShift) }

// units() returns the sum of the advances of segments, in units of 1/refEm of an em.
func units(segs []*segment) int64 {
	var a int64
	for _, s := range segs {
		for i := range s.glyphs {
			a += int64(s.glyphs[i].advance)
		}
	}
	return a
}

func ceil26(v int) int { return (v + 63) >> 6 }
