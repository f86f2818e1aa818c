package path

import "math"

// Cap is the form of a line's end.
type Cap uint8

// The caps.
const (
	Butt  Cap = iota // at the end, straight
	Round            // half a disc around the end
)

// Pen is the style of a stroke. Its joins are round.
type Pen struct {
	Width float64 // px
	Cap   Cap
	// Dash is the lengths, px, of dashes and the gaps between them in turn, beginning with a dash. No lengths are a
	// line without gaps. Lengths below 1/16 px count as that. An odd number of them counts twice.
	Dash []float64
	// Offset is how far into Dash the line begins, px, not negative.
	Offset float64
}

// Stroke adds the outline of a line along line's contours, which must not be p itself.
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

// stroke adds one line. An open one is a single contour: its left side there, a cap, its other side back.
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
	half   float64 // of the width
	cap    Cap
}

// leg is a straight piece of the line: its direction, of length 1, and its length.
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

// left is the direction to the left of a leg.
func (d leg) left() Point { return Point{d.Y, -d.X} }

func (s *stroker) to(v, n Point) { s.p.LineTo(v.X+float64(s.half*n.X), v.Y+float64(s.half*n.Y)) }

// side draws the left side of n joins of a ring, from point i on, going forward or back.
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

// end draws the cap at point i, where the line comes from d.
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

// join draws the left side of a bend at v. A flat bend is one point. Otherwise the inner side goes through v, so that
// no part of the outline turns against the rest, and the outer side goes around it.
func (s *stroker) join(v Point, a, b leg) {
	n, m := a.left(), b.left()
	cos := float64(a.X*b.X) + float64(a.Y*b.Y)
	turn := float64(a.X*b.Y) - float64(a.Y*b.X)
	switch {
	case cos > 0 && s.flat(cos, min(a.length, b.length)):
		w := 1 + cos // |n+m| squared over 2
		s.to(v, Point{(n.X + m.X) / w, (n.Y + m.Y) / w})
	case turn < 0:
		s.to(v, n)
		s.p.LineTo(v.X, v.Y)
		s.to(v, m)
	default:
		s.to(v, n)
		if cos < -0.999 { // back to its start
			s.p.arc(v, s.half, n, a.Point)
			n = a.Point
		}
		s.p.arc(v, s.half, n, m)
	}
}

// flat reports whether a bend is so slight that a mitre is as good as an arc, and the legs are long enough for it.
func (s *stroker) flat(cos, shorter float64) bool {
	half := math.Sqrt((1 + cos) / 2) // cos of half the angle
	return float64(s.half*(1/half-half)) <= 2*flatness && float64(s.half*s.half*(1-cos)) < float64(shorter*shorter*(1+cos))
}
