package widgets

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/render/path"
)

// Scaled is the parameters of a number on a scale.
type Scaled struct {
	Value *config.Live[value.Plain] `yaml:"value" doc:"The number."`
	Thing
	Min *config.Live[float64] `yaml:"min" doc:"The number at which the scale begins; 0 without it."`
	Max *config.Live[float64] `yaml:"max" doc:"The number at which it ends; 100 without it."`
}

// GaugeParams are the parameters of the gauge widget.
type GaugeParams struct {
	Framed
	Typed
	Wording
	Scaled
	Form   string `yaml:"kind" default:"arc" enum:"arc,ring,bar" doc:"What the number is shown on."`
	Needle bool   `yaml:"needle" default:"false" doc:"A needle instead of a filled part."`
	Ticks  int    `yaml:"ticks" default:"0" min:"0" max:"100" doc:"How many marks there are along the scale."`
}

// scale is the ends of a live scale.
type scale struct{ min, max input }

func (b *Builder) scale(s *Spec, p *Scaled) scale {
	return scale{inputOf(b, s, p.Min, anyOf[float64]), inputOf(b, s, p.Max, anyOf[float64])}
}

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

// Proportions of an arc or ring, of its diameter; angles are radians, clockwise from the right.
const (
	ringStroke  = 0.08
	ringFigure  = 0.26
	needleText  = 0.18
	arcFrom     = math.Pi * 5 / 6
	arcSweep    = math.Pi * 4 / 3
	ringFrom    = -math.Pi / 2
	barHigh     = 8   // px at a shorter side of 720 px
	limitBeyond = 5   // px that a limit's mark is higher than its bar, on both sides
	ringMost    = 420 // px: a larger ring says no more
)

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

// gauge is a number on an arc or a ring, or above a bar.
type gauge struct {
	b      *Builder
	size   image.Point
	figure *figure
	scale  scale
	accent input
	round  *round
	bar    *meter
	limits []Range

	track, fill, ticks color.RGBA
}

func buildGauge(b *Builder, s *Spec, p *GaugeParams, size image.Point) render.Widget {
	w := &gauge{
		b: b, size: size, scale: b.scale(s, &p.Scaled), accent: inputOf(b, s, p.Accent, colorOf), limits: p.Thresholds,
		track: b.role("line"), ticks: b.role("muted"),
	}
	in, box := inputOf(b, s, p.Value, plainOf), image.Rectangle{Max: size}
	foot := b.px(barHigh + 2*limitBeyond)
	switch {
	case w.cramped(p.Form, foot): // the number counts
		w.figure = b.figure(s, &p.Typed, &p.Wording, in, box, p.Empty)
	case p.Form == "bar":
		w.bar = b.meter(image.Rect(0, max(0, size.Y-foot), size.X, size.Y))
		w.figure = b.figure(s, &p.Typed, &p.Wording, in, image.Rect(0, 0, size.X, max(1, size.Y-foot-b.px(4))), p.Empty)
		w.bar.mark(p.Ticks)
	default:
		w.round = b.round(box, p.Form == "arc", p.Needle)
		w.round.mark(p.Ticks)
		f := w.round.face()
		if p.Style != "" || p.TextSize > 0 {
			f = b.typed(s, &p.Typed, "figure")
		}
		w.figure = b.figureAt(s, &p.Typed, &p.Wording, in, w.round.middle(), p.Empty, f)
		w.figure.centered = true
		w.figure.say(time.Time{})
	}
	w.load()
	return w
}

// load shows the present value.
func (w *gauge) load() {
	v, ok := w.figure.in.number()
	w.fill = w.accent.color(w.b, w.b.role("accent"))
	if c := w.figure.said.color; c != nil {
		w.fill = render.Premultiply(*c)
	}
	share := 0.0
	if ok {
		share = w.scale.share(v)
	}
	switch {
	case w.round != nil:
		if w.round.needle {
			w.fill = w.figure.ink
		}
		w.round.set(share)
	case w.bar != nil:
		w.bar.set(share)
		w.bar.limit(&w.scale, w.limits)
	}
}

// roundLeast is the least diameter of an arc or ring with a figure in it, px at a shorter side of 720 px.
const roundLeast = 64

// cramped reports whether there is room for the number alone.
func (w *gauge) cramped(form string, foot int) bool {
	if form == "bar" {
		return w.size.Y < foot+w.b.face("body").line
	}
	return min(w.size.X, w.size.Y) < w.b.px(roundLeast)
}

// natural implements sized.
func (w *gauge) natural(width int) image.Point {
	if w.round != nil {
		side := min(width, w.b.px(ringMost))
		return image.Pt(width, side)
	}
	return image.Pt(width, w.figure.height()+w.b.px(barHigh+2*limitBeyond+4))
}

// Update implements render.Widget.
func (w *gauge) Update(t render.Tick) {
	changed := w.figure.update(t)
	changed = w.scale.update(t) || changed
	if w.accent.update(t) || changed {
		w.load()
		t.DamageAll()
	}
}

// Paint implements render.Widget.
func (w *gauge) Paint(c render.Canvas) {
	fill := w.fill
	if w.figure.stale {
		fill = faint(fill)
	}
	if w.round != nil {
		w.round.paint(c, w.track, fill, w.ticks)
	} else if w.bar != nil {
		w.bar.paint(c, w.track, fill, w.b.role("text"))
	}
	w.figure.paint(c)
}
