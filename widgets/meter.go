package widgets

import (
	"image"
	"image/color"
	"math"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/render/path"
)

// meter is a track with round ends that is filled from its start.
type meter struct {
	b       *Builder
	box     image.Rectangle // with the room of limits
	rect    image.Rectangle // of the track
	steps   int             // parts it is cut into; 0 is none
	mirror  bool
	track   path.Shape
	fill    path.Shape
	limits  path.Shape
	marking path.Shape
}

// span is the part of the bar from one share of its length to another, px.
func (x *meter) span(from, to float64) (x0, x1 float64) {
	lo, long := float64(x.rect.Min.X), float64(x.rect.Dx())
	if x.mirror {
		from, to = 1-to, 1-from
	}
	return lo + long*from, lo + long*to
}

// shape makes dst the first part of the bar.
func (x *meter) shape(dst *path.Shape, share float64) {
	o := &x.b.outlines
	o.begin()
	y0, y1 := float64(x.rect.Min.Y), float64(x.rect.Max.Y)
	radius := (y1 - y0) / 2
	if x.steps == 0 {
		if share > 0 { // never shorter than its round ends
			x0, x1 := x.span(0, max(share, min(1, 2*radius/float64(max(1, x.rect.Dx())))))
			o.area.RoundRect(x0, y0, x1, y1, radius)
		}
		o.fill(dst, x.box)
		return
	}
	gap := min(float64(x.b.px(stepGap)), float64(x.rect.Dx())/float64(2*x.steps)) / float64(max(1, x.rect.Dx()))
	part := (1 + gap) / float64(x.steps)
	for i := range int(share*float64(x.steps) + 0.5) {
		x0, x1 := x.span(float64(i)*part, float64(i+1)*part-gap)
		o.area.RoundRect(x0, y0, x1, y1, radius)
	}
	o.fill(dst, x.box)
}

func (x *meter) set(share float64) { x.shape(&x.fill, share) }

// mark puts n marks below the bar.
func (x *meter) mark(n int) {
	o := &x.b.outlines
	o.begin()
	thin := float64(x.b.px(1))
	for i := range n {
		x0, _ := x.span(float64(i)/max(1, float64(n-1)), 1)
		x0 = min(x0, float64(x.rect.Max.X)-thin)
		o.area.Rect(x0, float64(x.rect.Max.Y+x.b.px(2)), x0+thin, float64(x.rect.Max.Y+x.b.px(limitBeyond)))
	}
	o.fill(&x.marking, x.box)
}

// limit marks where thresholds begin and end.
func (x *meter) limit(s *scale, limits []Range) {
	o := &x.b.outlines
	o.begin()
	thin, beyond := float64(x.b.px(2)), float64(x.b.px(limitBeyond))
	for _, l := range limits {
		for _, bound := range []*float64{l.Above, l.Below} {
			if bound == nil {
				continue
			}
			if at := s.share(*bound); at > 0 && at < 1 {
				x0, _ := x.span(at, 1)
				o.area.Rect(x0-thin/2, float64(x.rect.Min.Y)-beyond, x0+thin/2, float64(x.rect.Max.Y)+beyond)
			}
		}
	}
	o.fill(&x.limits, x.box)
}

func (x *meter) paint(c render.Canvas, track, fill, limit color.RGBA) {
	c.Shape(&x.track, image.Point{}, track)
	c.Shape(&x.fill, image.Point{}, fill)
	c.Shape(&x.marking, image.Point{}, x.b.role("muted"))
	c.Shape(&x.limits, image.Point{}, limit)
}

// meter makes a bar in the middle of the height of a box.
func (b *Builder) meter(box image.Rectangle) *meter { return b.steppedMeter(box, 0) }

func (b *Builder) steppedMeter(box image.Rectangle, steps int) *meter {
	high := min(box.Dy(), b.px(barHigh))
	at := box.Min.Y + (box.Dy()-high)/2
	x := &meter{b: b, box: box, rect: image.Rect(box.Min.X, at, box.Max.X, at+high), steps: steps, mirror: b.Locale.RightToLeft}
	x.shape(&x.track, 1)
	return x
}

// round is an arc or a ring: a track, and the part of it that a value fills or points at.
type round struct {
	b           *Builder
	box         image.Rectangle
	center      path.Point
	radius      float64 // of the middle of the stroke
	stroke      float64
	from, sweep float64
	needle      bool
	marked      bool
	track, fill path.Shape
	ticks       path.Shape
}

// arc makes a shape of a part of the track.
func (r *round) arc(dst *path.Shape, share float64) {
	o := &r.b.outlines
	o.begin()
	if share <= 0 {
		o.fill(dst, r.box)
		return
	}
	if share >= 1 && r.sweep >= 2*math.Pi {
		o.line.Circle(r.center.X, r.center.Y, r.radius)
	} else {
		o.line.Arc(r.center.X, r.center.Y, r.radius, r.from, r.from+r.sweep*share)
	}
	o.stroke(dst, path.Pen{Width: r.stroke, Cap: path.Round}, r.box)
}

// at is a place on a ray from the center.
func (r *round) at(share, radius float64) path.Point {
	sin, cos := math.Sincos(r.from + r.sweep*share)
	return path.Point{X: r.center.X + cos*radius, Y: r.center.Y + sin*radius}
}

// set shows a share of the whole.
func (r *round) set(share float64) {
	if !r.needle {
		r.arc(&r.fill, share)
		return
	}
	o := &r.b.outlines
	o.begin()
	tip, end := r.at(share, r.radius-r.stroke), r.at(share, -r.radius*0.12)
	o.line.MoveTo(end.X, end.Y)
	o.line.LineTo(tip.X, tip.Y)
	pen := path.Pen{Width: max(2, r.stroke*0.3), Cap: path.Round}
	o.area.Stroke(&o.line, pen)
	o.area.Circle(r.center.X, r.center.Y, pen.Width*1.3)
	o.fill(&r.fill, r.box)
}

// mark puts n marks along the inside of the track.
func (r *round) mark(n int) {
	r.marked = n > 0
	o := &r.b.outlines
	o.begin()
	for i := range n {
		share := float64(i) / math.Max(1, float64(n-1))
		if r.sweep >= 2*math.Pi {
			share = float64(i) / float64(n)
		}
		a, b := r.at(share, r.radius-r.stroke), r.at(share, r.radius-r.stroke*1.5)
		o.line.MoveTo(a.X, a.Y)
		o.line.LineTo(b.X, b.Y)
	}
	o.stroke(&r.ticks, path.Pen{Width: float64(r.b.px(1.5))}, r.box)
}

// middle is the box of the figure inside.
func (r *round) middle() image.Rectangle {
	half := r.radius - r.stroke*1.2
	if r.marked {
		half -= r.stroke / 2
	}
	x, y, h := r.center.X, r.center.Y, half
	if r.needle {
		y += r.radius * 0.62
		half, h = r.radius*0.5, r.radius*needleText*1.2
	}
	return image.Rect(int(x-half), int(y-h), int(x+half), int(y+h))
}

// face is that of the figure inside.
func (r *round) face() face {
	part := ringFigure
	if r.needle {
		part = needleText
	}
	st := r.b.Look.Styles["figure"]
	return r.b.faceAt(st, int((2*r.radius+r.stroke)*part))
}

func (r *round) paint(c render.Canvas, track, fill, ticks color.RGBA) {
	c.Shape(&r.track, image.Point{}, track)
	c.Shape(&r.ticks, image.Point{}, ticks)
	c.Shape(&r.fill, image.Point{}, fill)
}

// round makes an arc or a ring as large as a box has room for.
func (b *Builder) round(box image.Rectangle, arc, needle bool) *round {
	r := &round{b: b, box: box, from: ringFrom, sweep: 2 * math.Pi, needle: needle}
	high := 1.0 // of the diameter
	if arc {
		r.from, r.sweep, high = arcFrom, arcSweep, 0.75+ringStroke/4
	}
	below := 0.0
	if needle {
		below = needleText
		high += below / 2
	}
	side := min(float64(box.Dx()), float64(box.Dy())/high, float64(b.px(ringMost)))
	r.stroke = max(1, side*ringStroke)
	r.radius = max(0, (side-r.stroke)/2)
	middle := float64(box.Min.X+box.Max.X) / 2
	top := float64(box.Min.Y) + (float64(box.Dy())-side*high)/2
	r.center = path.Point{X: middle, Y: top + side/2}
	r.arc(&r.track, 1)
	return r
}

// scale is the ends of a live scale.
type scale struct{ min, max input }

func (s *scale) update(t render.Tick) bool {
	changed := s.min.update(t)
	return s.max.update(t) || changed
}

// share is where v lies between the ends, from 0 to 1; what is no number lies at 0.
func (s *scale) share(v float64) float64 {
	lo, hi := 0.0, 100.0
	if n, ok := s.min.number(); ok {
		lo = n
	}
	if n, ok := s.max.number(); ok {
		hi = n
	}
	x := (v - lo) / (hi - lo)
	if !(hi > lo) || math.IsNaN(x) {
		return 0
	}
	return min(max(x, 0), 1)
}

func (b *Builder) scale(s *Spec, p *Scaled) scale {
	return scale{inputOf(b, s, p.Min, anyOf[float64]), inputOf(b, s, p.Max, anyOf[float64])}
}

// Scaled is the parameters of a number on a scale.
type Scaled struct {
	Value *config.Live[value.Plain] `yaml:"value" doc:"The number."`
	Thing
	Min *config.Live[float64] `yaml:"min" doc:"The number at which the scale begins; 0 without it."`
	Max *config.Live[float64] `yaml:"max" doc:"The number at which it ends; 100 without it."`
}

const ringStroke = 0.08

const limitBeyond = 5 // px that a limit's mark is higher than its bar, on both sides

const ringFigure = 0.26

const needleText = 0.18

const arcFrom = math.Pi * 5 / 6

const arcSweep = math.Pi * 4 / 3

const ringFrom = -math.Pi / 2

const ringMost = 420 // px: a larger ring says no more

// stepGap is the room between two steps, px at a shorter side of 720 px.
const stepGap = 4
