//go:build linux

package main

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"

	"dashboard/render"
	"dashboard/render/path"
)

// For row 19 of docs/benchmarks.md: the picture's size in px, and the number of points of the curve. peers/cairo.c uses the same numbers.
const (
	chartWide, chartHigh = 600, 300
	curvePoints          = 101
)

// Bounds of rows 19, 20 and 29 of docs/benchmarks.md.
const (
	mostShadows = 0.5 // maximum time for the shadows of four cards, in ms
	mostInks    = 5.0 // maximum time for the conversion of a photo, in ms
	mostFrost   = 0.6 // maximum time for a frosted card, in ms
)

// curve returns the points of a chart's line.
func curve() []path.Point {
	points := make([]path.Point, curvePoints)
	for i := range points {
		x := float64(i)
		points[i] = path.Point{X: 6 * x, Y: 150 - 100*math.Sin(x*0.13) + 15*math.Sin(x*1.7)}
	}
	return points
}

// paths() measures row 19: making, filling and painting shapes.
func paths(l *lab) error {
	for _, name := range []string{"area", "ring", "line"} {
		ours, peer, std := entry("own", kernels, "path "+name), entry("cairo", cairo, name), entry("x/image/vector", kernels, "vector "+name)
		l.contest(ours, peer, std)
		l.against(19, "path fill, "+name, ours, peer, atMost(0.5))
		if name != "line" { // x/image/vector cannot draw strokes
			l.against(19, "path fill, "+name, ours, std, atMost(0.4))
		}
	}
	return nil
}

// pathCase makes and paints a shape as widgets do.
func pathCase(_ pictures, name string) operation {
	m := image.NewRGBA(image.Rect(0, 0, chartWide, chartHigh))
	points := curve()
	var r path.Raster
	var s path.Shape
	var p, line path.Path
	return func() int {
		p.Reset()
		switch name {
		case "area":
			p.MoveTo(0, chartHigh)
			for _, v := range points {
				p.LineTo(v.X, v.Y)
			}
			p.LineTo(chartWide, chartHigh)
		case "ring":
			p.Ring(100, 100, 80, 100, 0, 2*math.Pi)
		case "line":
			line.Reset()
			line.Line(points)
			p.Stroke(&line, path.Pen{Width: 3, Cap: path.Round})
		}
		r.Fill(&s, &p, m.Rect)
		s.Paint(m, m.Rect, image.Point{}, color.RGBA{20, 120, 60, 160})
		return 0
	}
}

// vectorCase makes a shape with x/image/vector and paints it with DrawMask.
func vectorCase(_ pictures, name string) operation {
	m, mask := image.NewRGBA(image.Rect(0, 0, chartWide, chartHigh)), image.NewAlpha(image.Rect(0, 0, chartWide, chartHigh))
	z, src, points := vector.NewRasterizer(chartWide, chartHigh), image.NewUniform(color.RGBA{20, 120, 60, 160}), curve()
	return func() int {
		z.Reset(chartWide, chartHigh)
		z.DrawOp = draw.Src
		if name == "area" {
			z.MoveTo(0, chartHigh)
			for _, v := range points {
				z.LineTo(float32(v.X), float32(v.Y))
			}
			z.LineTo(chartWide, chartHigh)
			z.ClosePath()
		} else {
			circle(z, 100, 1)
			circle(z, 80, -1)
		}
		z.Draw(mask, m.Rect, image.Opaque, image.Point{})
		draw.DrawMask(m, m.Rect, src, image.Point{}, mask, image.Point{}, draw.Over)
		return 0
	}
}

// circle adds a circle around (100, 100) with the radius r. `way` is the direction in which the circle is drawn, 1 or -1.
func circle(z *vector.Rasterizer, r, way float64) {
	const sides = 96
	for i := range sides {
		sin, cos := math.Sincos(way * 2 * math.Pi * float64(i) / sides)
		if x, y := float32(100+r*cos), float32(100+r*sin); i == 0 {
			z.MoveTo(x, y)
		} else {
			z.LineTo(x, y)
		}
	}
	z.ClosePath()
}

// veils() measures row 20: filling a whole frame with a translucent color, and painting the shadows of four cards on a moving wall.
func veils(l *lab) error {
	fast, plain, peer := entry("assembly", kernels, "veil"), entry("portable", portable, "veil"), entry("memcpy", memcpy, "memcpy")
	shadows := entry("", kernels, "shadows")
	l.contest(fast, plain, peer, shadows)
	l.against(20, "translucent fill of 1080p", fast, peer, atMost(0.75))
	l.against(20, "translucent fill of 1080p", plain, peer, atMost(3.5))
	l.table.limit(20, "shadows of four cards, a frame", "%.2f ms", shadows.ns/1e6, mostShadows)
	return shadows.err
}

func veilCase(p pictures, _ string) operation {
	m := p.read(dashboard)
	c := render.NewCanvas(m)
	return func() int {
		c.Fill(m.Rect, color.RGBA{10, 20, 30, 100})
		return int(m.Pix[0])
	}
}

func shadowsCase(p pictures, _ string) operation {
	c, s := render.NewCanvas(p.read(dashboard)), render.NewCardShadow(image.Pt(400, 300), 12, 8)
	return func() int {
		for i := range 4 {
			at := image.Pt(60+450*i, 200)
			c.CardShadow(s, at, color.RGBA{A: 120}, image.Rectangle{Min: at, Max: at.Add(image.Pt(400, 300))})
		}
		return 0
	}
}

// inks() measures row 29: converting a photo to the six inks of color e-paper, and painting a frosted card over a photo. The peer
// searches for the nearest ink for every pixel, with the same error diffusion. Benchmarks of package ink measure the conversion.
func inks(l *lab) error {
	const what, ink = "a photo of 800x480 to six inks", "./render/ink"
	ours, err := l.benchmark(ink, "BenchmarkPhoto/ours")
	if err != nil {
		return err
	}
	nearest, err := l.benchmark(ink, "BenchmarkPhoto/peer=nearest_ink")
	if err != nil {
		return err
	}
	l.beside(29, what, &entrant{label: "own", ns: ours}, &entrant{label: "search for the nearest ink", ns: nearest})
	l.table.limit(29, what, "%.2f ms", ours/1e6, mostInks)
	frost := entry("", kernels, "frost")
	l.contest(frost)
	l.table.limit(29, "a frosted card of 400x250, blurred by 22 px and painted", "%.2f ms", frost.ns/1e6, mostFrost)
	return frost.err
}

// frostCase blurs the background of a card and paints it.
func frostCase(p pictures, _ string) operation {
	m := image.NewRGBA(image.Rect(0, 0, 400, 250))
	draw.Draw(m, m.Rect, p.read(photo), image.Pt(300, 300), draw.Src)
	f, c := render.NewFrost(m.Rect.Size(), 22), render.NewCanvas(m)
	return func() int {
		f.Stale()
		f.Paint(c, image.Point{})
		return 0
	}
}
