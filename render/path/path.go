// Package path turns outlines into shapes: the pixels they cover, and their coverage.
//
// A [Path] is drawn with MoveTo, LineTo, curves and whole figures, or as the stroke of another path. A [Raster] fills it by the non-zero
// rule and stores the result in a [Shape]. A shape can be painted in any color, or with a color for each row, with any clip. Widgets fill
// shapes in Update, clipped to their cell, and paint the shapes in Paint:
//
//	p.Reset()
//	p.Stroke(&line, path.Pen{Width: 3, Cap: path.Round})
//	raster.Fill(&shape, &p, cell)       // when the line changes
//	canvas.Shape(&shape, image.Point{}, accent) // in every frame
//
// Coordinates are px, y downwards, and (0,0) is the top left corner of the top left pixel. Angles are radians, 0 to the right,
// growing clockwise. All buffers are reused, so nothing is allocated once they have grown.
package path

import "math"

const (
	// MaxPoints bounds the points of a path: thirty points for every column of a 4K screen. A path with more points is broken: it fills no
	// pixels.
	MaxPoints = 1 << 17

	// `far` is the greatest coordinate, in 1/256 px. It is 16384 px, about twice the width of the widest frame. Points with a greater
	// coordinate are moved to this bound.
	far = 16384 << subBits

	// flatness is the greatest allowed distance between a curve and its straight pieces, in px. Such an error changes the coverage of a
	// pixel at the edge by at most five levels of 255.
	flatness = 0.02
)

// subBits is the number of fraction bits of a coordinate.
const subBits = 8

const sub = 1 << subBits

// point is a place in 1/256 px.
type point struct{ x, y int32 }

// contour is one connected part of a path. `end` is the index after its last point: the next contour begins there.
type contour struct {
	end    int
	closed bool // true if Close has closed the contour. Fill treats every contour as closed
}

// Path holds outlines made of straight pieces. The zero value is an empty path. Only one goroutine may use a Path.
type Path struct {
	points   []point
	contours []contour
	open     bool // true if the last contour can still grow
	broken   bool // true if the path had too many points
	dash     []point
}

// Point is a position in px.
type Point struct{ X, Y float64 }

// Reset empties the path and keeps its memory.
func (p *Path) Reset() {
	p.points, p.contours, p.open, p.broken = p.points[:0], p.contours[:0], false, false
}

// Broken reports whether the path had more than MaxPoints points. Such a path fills no pixels.
func (p *Path) Broken() bool { return p.broken }

// fixed() converts px to 1/256 px, rounded. NaN becomes 0.
func fixed(v float64) int32 {
	v = math.Floor(float64(v*sub) + 0.5)
	if v != v {
		return 0
	}
	return int32(min(far, max(-far, v)))
}

func (v point) float() Point { return Point{float64(v.x) / sub, float64(v.y) / sub} }

// add appends a point to the open contour. It ignores a point that equals the last point.
func (p *Path) add(v point) {
	if len(p.points) >= MaxPoints {
		p.broken = true
		return
	}
	c := &p.contours[len(p.contours)-1]
	if n := len(p.points); n > p.start() && p.points[n-1] == v {
		return
	}
	p.points = append(p.points, v)
	c.end = len(p.points)
}

// start returns the index of the first point of the last contour.
func (p *Path) start() int {
	if n := len(p.contours); n > 1 {
		return p.contours[n-2].end
	}
	return 0
}

// MoveTo begins a new contour.
func (p *Path) MoveTo(x, y float64) { p.moveTo(point{fixed(x), fixed(y)}) }

func (p *Path) moveTo(v point) {
	p.contours = append(p.contours, contour{end: len(p.points)})
	p.open = true
	p.add(v)
}

// LineTo draws a straight line to (x,y). At the start of a path or after Close it is the same as MoveTo.
func (p *Path) LineTo(x, y float64) { p.lineTo(point{fixed(x), fixed(y)}) }

func (p *Path) lineTo(v point) {
	if !p.open {
		p.moveTo(v)
		return
	}
	p.add(v)
}

// Close ends the contour with a line to its first point.
func (p *Path) Close() {
	if p.open {
		p.contours[len(p.contours)-1].closed = true
		p.open = false
	}
}

// Line draws an open contour through points.
func (p *Path) Line(points []Point) {
	for i, v := range points {
		if i == 0 {
			p.MoveTo(v.X, v.Y)
			continue
		}
		p.LineTo(v.X, v.Y)
	}
}

// Rect draws a rectangle, clockwise.
func (p *Path) Rect(x0, y0, x1, y1 float64) {
	p.MoveTo(x0, y0)
	p.LineTo(x1, y0)
	p.LineTo(x1, y1)
	p.LineTo(x0, y1)
	p.Close()
}

// each() calls f for every contour that has a point. It does not call f for a broken path. `ring` is true if the contour is closed.
func (p *Path) each(f func(points []point, ring bool)) {
	if p.broken {
		return
	}
	at := 0
	for _, c := range p.contours {
		if c.end > at {
			f(p.points[at:c.end], c.closed)
		}
		at = c.end
	}
}
