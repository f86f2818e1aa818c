package path

import (
	"image"
	"image/color"
	draw2 "image/draw"
	"math"
	"testing"

	"golang.org/x/image/vector"
)

// benchmarks returns one function for each shape in the table of docs/benchmarks.md. The function draws the shape. The key is the name of
// the shape.
func benchmarks() map[string]func(p, l *Path) {
	points := make([]Point, 101) // a day of measured values
	for i := range points {
		points[i] = Point{6 * float64(i), 150 - 100*math.Sin(float64(i)*0.13) + 15*math.Sin(float64(i)*1.7)}
	}
	return map[string]func(p, l *Path){
		"area": func(p, _ *Path) {
			p.MoveTo(0, 300)
			for _, v := range points {
				p.LineTo(v.X, v.Y)
			}
			p.LineTo(600, 300)
		},
		"ring": func(p, _ *Path) { p.Ring(100, 100, 80, 100, 0, 2*math.Pi) },
		"line": func(p, l *Path) {
			l.Reset()
			l.Line(points)
			p.Stroke(l, Pen{Width: 3, Cap: Round})
		},
	}
}

func BenchmarkPath(b *testing.B) {
	m := image.NewRGBA(image.Rect(0, 0, 600, 300))
	col := color.RGBA{20, 120, 60, 160}
	for name, draw := range benchmarks() {
		b.Run(name+"/own", func(b *testing.B) {
			var r Raster
			var s Shape
			var p, l Path
			b.ReportAllocs()
			for b.Loop() {
				p.Reset()
				draw(&p, &l)
				r.Fill(&s, &p, m.Rect)
				s.Paint(m, m.Rect, image.Point{}, col)
			}
		})
		b.Run(name+"/vector", func(b *testing.B) {
			var p, l Path
			z := vector.NewRasterizer(600, 300)
			mask := image.NewAlpha(m.Rect)
			src := image.NewUniform(col)
			for b.Loop() {
				p.Reset()
				draw(&p, &l)
				z.Reset(600, 300)
				z.DrawOp = draw2.Src
				trace(&p, z)
				z.Draw(mask, m.Rect, image.Opaque, image.Point{})
				draw2.DrawMask(m, m.Rect, src, image.Point{}, mask, image.Point{}, draw2.Over)
			}
		})
	}
}
