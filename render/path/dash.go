package path

import "math"

// leastDash is the minimum length of a dash or gap, in px. Shorter dashes would be invisible, and would need many points.
const leastDash = 1.0 / 16

// dashes() adds the outlines of all dashes of one line to p.
func (p *Path) dashes(points []point, ring bool, pen Pen) {
	d := dasher{p: p, pen: pen}
	d.start()
	d.begin(points[0])
	for i := 1; i < len(points); i++ {
		d.along(points[i-1], points[i])
	}
	if ring {
		d.along(points[len(points)-1], points[0])
	}
	d.finish()
}

// dasher follows a line and cuts it into dashes.
type dasher struct {
	p    *Path
	pen  Pen
	i    int     // index of the current dash or gap. After the end of pen.Dash, it continues to increase
	left float64 // px that remain of the current dash or gap
}

func (d *dasher) length() float64 {
	l := max(leastDash, d.pen.Dash[d.i%len(d.pen.Dash)])
	if l != l {
		return leastDash
	}
	return l
}

// start moves the dasher to pen.Offset in the pattern.
func (d *dasher) start() {
	total := 0.0
	for range 2 * len(d.pen.Dash) { // two runs of the list: with an odd number of lengths, the second run begins with a gap
		total += d.length()
		d.i++
	}
	d.i, d.left = 0, d.length()
	for skip := math.Mod(max(0, d.pen.Offset), total); skip >= d.left; {
		skip -= d.left
		d.i++
		d.left = d.length()
		if skip < d.left {
			d.left -= skip
			break
		}
	}
}

// on() reports whether the dasher is in a dash, not in a gap.
func (d *dasher) on() bool { return d.i%2 == 0 }

func (d *dasher) begin(v point) { d.p.dash = append(d.p.dash[:0], v) }

func (d *dasher) finish() {
	if d.on() && len(d.p.dash) > 1 {
		d.p.stroke(d.p.dash, false, d.pen)
	}
}

// along() follows one straight piece of the line.
func (d *dasher) along(from, to point) {
	a, b := from.float(), to.float()
	dx, dy := b.X-a.X, b.Y-a.Y
	l := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	done := 0.0
	for l-done >= d.left && !d.p.broken {
		done += d.left
		v := point{fixed(a.X + float64(dx*done/l)), fixed(a.Y + float64(dy*done/l))}
		d.p.dash = append(d.p.dash, v)
		d.finish()
		d.begin(v)
		d.i++
		d.left = d.length()
	}
	d.left -= l - done
	if d.p.dash[len(d.p.dash)-1] != to {
		d.p.dash = append(d.p.dash, to)
	}
}
