package render

import (
	"image"
	"image/color"

	"dashboard/render/blend"
	"dashboard/render/path"
)

// Canvas is a widget's clipped view of the frame that is being painted. It is a small value: pass it to other functions, but do not keep it
// after Paint. The coordinates of its methods are in px relative to the widget. (0,0) is the top left corner of the widget's cell.
type Canvas struct {
	// Dst is the frame or a layer of it, in premultiplied RGBA. The frame itself is always opaque.
	Dst *image.RGBA
	// Clip is the only part of Dst that may be painted, in Dst's coordinates. It lies inside Dst.
	Clip image.Rectangle
	// Org is the position of the widget's (0,0) in Dst.
	Org image.Point
	// Base is the position of Dst's (0,0) on the frame. It is (0,0) unless Dst is a layer.
	Base image.Point
}

// NewCanvas returns a canvas over the whole of dst.
func NewCanvas(dst *image.RGBA) Canvas {
	return Canvas{Dst: dst, Clip: dst.Rect, Org: dst.Rect.Min}
}

// In returns the canvas of a child that fills r.
func (c Canvas) In(r image.Rectangle) Canvas {
	r = r.Add(c.Org)
	c.Org, c.Clip = r.Min, c.Clip.Intersect(r)
	return c
}

// At returns the canvas with its origin moved by p and the same clip. Use At for children that move.
func (c Canvas) At(p image.Point) Canvas { c.Org = c.Org.Add(p); return c }

// Sees reports whether any part of r is inside the clip.
func (c Canvas) Sees(r image.Rectangle) bool { return r.Add(c.Org).Overlaps(c.Clip) }

// local() returns r in Dst's coordinates, clipped.
func (c Canvas) local(r image.Rectangle) image.Rectangle { return r.Add(c.Org).Intersect(c.Clip) }

// Premultiply converts a color to the format of a canvas.
func Premultiply(n color.NRGBA) color.RGBA {
	return color.RGBA{blend.Mul(n.R, n.A), blend.Mul(n.G, n.A), blend.Mul(n.B, n.A), n.A}
}

// Fill blends col (premultiplied) over r.
func (c Canvas) Fill(r image.Rectangle, col color.RGBA) {
	r = c.local(r)
	if r.Empty() || col.A == 0 {
		return
	}
	if col.A == 255 {
		fillRect(c.Dst, r, col)
		return
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		blend.Fill(rowOf(c.Dst, r, y), col)
	}
}

// rowOf returns the pixels of m in row y, from the left to the right edge of r.
func rowOf(m *image.RGBA, r image.Rectangle, y int) []uint8 {
	i := m.PixOffset(r.Min.X, y)
	return m.Pix[i : i+4*r.Dx()]
}

// Set overwrites r with col (premultiplied), including its alpha. So it can also make part of a layer transparent.
func (c Canvas) Set(r image.Rectangle, col color.RGBA) {
	if r = c.local(r); !r.Empty() {
		fillRect(c.Dst, r, col)
	}
}

// fillRect writes one row and copies it to the rows below, because copy is several times faster than storing single pixels.
func fillRect(dst *image.RGBA, r image.Rectangle, col color.RGBA) {
	first := rowOf(dst, r, r.Min.Y)
	blend.Set(first, col)
	at := dst.PixOffset(r.Min.X, r.Min.Y)
	for range r.Dy() - 1 {
		at += dst.Stride
		copy(dst.Pix[at:][:len(first)], first)
	}
}

// Mask is the coverage of a shape, pixel by pixel: 0 outside and 255 for a pixel that lies completely inside. Its Rect is in px, relative
// to the point at which the mask is painted.
type Mask = blend.Mask

// Mask blends col (premultiplied) through the mask m whose origin is at p.
func (c Canvas) Mask(m *Mask, p image.Point, col color.RGBA) {
	blend.Paint(c.Dst, c.Clip, m, p.Add(c.Org), col)
}

// Shape blends col (premultiplied) over a shape whose origin is at p.
func (c Canvas) Shape(s *path.Shape, p image.Point, col color.RGBA) {
	s.Paint(c.Dst, c.Clip, p.Add(c.Org), col)
}

// ShapeRows paints a shape whose origin is at p, with one color (premultiplied) for each row, as for a gradient from top to bottom.
// rows[0] is the color of the top row of the shape's box. If the slice `rows` is shorter than the box, the other rows are not painted.
func (c Canvas) ShapeRows(s *path.Shape, p image.Point, rows []color.RGBA) {
	s.PaintRows(c.Dst, c.Clip, p.Add(c.Org), rows)
}

// Image blends src (premultiplied) with its top left corner at p. Set `opaque` to true only if src has no transparency: then its rows are
// copied instead of blended.
func (c Canvas) Image(p image.Point, src *image.RGBA, opaque bool) {
	r, from := c.cut(p, src)
	for y := range r.Dy() {
		d := rowOf(c.Dst, r, r.Min.Y+y)
		s := src.Pix[src.PixOffset(from.X, from.Y+y):]
		if opaque {
			copy(d, s)
			continue
		}
		blend.Over(d, s)
	}
}

// ImageAs does the same as Image, but first multiplies the opacity of src by opacity/255.
func (c Canvas) ImageAs(p image.Point, src *image.RGBA, opacity uint8) {
	r, from := c.cut(p, src)
	for y := range r.Dy() {
		blend.OverAs(rowOf(c.Dst, r, r.Min.Y+y), src.Pix[src.PixOffset(from.X, from.Y+y):], opacity)
	}
}

// cut clips a picture whose top left corner is at p. It returns the visible rectangle r in Dst, and the point of src that appears at
// r.Min.
func (c Canvas) cut(p image.Point, src *image.RGBA) (r image.Rectangle, from image.Point) {
	at := p.Add(c.Org)
	r = src.Rect.Sub(src.Rect.Min).Add(at).Intersect(c.Clip)
	return r, r.Min.Sub(at).Add(src.Rect.Min)
}
