package path

import "math"

// maxChords bounds the straight pieces of one curve. A curve as long as the width of a 4K screen is then drawn with pieces of about 8 px.
const maxChords = 512

// here() returns the last point of the open contour.
func (p *Path) here() Point {
	if len(p.points) == 0 {
		return Point{}
	}
	return p.points[len(p.points)-1].float()
}

// QuadTo draws a quadratic curve to the point c, with the control point b.
func (p *Path) QuadTo(bx, by, cx, cy float64) {
	a := p.here()
	third := func(end, control float64) float64 { return end + float64((control-end)*2/3) }
	p.CubeTo(third(a.X, bx), third(a.Y, by), third(cx, bx), third(cy, by), cx, cy)
}

// CubeTo draws a cubic curve to the point d, with the control points b and c. In this file, products are rounded before they are added, so
// that every processor draws the same picture.
func (p *Path) CubeTo(bx, by, cx, cy, dx, dy float64) {
	if !p.open {
		p.MoveTo(bx, by)
	}
	a := p.here()
	n := chords(bend(a.X, bx, cx)+bend(bx, cx, dx), bend(a.Y, by, cy)+bend(by, cy, dy))
	for i := 1; i < n; i++ {
		t := float64(i) / float64(n)
		p.LineTo(bezier(a.X, bx, cx, dx, t), bezier(a.Y, by, cy, dy, t))
	}
	p.LineTo(dx, dy)
}

// bend returns twice the distance of b from the middle between a and c, in one coordinate. It is 0
// if the three points are evenly spaced on a line.
func bend(a, b, c float64) float64 { return math.Abs(a - float64(2*b) + c) }

// chords() returns the number of straight pieces that a curve needs. x and y are the bends of the curve. The pieces then deviate from the
// curve by at most the constant `flatness`.
func chords(x, y float64) int {
	n := math.Ceil(math.Sqrt(float64(0.75 / flatness * (x + y))))
	if n != n {
		return 1
	}
	return int(min(maxChords, max(1, n)))
}

// bezier returns one coordinate of the point at t (0 to 1) on a cubic curve.
func bezier(a, b, c, d, t float64) float64 {
	between := func(v, w float64) float64 { return v + float64((w-v)*t) }
	ab, bc, cd := between(a, b), between(b, c), between(c, d)
	return between(between(ab, bc), between(bc, cd))
}

// Smooth draws an open contour through points with increasing X, as a monotone cubic curve (M. Steffen, 1990). Between two points, the
// curve stays between the Y values of the two points. Where X does not increase, the line is straight.
func (p *Path) Smooth(points []Point) {
	for i, v := range points {
		if i == 0 {
			p.MoveTo(v.X, v.Y)
			continue
		}
		u := points[i-1]
		if !(v.X > u.X) {
			p.LineTo(v.X, v.Y)
			continue
		}
		third := (v.X - u.X) / 3
		p.CubeTo(u.X+third, u.Y+float64(third*tangent(points, i-1)), v.X-third, v.Y-float64(third*tangent(points, i)), v.X, v.Y)
	}
}

// tangent returns the slope of the smooth curve at point i.
func tangent(points []Point, i int) float64 {
	if i == 0 || i == len(points)-1 {
		return endTangent(points, i)
	}
	a, b, c := points[i-1], points[i], points[i+1]
	before, after := b.X-a.X, c.X-b.X
	if !(before > 0 && after > 0) {
		return 0
	}
	s, t := (b.Y-a.Y)/before, (c.Y-b.Y)/after
	if s*t <= 0 {
		return 0
	}
	mean := (float64(s*after) + float64(t*before)) / (before + after)
	return math.Copysign(min(math.Abs(mean), 2*math.Abs(s), 2*math.Abs(t)), s)
}

// endTangent returns the slope at the first or last point. Two points are connected by a straight line. With more points, the first and
// the last piece become quadratic curves.
func endTangent(points []Point, i int) float64 {
	j := 1
	if i > 0 {
		j = i - 1
	}
	run := points[j].X - points[i].X
	if run == 0 {
		return 0
	}
	slope := (points[j].Y - points[i].Y) / run
	if len(points) < 3 {
		return slope
	}
	t := (float64(3*slope) - tangent(points, j)) / 2
	if t*slope <= 0 {
		return 0
	}
	return t
}

// Arc draws an arc of the circle around (cx,cy) between the angles `from` and `to`. If `to` is greater than `from`, the arc runs clockwise.
// If a contour is open, a line connects its end with the start of the arc. An arc is at most one whole circle.
func (p *Path) Arc(cx, cy, r, from, to float64) {
	sweep := min(2*math.Pi, max(-2*math.Pi, to-from))
	if !(r > 0) || sweep != sweep {
		p.LineTo(cx, cy)
		return
	}
	r = min(r, far/sub)
	parts := 1 + int(math.Abs(sweep)/(math.Pi/2))
	c, a := Point{cx, cy}, onCircle(from)
	p.LineTo(cx+float64(r*a.X), cy+float64(r*a.Y))
	for i := 1; i <= parts; i++ {
		b := onCircle(from + float64(sweep*float64(i)/float64(parts)))
		p.arc(c, r, a, b)
		a = b
	}
}

func onCircle(angle float64) Point {
	s, c := math.Sincos(angle)
	return Point{c, s}
}

// arc draws an arc around c with radius r. The arc starts at c + r*a, which is the end of the contour, and ends at c + r*b. a and b are
// unit vectors less than half a turn apart. arc splits the arc in halves until each part is close enough to a straight line.
func (p *Path) arc(c Point, r float64, a, b Point) {
	m := Point{a.X + b.X, a.Y + b.Y}
	l := math.Sqrt(float64(m.X*m.X) + float64(m.Y*m.Y)) // 2 times the cosine of half the angle
	if float64(r*(2-l)) > 2*flatness && l > 0 {
		m = Point{m.X / l, m.Y / l}
		p.arc(c, r, a, m)
		p.arc(c, r, m, b)
		return
	}
	p.LineTo(c.X+float64(r*b.X), c.Y+float64(r*b.Y))
}

// Circle draws a circle, clockwise.
func (p *Path) Circle(cx, cy, r float64) {
	p.open = false
	p.Arc(cx, cy, r, 0, 2*math.Pi)
	p.Close()
}

// RoundRect draws a rectangle with round corners, clockwise. The radius is at most half of the shorter side.
func (p *Path) RoundRect(x0, y0, x1, y1, r float64) {
	r = min(r, (x1-x0)/2, (y1-y0)/2)
	if !(r > 0) {
		p.Rect(x0, y0, x1, y1)
		return
	}
	p.open = false
	quarter := math.Pi / 2
	p.Arc(x0+r, y0+r, r, 2*quarter, 3*quarter)
	p.Arc(x1-r, y0+r, r, 3*quarter, 4*quarter)
	p.Arc(x1-r, y1-r, r, 0, quarter)
	p.Arc(x0+r, y1-r, r, quarter, 2*quarter)
	p.Close()
}

// Ring draws a part of a ring, between two radii and two angles. Gauges and pie charts use it.
func (p *Path) Ring(cx, cy, inner, outer, from, to float64) {
	p.open = false
	p.Arc(cx, cy, outer, from, to)
	if math.Abs(to-from) >= 2*math.Pi {
		p.Close() // a whole ring: the hole is a separate contour
	}
	p.Arc(cx, cy, inner, to, from)
	p.Close()
}
