package text

import (
	"image"
	"image/draw"
	"math"
	"unsafe"

	ot "github.com/go-text/typesetting/font/opentype"
	"golang.org/x/image/vector"

	"dashboard/render/blend"
)

const (
	// subpixels is the number of horizontal positions within a pixel at which a small glyph can start.
	subpixels = 4

	// maxMaskBytes is the maximum size of a glyph's mask, in bytes: a square of the largest font size. A larger glyph, such as a ligature
	// of a whole word, is not drawn.
	maxMaskBytes = maxSize * maxSize

	// keptRaster is the maximum number of pixels of a rasterizer buffer that is kept between glyphs. Each pixel takes four bytes. A digit
	// that is 700 pixels high fits.
	keptRaster = 1 << 18
)

// maskKey identifies the mask of a glyph at a size. `sub` is the position within a pixel at which the glyph starts, in quarters of a pixel.
// The fields leave no gap in memory, so that one call hashes them all.
type maskKey struct {
	face *face
	gid  uint32
	size uint16
	sub  uint16
}

// mask() returns the mask of a glyph, and draws it if the cache does not contain it. The caller holds the lock.
func (c *Cache) mask(k maskKey) *blend.Mask {
	if e, ok := c.masks.m[k]; ok {
		c.masks.touch(e)
		return e.val
	}
	m := c.rasterise(k)
	c.masks.add(k, m, len(m.Pix)+int(unsafe.Sizeof(*m))+maskOverhead)
	return m
}

// maskOverhead is the approximate memory of a cache entry in addition to its mask: list links, key and map slot.
const maskOverhead = 120

// rasterise draws a glyph and returns its mask.
func (c *Cache) rasterise(k maskKey) *blend.Mask {
	p := path{dx: float32(k.sub) / subpixels}
	switch {
	case k.face.icons != nil:
		p.scale = float32(k.size) / float32(k.face.icons.UnitsPerEm())
		p.segments = c.iconOutline(k.face.icons, rune(k.gid))
	case k.gid == awaited:
		return &blend.Mask{}
	case k.gid == missing:
		p.scale = float32(k.size)
		p.segments = boxOutline
	default:
		p.scale = float32(k.size) / float32(k.face.ft.Upem())
		p.segments, p.slant = c.outline(k), k.face.slant
		if k.face.bolder {
			p.bolder = float32(k.size) * bolderBy
		}
	}
	r := p.bounds()
	if r.Empty() || r.Dx() > maxMaskBytes/r.Dy() {
		return &blend.Mask{}
	}
	z := &c.raster
	if r.Dx()*r.Dy() > keptRaster {
		z = new(vector.Rasterizer)
	}
	z.Reset(r.Dx(), r.Dy())
	p.dx, p.dy = p.dx-float32(r.Min.X), float32(-r.Min.Y)
	p.draw(z)
	if p.bolder > 0 {
		p.dx += p.bolder
		p.draw(z)
	}
	return trim(c.cover(z, r), r)
}

// outline returns the outline of a glyph, or an empty outline if the glyph is broken.
func (c *Cache) outline(k maskKey) (segs []ot.Segment) {
	defer func() {
		if recover() != nil {
			segs = nil
		}
	}()
	if k.face.outlines != nil {
		return c.leanOutline(k.face.outlines, k.gid)
	}
	o, _ := c.instance(k.face).GlyphDataOutline(ot.GID(k.gid))
	return o.Segments
}

// cover runs the rasterizer for the rectangle r and returns the coverage of its pixels. The result is working memory of the cache.
func (c *Cache) cover(z *vector.Rasterizer, r image.Rectangle) []uint8 {
	n := r.Dx() * r.Dy()
	buf := c.coverage
	if cap(buf) < n {
		buf = make([]uint8, n)
		if n <= keptRaster {
			c.coverage = buf
		}
	}
	dst := &image.Alpha{Pix: buf[:n], Stride: r.Dx(), Rect: image.Rect(0, 0, r.Dx(), r.Dy())}
	z.DrawOp = draw.Src
	z.Draw(dst, dst.Rect, image.Opaque, image.Point{})
	return dst.Pix
}

// trim returns a mask with a copy of the part of `pix` that is not empty. `pix` is the coverage of the rectangle r.
func trim(pix []uint8, r image.Rectangle) *blend.Mask {
	ink := image.Rectangle{}
	for y := range r.Dy() {
		row := pix[y*r.Dx() : (y+1)*r.Dx()]
		a, b := 0, len(row)
		for a < b && row[a] == 0 {
			a++
		}
		for a < b && row[b-1] == 0 {
			b--
		}
		ink = ink.Union(image.Rect(a, y, b, y+1))
	}
	m := &blend.Mask{Rect: ink.Add(r.Min), Stride: ink.Dx(), Pix: make([]uint8, 0, ink.Dx()*ink.Dy())}
	for y := ink.Min.Y; y < ink.Max.Y; y++ {
		m.Pix = append(m.Pix, pix[y*r.Dx()+ink.Min.X:y*r.Dx()+ink.Max.X]...)
	}
	return m
}

// path is an outline in font units, y upwards. To convert it to pixels, y downwards, it is scaled, and then moved by dx, dy.
type path struct {
	segments      []ot.Segment
	scale, dx, dy float32
	slant         float32
	bolder        float32 // distance in px between the two copies that make a bold outline
}

// For families without a bold font, two overlapping copies of an outline make a bold letter. bolderBy is the distance between the copies,
// in ems.
const bolderBy = 0.035

// at() converts a point to pixels. Products are rounded before they are added, so that every processor draws the same picture.
func (p *path) at(a ot.SegmentPoint) (x, y float32) {
	if p.slant != 0 {
		a.X += float32(a.Y * p.slant)
	}
	return float32(a.X*p.scale) + p.dx, p.dy - float32(a.Y*p.scale)
}

// bounds returns a rectangle of whole pixels that contains all points of the outline, and therefore its curves.
func (p *path) bounds() image.Rectangle {
	minX, minY := float32(math.Inf(1)), float32(math.Inf(1))
	maxX, maxY := -minX, -minY
	for i := range p.segments {
		for _, a := range p.segments[i].ArgsSlice() {
			x, y := p.at(a)
			minX, maxX = min(minX, x), max(maxX, x+p.bolder)
			minY, maxY = min(minY, y), max(maxY, y)
		}
	}
	const far = 4 * maxSize // no glyph of a valid font extends further
	if !(minX >= -far && maxX <= far && minY >= -far && maxY <= far) {
		return image.Rectangle{}
	}
	return image.Rect(floor(minX), floor(minY), -floor(-maxX), -floor(-maxY))
}

func floor(v float32) int { return int(math.Floor(float64(v))) }

func (p *path) draw(z *vector.Rasterizer) {
	for i := range p.segments {
		s := &p.segments[i]
		ax, ay := p.at(s.Args[0])
		switch s.Op {
		case ot.SegmentOpMoveTo:
			z.ClosePath()
			z.MoveTo(ax, ay)
		case ot.SegmentOpLineTo:
			z.LineTo(ax, ay)
		case ot.SegmentOpQuadTo:
			bx, by := p.at(s.Args[1])
			z.QuadTo(ax, ay, bx, by)
		case ot.SegmentOpCubeTo:
			bx, by := p.at(s.Args[1])
			cx, cy := p.at(s.Args[2])
			z.CubeTo(ax, ay, bx, by, cx, cy)
		}
	}
	z.ClosePath()
}

// boxOutline is the outline of the box for missing characters, in ems. The box is as high as a digit, and its lines are 1/16 em wide. The
// inner contour runs in the opposite direction, which makes it a hole.
var boxOutline = append(rectangle(0.06, 0, 0.54, 0.72), rectangle(0.4775, 0.0625, 0.1225, 0.6575)...)

// rectangle returns a contour through the points (x0, y0), (x1, y0), (x1, y1), (x0, y1).
func rectangle(x0, y0, x1, y1 float32) []ot.Segment {
	seg := func(op ot.SegmentOp, x, y float32) ot.Segment {
		return ot.Segment{Op: op, Args: [3]ot.SegmentPoint{{X: x, Y: y}}}
	}
	return []ot.Segment{
		seg(ot.SegmentOpMoveTo, x0, y0), seg(ot.SegmentOpLineTo, x1, y0),
		seg(ot.SegmentOpLineTo, x1, y1), seg(ot.SegmentOpLineTo, x0, y1),
	}
}
