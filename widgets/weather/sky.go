package weather

import (
	"image"
	"image/color"
	"math"

	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// skyGrid is the side of the square coordinate system in which icons are drawn.
const skyGrid = 64

// sky draws a colored weather icon in a square. The icon consists of discs, crescents, clouds, bolts and lines with round ends. Each shape
// has one color.
type sky struct {
	o      *path.Outlines
	box    image.Rectangle
	scale  float64
	layers []skyLayer
	used   int
	open   bool // true while shapes can be added to the last layer
}

// skyLayer is a part of an icon in one color. It is drawn over the layers before it in the icon.
type skyLayer struct {
	shape path.Shape
	ink   piece.SkyInk
}

// draw draws the icon for a kind of weather, by day or by night.
func (d *sky) draw(o *path.Outlines, box image.Rectangle, k weather.Kind, isDay bool) {
	d.o, d.box, d.used, d.open = o, box, 0, false
	d.scale = float64(min(box.Dx(), box.Dy())) / skyGrid
	skyDrawing(k)(d, isDay)
	d.flush()
}

// layer() starts a new layer, unless the current layer has the same color.
func (d *sky) layer(ink piece.SkyInk) {
	if d.open && d.layers[d.used-1].ink == ink {
		return
	}
	d.flush()
	if d.used == len(d.layers) {
		d.layers = append(d.layers, skyLayer{})
	}
	d.layers[d.used].ink = ink
	d.used++
	d.open = true
	d.o.Begin()
}

func (d *sky) flush() {
	if d.open {
		d.o.Fill(&d.layers[d.used-1].shape, d.box)
		d.open = false
	}
}

func (d *sky) paint(c render.Canvas, inks *[piece.SkyInks]color.RGBA, stale bool) {
	for i := range d.layers[:d.used] {
		ink := inks[d.layers[i].ink]
		if stale {
			ink = kit.Faint(ink)
		}
		c.Shape(&d.layers[i].shape, image.Point{}, ink)
	}
}

// x and y convert grid coordinates to px.
func (d *sky) x(v float64) float64 { return float64(d.box.Min.X) + float64(v*d.scale) }
func (d *sky) y(v float64) float64 { return float64(d.box.Min.Y) + float64(v*d.scale) }

func (d *sky) disc(x, y, r float64, ink piece.SkyInk) {
	d.layer(ink)
	d.o.Area.Circle(d.x(x), d.y(y), r*d.scale)
}

// stroke() adds a line with round ends.
func (d *sky) stroke(ink piece.SkyInk, width float64, line func(p *path.Path)) {
	d.layer(ink)
	d.o.Line.Reset()
	line(&d.o.Line)
	d.o.Area.Stroke(&d.o.Line, path.Pen{Width: width * d.scale, Cap: path.Round})
}

// arcTo appends an arc of radius r between two points. The flags `long` and `clockwise` select one of the four possible arcs (SVG 2,
// section 9.3.8).
func (d *sky) arcTo(p *path.Path, x0, y0, x1, y1, r float64, long, clockwise bool) {
	mx, my, dx, dy := (x0+x1)/2, (y0+y1)/2, x1-x0, y1-y0
	half := math.Hypot(dx, dy) / 2
	h := math.Sqrt(max(0, float64(r*r)-float64(half*half))) / max(half, 1e-9) / 2
	if long == clockwise {
		h = -h
	}
	cx, cy := mx-float64(h*dy), my+float64(h*dx)
	from, to := math.Atan2(y0-cy, x0-cx), math.Atan2(y1-cy, x1-cx)
	if clockwise && to < from {
		to += 2 * math.Pi
	}
	if !clockwise && to > from {
		to -= 2 * math.Pi
	}
	p.Arc(d.x(cx), d.y(cy), r*d.scale, from, to)
}

// cloud() draws a cloud whose top left corner is (x, y). The cloud is 45*k wide and 28*k high.
func (d *sky) cloud(x, y, k float64, ink piece.SkyInk) {
	d.layer(ink)
	at := func(u, v float64) (float64, float64) { return x + float64(u*k), y + float64(v*k) }
	p := &d.o.Area
	ax, ay := at(10, 28)
	p.MoveTo(d.x(ax), d.y(ay))
	for _, arc := range [3][3]float64{{8.6, 8.1, 10}, {35, 9.2, 14}, {35.5, 28, 9.5}} {
		bx, by := at(arc[0], arc[1])
		d.arcTo(p, ax, ay, bx, by, arc[2]*k, false, true)
		ax, ay = bx, by
	}
	p.Close()
}

func (d *sky) crescent(x, y, r float64) {
	d.layer(piece.InkMoon)
	a, b := r*0.98, r*0.2
	p := &d.o.Area
	p.MoveTo(d.x(x+b), d.y(y-a))
	d.arcTo(p, x+b, y-a, x+a, y+b, r, true, false)
	d.arcTo(p, x+a, y+b, x+b, y-a, r*0.8, false, true)
	p.Close()
}

// allRays are the directions of all rays of the sun, in eighths of a turn, clockwise from the top.
var allRays = []int{0, 1, 2, 3, 4, 5, 6, 7}

func (d *sky) sun(x, y, r float64, rays []int) {
	d.disc(x, y, r, piece.InkSun)
	const gap, long = 5, 6
	d.stroke(piece.InkSun, 3.8, func(p *path.Path) {
		for _, i := range rays {
			s, c := math.Sincos(float64(i) * math.Pi / 4)
			p.MoveTo(d.x(x+float64(s*(r+gap))), d.y(y-float64(c*(r+gap))))
			p.LineTo(d.x(x+float64(s*(r+gap+long))), d.y(y-float64(c*(r+gap+long))))
		}
	})
}

// body() draws the sun by day or the moon by night.
func (d *sky) body(isDay bool, x, y, r float64, rays []int) {
	if isDay {
		d.sun(x, y, r, rays)
	} else {
		d.crescent(x, y, r*1.25)
	}
}

func (d *sky) flake(x, y, r float64) {
	d.stroke(piece.InkSnow, 2.4, func(p *path.Path) {
		for _, turn := range []float64{0, math.Pi / 3, 2 * math.Pi / 3} {
			s, c := math.Sincos(turn)
			p.MoveTo(d.x(x+float64(s*r)), d.y(y-float64(c*r)))
			p.LineTo(d.x(x-float64(s*r)), d.y(y+float64(c*r)))
		}
	})
}

func (d *sky) streak(x, y, long, width float64) {
	d.stroke(piece.InkRain, width, func(p *path.Path) {
		p.MoveTo(d.x(x), d.y(y))
		p.LineTo(d.x(x-long*0.36), d.y(y+long))
	})
}

// boltShape holds the corners of a bolt.
var boltShape = [7][2]float64{{7, 0}, {0, 12}, {5.4, 12}, {3.4, 22}, {13, 8.6}, {7.4, 8.6}, {10.4, 0}}

// bolt() draws a bolt with rounded corners. A stroke around the area rounds the corners. The stroke is on a separate layer, because on the
// same layer it could cut a hole into the area.
func (d *sky) bolt(x, y, k float64) {
	corners := func(p *path.Path) {
		for _, v := range boltShape {
			p.LineTo(d.x(x+float64(v[0]*k)), d.y(y+float64(v[1]*k)))
		}
		p.Close()
	}
	d.layer(piece.InkBolt)
	corners(&d.o.Area)
	d.flush()
	d.stroke(piece.InkBolt, 1.6*k, corners)
}

// bars() draws horizontal lines. Each element of `all` has the x0, x1 and y of a line.
func (d *sky) bars(ink piece.SkyInk, width float64, all ...[3]float64) {
	d.stroke(ink, width, func(p *path.Path) {
		for _, b := range all {
			p.MoveTo(d.x(b[0]), d.y(b[2]))
			p.LineTo(d.x(b[1]), d.y(b[2]))
		}
	})
}

// gust() draws a horizontal line whose end curls around a circle of radius r, upward or downward.
func (d *sky) gust(ink piece.SkyInk, x0, x1, y, r float64, up bool) {
	d.stroke(ink, 4.4, func(p *path.Path) {
		p.MoveTo(d.x(x0), d.y(y))
		p.LineTo(d.x(x1), d.y(y))
		turn := r
		if up {
			turn = -r
		}
		d.arcTo(p, x1, y, x1-r, y+turn, r, true, !up)
	})
}
