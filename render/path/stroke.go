package path

import "math"

// Cap is the shape of a line's ends.
type Cap uint8

// The caps.
const (
	Butt  Cap = iota // straight, exactly at the end
	Round            // half a disc around the end
)

// Pen is the style of a stroke. Its joins are always round.
type Pen struct {
	Width float64 // in px
	Cap   Cap
	// Dash lists the lengths of dashes and gaps in turn, in px, beginning with a dash. If Dash is empty, the line is solid. Lengths below
	// 1/16 px count as 1/16 px. If the number of lengths is odd, the second run of the list begins with a gap.
	Dash []float64
	// Offset is the position in the pattern at which the line starts, in px from the start of Dash. It must not be negative.
	Offset float64
}

// Stroke adds the outline of a stroke along all contours of `line`. `line` and p must be different paths.
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

// stroke adds the outline of one line. An open line becomes a single contour: its left side, a cap, its right side in the opposite
// direction, and another cap.
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

// stroker follows one line of at least two points.
type stroker struct {
	p      *Path
	points []point
	half   float64 // half of the pen's width
	cap    Cap
}

// leg is a straight piece of the line. It consists of a unit vector for its direction, and its length.
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

// left() returns a unit vector that points to the left of a leg.
func (d leg) left() Point { return Point{d.Y, -d.X} }

func (s *stroker) to(v, n Point) { s.p.LineTo(v.X+float64(s.half*n.X), v.Y+float64(s.half*n.Y)) }

// side draws the left side of the joins at n points, starting at point i. `step` is 1 for forward and -1 for backward.
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

// end draws the cap at point i. d is the leg that ends there.
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

// join draws the left side of the bend at v. A slight bend becomes one point. At a stronger bend, the left side goes around v in an arc
// if it is the outer side. If it is the inner side, it goes through v, so that no part of the outline runs in the opposite direction.
func (s *stroker) join(v Point, a, b leg) {
	n, m := a.left(), b.left()
	cos := float64(a.X*b.X) + float64(a.Y*b.Y)
	turn := float64(a.X*b.Y) - float64(a.Y*b.X)
	switch {
	case cos > 0 && s.flat(cos, min(a.length, b.length)):
		w := 1 + cos // |n+m|² / 2
		s.to(v, Point{(n.X + m.X) / w, (n.Y + m.Y) / w})
	case turn < 0:
		s.to(v, n)
		s.p.LineTo(v.X, v.Y)
		s.to(v, m)
	default:
		s.to(v, n)
		if cos < -0.999 { // the line turns back in the opposite direction
			s.p.arc(v, s.half, n, a.Point)
			n = a.Point
		}
		s.p.arc(v, s.half, n, m)
	}
}

// flat() reports whether a miter may replace the arc of a bend. The bend must be so slight that the difference is invisible, and the legs
// must be long enough.
func (s *stroker) flat(cos, shorter float64) bool {
	half := math.Sqrt((1 + cos) / 2) // cosine of half the angle
	return float64(s.half*(1/half-half)) <= 2*flatness && float64(s.half*s.half*(1-cos)) < float64(shorter*shorter*(1+cos))
}
