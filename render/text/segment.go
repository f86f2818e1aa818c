package text

import "unsafe"

// Segments are shaped at an em of 4096 pixels in 26.6 fixed point, that is
// 2^18 units an em. Outlines scale linearly, so one shape serves every size.
const (
	refSize  = 4096
	refShift = 12 // a length at refSize times a size in pixels, shifted by this, is 26.6 pixels
	refEm    = refSize << 6
)

// segment is a shaped piece of text, its glyphs from left to right. It is immutable.
type segment struct {
	text   string
	glyphs []glyph
	late   bool // a font that it waits for may still come
}

// glyph is one glyph of a segment. Lengths are in units of 1/refEm of an em, y upwards.
type glyph struct {
	face    *face
	gid     uint32
	advance int32
	dx, dy  int32
	cluster int32 // byte offset in the text of the cluster it belongs to
}

// segmentOverhead is about what an entry takes besides its text and glyphs:
// the structs, their map slot and the allocator's rounding.
const segmentOverhead = 200

func (s *segment) bytes() int {
	return segmentOverhead + len(s.text) + len(s.glyphs)*int(unsafe.Sizeof(glyph{}))
}

// scale turns a length of a segment into 26.6 pixels at a size, rounded to nearest.
func scale(v int32, size int) int {
	return int((int64(v)*int64(size) + 1<<(refShift-1)) >> refShift)
}

// advanceAt is scale for advances, which are whole pixels from subpixelMax on.
func advanceAt(v int32, size int) int {
	a := scale(v, size)
	if size >= subpixelMax {
		a = (a + 32) &^ 63
	}
	return a
}

// width returns how far segments advance at a size, in whole pixels, rounded up.
func width(segs []*segment, size int) int {
	a := 0
	for _, s := range segs {
		for i := range s.glyphs {
			a += advanceAt(s.glyphs[i].advance, size)
		}
	}
	return ceil26(a)
}

// units returns how far segments advance, in units of 1/refEm of an em.
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
