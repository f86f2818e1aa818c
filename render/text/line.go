package text

import (
	"image"
	"image/color"

	"golang.org/x/image/math/fixed"

	"dashboard/render/blend"
)

// Line is one line of text shaped at one size. The zero value is an empty line. Cache.Shape fills it and reuses its buffers. A Line
// belongs to one goroutine and must not be copied once filled.
type Line struct {
	cache    *Cache
	font     *Font
	arrivals uint32 // arrivals of fonts when the line was shaped
	size     int
	clean    []byte
	segments []*segment
	glyphs   []placed
	advance  int // 26.6
	ink      image.Rectangle
	drawn    bool // masks and ink are computed
}

// placed is a glyph at its place in a line.
type placed struct {
	key  maskKey
	x, y int // whole pixels from the line's origin to the mask's origin, y downwards
	mask *blend.Mask
}

// Shape lays out s on one line in f at a size in pixels. Line breaks in s count as blanks. It allocates nothing once the words of s
// are cached and the buffers of dst have grown.
func (c *Cache) Shape(dst *Line, f *Font, sizePx int, s string) {
	dst.raw(s)
	c.shapeLine(dst, f, sizePx)
}

// ShapeBytes is Shape for bytes. It keeps no reference to b.
func (c *Cache) ShapeBytes(dst *Line, f *Font, sizePx int, b []byte) {
	dst.clean = appendClean(dst.clean[:0], b)
	c.shapeLine(dst, f, sizePx)
}

// raw cleans a string without allocating. It first copies the string's bytes behind the place where the clean bytes will end. There
// are at most three times as many clean bytes.
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

// cut splits clean text into segments.
func (l *Line) cut(c *Cache, f *Font, text []byte) {
	clear(l.segments) // drop the unused segments
	l.cache, l.font, l.arrivals = c, f, c.arrivals.Load()
	l.segments = c.appendSegments(l.segments[:0], f, text)
}

// place positions the glyphs of the line's segments for a size.
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

// place rounds the position of a glyph to a position at which masks can start: a quarter of a pixel below subpixelMax, otherwise a
// whole pixel.
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
	p.x, p.key.sub = q>>2, uint8(q&(subpixels-1))
	return p
}

// late reports whether the line was shaped without fonts that are loaded now.
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

// Advance returns the advance of the line.
func (l *Line) Advance() fixed.Int26_6 { return fixed.Int26_6(l.advance) }

// Width returns the advance in whole pixels, rounded up.
func (l *Line) Width() int { return ceil26(l.advance) }

// Size returns the size of the line in pixels.
func (l *Line) Size() int { return l.size }

// Ink returns the smallest rectangle that contains every pixel the line paints, relative to the start of the baseline. It is empty
// for a line of blanks.
func (l *Line) Ink() image.Rectangle {
	l.draw()
	return l.ink
}

// draw gets the masks of the line and computes their ink.
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

// Paint blends the line in a premultiplied color onto dst, within clip. The line's baseline starts at baseline.
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
