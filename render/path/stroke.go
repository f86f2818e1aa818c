package path

import "math"

// Cap is the form of a line's end.
type Cap uint8

// The caps.
const (
	Butt  Cap = iota // straight, at the end
	Round            // half a disc around the end
)

// Pen is the style of a stroke. Its joins are round.
type Pen struct {
	Width float64 // px
	Cap   Cap
	// Dash lists the lengths, in px, of dashes and gaps in turn, beginning with a dash. If Dash is empty, the line has no gaps.
	// Lengths below 1/16 px count as 1/16 px. If the number of lengths is odd, the list is used twice.
	Dash []float64
	// Offset is the distance from the start of Dash, in px, at which the line begins. It must not be negative.
	Offset float64
}

// Stroke adds the outline of a stroke along the contours of line. line must not be p itself.
func (p *Path) Stroke(line *Path, pen Pen) {
	p.broken = p.broken || line.broken
	if !(pen.Width > 0) {
		return
	}
	line.each(func(points []point, ring bool) {
		if len(pen.Dash) > 0 {
			p.dashes(points, ring, pen)
			return
		}
		p.stroke(points, ring, pen)
	})
}

// stroke adds one line. An open line becomes a single contour: its left side forward, a cap, and its other side back.
func (p *Path) stroke(points []point, ring bool, pen Pen) {
	s := stroker{p: p, points: points, half: min(pen.Width, far/sub) / 2, cap: pen.Cap}
	if ring && len(points) > 1 && points[0] == points[len(points)-1] {
		s.points = points[:len(points)-1]
	}
	p.open = false
	switch n := len(s.points); {
	case n == 1 && pen.Cap == Round:
		v := s.points[0].float()
		p.Circle(v.X, v.Y, s.half)
	case n == 1:
	case ring && n > 2:
		s.side(0, n, 1)
		p.Close()
		s.side(n-1, n, -1)
	default:
		s.open()
	}
	p.Close()
}

// stroker walks along one line of at least two points.
type stroker struct {
	p      *Path
	points []point
	half   float64 // half of the width
	cap    Cap
}

// leg is a straight piece of the line: its unit direction and its length.
type leg struct {
	Point
	length float64
}

func (s *stroker) at(i int) Point {
	n := len(s.points)
	return s.points[(i%n+n)%n].float()
}

func (s *stroker) leg(from, to int) leg {
	a, b := s.at(from), s.at(to)
	dx, dy := b.X-a.X, b.Y-a.Y
	l := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	if l == 0 {
		return leg{Point: Point{1, 0}}
	}
	return leg{Point{dx / l, dy / l}, l}
}

// left returns the direction to the left of a leg.
func (d leg) left() Point { return Point{d.Y, -d.X} }

func (s *stroker) to(v, n Point) { s.p.LineTo(v.X+float64(s.half*n.X), v.Y+float64(s.half*n.Y)) }

// side draws the left side of n joins of a ring, starting at point i, forward or backward.
func (s *stroker) side(i, n, step int) {
	for range n {
		s.join(s.at(i), s.leg(i-step, i), s.leg(i, i+step))
		i += step
	}
}

func (s *stroker) open() {
	last := len(s.points) - 1
	s.to(s.at(0), s.leg(0, 1).left())
	s.side(1, last-1, 1)
	s.end(last, s.leg(last-1, last))
	s.side(last-1, last-1, -1)
	s.end(0, s.leg(1, 0))
}

// end draws the cap at point i. d is the last leg before it.
func (s *stroker) end(i int, d leg) {
	v, n := s.at(i), d.left()
	s.to(v, n)
	back := Point{-n.X, -n.Y}
	if s.cap == Round {
		s.p.arc(v, s.half, n, d.Point)
		s.p.arc(v, s.half, d.Point, back)
		return
	}
	s.to(v, back)
}

// join draws the left side of a bend at v. A flat bend becomes one point. Otherwise the inner side goes through v, so that no part
// of the outline has the opposite direction, and the outer side goes around v.
func (s *stroker) join(v Point, a, b leg) {
	n, m := a.left(), b.left()
	cos := float64(a.X*b.X) + float64(a.Y*b.Y)
	turn := float64(a.X*b.Y) - float64(a.Y*b.X)
	switch {
	case cos > 0 && s.flat(cos, min(a.length, b.length)):
		w := 1 + cos // half of |n+m| squared
		s.to(v, Point{(n.X + m.X) / w, (n.Y + m.Y) / w})
	case turn < 0:
		s.to(v, n)
		s.p.LineTo(v.X, v.Y)
		s.to(v, m)
	default:
		s.to(v, n)
		if cos < -0.999 { // the line turns back
			s.p.arc(v, s.half, n, a.Point)
			n = a.Point
		}
		s.p.arc(v, s.half, n, m)
	}
}

// flat reports whether a bend is so slight that a mitre looks like an arc, and whether the legs are long enough for a mitre.
func (s *stroker) flat(cos, shorter float64) bool {
	half := math.Sqrt((1 + cos) / 2) // cos of half the angle
	return float64(s.half*(1/half-half)) <= 2*flatness && float64(s.half*s.half*(1-cos)) < float64(shorter*shorter*(1+cos))
}
