package path

import (
	"image"
	"image/color"
	draw2 "image/draw"
	"math"
	"testing"

	"golang.org/x/image/vector"
)

var white = color.RGBA{255, 255, 255, 255}

// dense paints a shape in white on a transparent picture. The alpha channel of the result is the coverage.
func dense(s *Shape, size image.Point) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	s.Paint(m, m.Rect, image.Point{}, white)
	return m
}

// floating is the minimum width, in px, of pictures for which x/image/vector uses floating point numbers. For narrower pictures its result
// is less exact.
const floating = 600

// trace passes the outline to the rasterizer of x/image/vector.
func trace(p *Path, z *vector.Rasterizer) {
	p.each(func(points []point, _ bool) {
		for i, v := range points {
			if i == 0 {
				z.MoveTo(float32(v.x)/sub, float32(v.y)/sub)
				continue
			}
			z.LineTo(float32(v.x)/sub, float32(v.y)/sub)
		}
		z.ClosePath()
	})
}

// reference fills the outline of a path with x/image/vector.
func reference(p *Path, size image.Point) *image.Alpha {
	m := image.NewAlpha(image.Rectangle{Max: size})
	z := vector.NewRasterizer(max(floating, size.X), size.Y)
	z.DrawOp = draw2.Src
	trace(p, z)
	z.Draw(m, m.Rect, image.Opaque, image.Point{})
	return m
}

// oracleLevels is the allowed difference from x/image/vector. There is a difference because both libraries round.
const oracleLevels = 4

func compare(t *testing.T, p *Path, size image.Point) {
	t.Helper()
	var r Raster
	var s Shape
	r.Fill(&s, p, image.Rectangle{Max: size})
	got, want := dense(&s, size), reference(p, size)
	for y := range size.Y {
		for x := range size.X {
			g, w := int(got.RGBAAt(x, y).A), int(want.AlphaAt(x, y).A)
			if d := g - w; d < -oracleLevels || d > oracleLevels {
				t.Fatalf("pixel %d,%d: got %d, want %d", x, y, g, w)
			}
		}
	}
}

// zigzag returns n points of a line that moves up and down through a box of w x h px.
func zigzag(n int, w, h float64) []Point {
	out := make([]Point, n)
	for i := range out {
		out[i] = Point{w * float64(i) / float64(n-1), h/2 + h*0.4*math.Sin(float64(i)*1.7)*math.Cos(float64(i)*0.3)}
	}
	return out
}
