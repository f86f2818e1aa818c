package text

import (
	"image"
	"image/color"

	"golang.org/x/image/math/fixed"

	"dashboard/render/blend"
)

// Line is one line of text, shaped at one size. The zero value is an empty line. Cache.Shape fills it and reuses its memory. Only one
// goroutine may use a Line. Do not copy a Line after Shape.
type Line struct {
	cache    *Cache
	font     *Font
	arrivals uint32 // Cache.arrivals when the line was shaped
	size     int
	clean    []byte
	segments []*segment
	glyphs   []placed
	advance  int // width in 26.6 fixed point
	ink      image.Rectangle
	drawn    bool // true if masks and ink are valid
}

// placed is a glyph at its place in a line.
type placed struct {
	key  maskKey
	x, y int // offset from the start of the line to the mask's origin in whole pixels, y downwards
	mask *blend.Mask
}

// Shape shapes s as one line in the font f at a size in pixels, and stores it in dst. Line breaks in s become blanks. Shape allocates
// nothing if the words of s are in the cache and dst has enough memory from earlier calls.
func (c *Cache) Shape(dst *Line, f *Font, sizePx int, s string) {
	dst.raw(s)
	c.shapeLine(dst, f, sizePx)
}

// ShapeBytes does the same as Shape for a byte slice. It keeps no reference to b.
func (c *Cache) ShapeBytes(dst *Line, f *Font, sizePx int, b []byte) {
	dst.clean = appendClean(dst.clean[:0], b)
	c.shapeLine(dst, f, sizePx)
}

// raw() sets the text of the line and cleans it, without allocating. It first copies the bytes of s to the end of the buffer, beyond the
// place of the clean bytes. Cleaning makes a text at most three times as long.
func (l *Line) raw(s string) {
	const worst = 3 // an invalid byte becomes the three bytes of U+FFFD
	gap := worst * len(s)
	if need := gap + len(s); cap(l.clean) < need {
		l.clean = make([]byte, need)
	}
	b := l.clean[:cap(l.clean)]
	n := copy(b[gap:], s)
	l.clean = appendClean(b[:0], b[gap:gap+n])
}

func (c *Cache) shapeLine(dst *Line, f *Font, sizePx int) {
	blankBreaks(dst.clean)
	dst.cut(c, f, dst.clean)
	dst.place(sizePx)
}

// cut divides clean text into segments and shapes them.
func (l *Line) cut(c *Cache, f *Font, text []byte) {
	clear(l.segments) // forget the segments of a longer previous text
	l.cache, l.font, l.arrivals = c, f, c.arrivals.Load()
	l.segments = c.appendSegments(l.segments[:0], f, text)
}

// place computes the position of each glyph at a size.
func (l *Line) place(sizePx int) {
	l.size = clampSize(sizePx)
	l.drawn = false
	clear(l.glyphs)
	l.glyphs = l.glyphs[:0]
	pen := 0
	for _, s := range l.segments {
		for i := range s.glyphs {
			g := &s.glyphs[i]
			l.glyphs = append(l.glyphs, place(g, pen, l.size))
			pen += advanceAt(g.advance, l.size)
		}
	}
	l.advance = pen
}

// place returns a glyph at the position `pen`. It rounds the position to quarters of a pixel at sizes below subpixelMax, and otherwise to
// whole pixels, because masks can start only there.
func place(g *glyph, pen, size int) placed {
	x := pen + scale(g.dx, size)
	p := placed{
		key: maskKey{face: g.face, gid: g.gid, size: uint16(size)},
		y:   -((scale(g.dy, size) + 32) >> 6),
	}
	if size >= subpixelMax {
		p.x = (x + 32) >> 6
		return p
	}
	q := (x + 8) >> 4 // quarters of a pixel, rounded to nearest
	p.x, p.key.sub = q>>2, uint16(q&(subpixels-1))
	return p
}

// late() reports whether the line must be shaped again, because fonts were missing and have been loaded since it was shaped.
func (l *Line) late() bool {
	if l.cache == nil || l.arrivals == l.cache.arrivals.Load() {
		return false
	}
	for _, s := range l.segments {
		if s.late {
			return true
		}
	}
	l.arrivals = l.cache.arrivals.Load()
	return false
}

// Advance returns the width of the line, from its start to the start of a text that would follow.
func (l *Line) Advance() fixed.Int26_6 { return fixed.Int26_6(l.advance) }

// Width returns the line's advance in whole pixels, rounded up.
func (l *Line) Width() int { return ceil26(l.advance) }

// Size returns the size of the line in pixels.
func (l *Line) Size() int { return l.size }

// Ink returns the smallest rectangle that contains all pixels of the line, relative to the start of the baseline. It is empty for a line
// of blanks.
func (l *Line) Ink() image.Rectangle {
	l.draw()
	return l.ink
}

// draw fetches the masks of the glyphs and computes the ink of the line.
func (l *Line) draw() {
	if l.drawn || l.cache == nil {
		return
	}
	l.drawn = true
	l.ink = image.Rectangle{}
	l.cache.mu.Lock()
	defer l.cache.mu.Unlock()
	for i := range l.glyphs {
		g := &l.glyphs[i]
		g.mask = l.cache.mask(g.key)
		l.ink = l.ink.Union(g.mask.Rect.Add(image.Pt(g.x, g.y)))
	}
}

// Paint blends the line onto dst in the color col (premultiplied), within `clip`. `baseline` is the point at which the baseline starts.
func (l *Line) Paint(dst *image.RGBA, clip image.Rectangle, baseline image.Point, col color.RGBA) {
	if l.late() {
		l.cut(l.cache, l.font, l.clean)
		l.place(l.size)
	}
	l.draw()
	whole := clip
	clip = clip.Intersect(dst.Rect)
	if col.A == 0 || !l.ink.Add(baseline).Overlaps(clip) {
		return
	}
	if l.cache.painted != nil {
		l.cache.painted(Painted{Line: l.clean, At: baseline, Size: l.size, Ink: l.ink.Add(baseline), Clip: whole, Color: col})
	}
	for i := range l.glyphs {
		g := &l.glyphs[i]
		blend.Paint(dst, clip, g.mask, baseline.Add(image.Pt(g.x, g.y)), col)
	}
}
