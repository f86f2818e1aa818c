package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// scanner fills paths for rasterx. It replaces rasterx's own scanner. It first cuts off the parts
// outside the picture, and visits only the pixels around a path. If a drawing takes too much work,
// it panics with errTooComplex, because the methods of rasterx's interface return no errors.
type scanner struct {
	dst          *image.RGBA
	raster       vector.Rasterizer
	lines        [][4]float32 // straight pieces as x0, y0, x1, y1, in pixels
	pen          fixed.Point26_6
	low, high    fixed.Point26_6 // corners of the bounding box of all paths since Clear
	source       image.Image
	cost         int64 // units of work for each pixel
	segments     int
	most         svgBound
	work         int64
	minX, minY   float32 // top left corner of the part that is rasterized
	width, depth float32
}

var _ rasterx.Scanner = (*scanner)(nil)

// Start begins a new piece at p and does not close the previous piece, because rasterx closes areas itself. The outline of a stroke
// consists of many open pieces, which together form a closed line.
func (s *scanner) Start(p fixed.Point26_6) {
	s.pen = p
	s.extend(p)
}

// Line adds a line from the last point to p.
func (s *scanner) Line(p fixed.Point26_6) {
	s.extend(p)
	s.add(p)
}

func (s *scanner) add(p fixed.Point26_6) {
	if s.segments++; s.segments > s.most.segments {
		panic(s.most.err)
	}
	a, b := s.pen, p
	s.lines = append(s.lines, [4]float32{float32(a.X) / 64, float32(a.Y) / 64, float32(b.X) / 64, float32(b.Y) / 64})
	s.pen = p
}

func (s *scanner) extend(p fixed.Point26_6) {
	s.low.X, s.low.Y = min(s.low.X, p.X), min(s.low.Y, p.Y)
	s.high.X, s.high.Y = max(s.high.X, p.X), max(s.high.Y, p.Y)
}

// Clear removes all paths.
func (s *scanner) Clear() {
	const most = fixed.Int26_6(math.MaxInt32)
	s.lines = s.lines[:0]
	s.low, s.high = fixed.Point26_6{X: most, Y: most}, fixed.Point26_6{X: -most, Y: -most}
}

// GetPathExtent returns the bounding box of all paths since Clear.
func (s *scanner) GetPathExtent() fixed.Rectangle26_6 {
	return fixed.Rectangle26_6{Min: s.low, Max: s.high}
}

// SetColor sets a color, or a function that computes the color of each pixel.
func (s *scanner) SetColor(c interface{}) {
	switch c := c.(type) {
	case rasterx.ColorFunc:
		s.source, s.cost = shaded{c, s.dst.Rect}, gradientWork
	case color.Color:
		s.source, s.cost = image.NewUniform(c), 1
	}
}

// Draw fills the path.
func (s *scanner) Draw() {
	r := image.Rectangle{
		Min: image.Pt(s.low.X.Floor(), s.low.Y.Floor()),
		Max: image.Pt(s.high.X.Ceil(), s.high.Y.Ceil()),
	}.Intersect(s.dst.Rect)
	if r.Empty() || len(s.lines) == 0 || s.source == nil {
		return
	}
	s.spend(float32(r.Dx()) * float32(r.Dy()) * float32(s.cost))
	s.raster.Reset(r.Dx(), r.Dy())
	s.raster.DrawOp = draw.Over
	s.minX, s.minY = float32(r.Min.X), float32(r.Min.Y)
	s.width, s.depth = float32(r.Dx()), float32(r.Dy())
	for _, l := range s.lines {
		s.clip(l[0]-s.minX, l[1]-s.minY, l[2]-s.minX, l[3]-s.minY)
	}
	s.raster.Draw(s.dst, r, s.source, r.Min)
}

func (s *scanner) spend(units float32) {
	if s.work += 1 + int64(units); s.work > maxSVGWork {
		panic(errTooComplex)
	}
}

// clip rasterizes a line. It drops the parts above and below the picture. It moves the parts on the left and right to the picture's edges,
// where they have the same effect on the pixels inside.
func (s *scanner) clip(x0, y0, x1, y1 float32) {
	if y0 == y1 || min(y0, y1) >= s.depth || max(y0, y1) <= 0 {
		return
	}
	slope := float64(x1-x0) / float64(y1-y0)
	at := func(y float32) float32 { return x0 + float32(float64(y-y0)*slope) }
	ya, yb := min(max(y0, 0), s.depth), min(max(y1, 0), s.depth)
	xa, xb := x0, x1
	if ya != y0 {
		xa = at(ya)
	}
	if yb != y1 {
		xb = at(yb)
	}
	s.split(xa, ya, xb, yb, 0, s.width)
}

// split cuts a line at the left and right edges of the picture.
func (s *scanner) split(xa, ya, xb, yb, left, right float32) {
	for _, edge := range [2]float32{left, right} {
		if (xa < edge) != (xb < edge) && xa != edge && xb != edge {
			y := ya + float32(float64(edge-xa)/float64(xb-xa)*float64(yb-ya))
			s.split(xa, ya, edge, y, left, right)
			s.split(edge, y, xb, yb, left, right)
			return
		}
	}
	xa, xb = min(max(xa, left), right), min(max(xb, left), right)
	s.spend(max(xa-xb, xb-xa) + max(ya-yb, yb-ya))
	s.raster.MoveTo(xa, ya)
	s.raster.LineTo(xb, yb)
}

// SetBounds does nothing, because the bounds are the size of the picture.
func (s *scanner) SetBounds(int, int) {}

// SetClip does nothing, because clip paths are not supported.
func (s *scanner) SetClip(image.Rectangle) {}

// SetWinding does nothing, because the rasterizer supports only the non-zero rule.
func (s *scanner) SetWinding(bool) {}

// shaded is an image that calls a function for the color of each pixel.
type shaded struct {
	at     rasterx.ColorFunc
	bounds image.Rectangle
}

func (s shaded) ColorModel() color.Model { return color.NRGBAModel }
func (s shaded) Bounds() image.Rectangle { return s.bounds }
func (s shaded) At(x, y int) color.Color { return s.at(x, y) }
