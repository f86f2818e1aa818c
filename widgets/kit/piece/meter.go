package piece

import (
	"image"
	"image/color"
	"math"
	"slices"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
)

// Meter is a bar with round ends that is filled from its start.
type Meter struct {
	b       *kit.Builder
	box     image.Rectangle // rectangle of the bar, including the marks of limits
	Rect    image.Rectangle // rectangle of the bar
	steps   int             // number of steps, 0 for a bar without steps
	mirror  bool
	track   path.Shape
	fill    path.Shape
	limits  path.Shape
	marking path.Shape
}

// span() returns the x coordinates between which a part of the bar lies. `from` and `to` are shares of the bar's length.
func (x *Meter) span(from, to float64) (x0, x1 float64) {
	lo, long := float64(x.Rect.Min.X), float64(x.Rect.Dx())
	if x.mirror {
		from, to = 1-to, 1-from
	}
	return lo + long*from, lo + long*to
}

// shape() sets dst to the shape of the bar, filled up to a share of its length.
func (x *Meter) shape(dst *path.Shape, share float64) {
	o := &x.b.Outlines
	o.Begin()
	y0, y1 := float64(x.Rect.Min.Y), float64(x.Rect.Max.Y)
	radius := (y1 - y0) / 2
	if x.steps == 0 {
		if share > 0 { // at least both round ends are drawn
			x0, x1 := x.span(0, max(share, min(1, 2*radius/float64(max(1, x.Rect.Dx())))))
			o.Area.RoundRect(x0, y0, x1, y1, radius)
		}
		o.Fill(dst, x.box)
		return
	}
	gap := min(float64(x.b.Px(stepGap)), float64(x.Rect.Dx())/float64(2*x.steps)) / float64(max(1, x.Rect.Dx()))
	part := (1 + gap) / float64(x.steps)
	for i := range int(share*float64(x.steps) + 0.5) {
		x0, x1 := x.span(float64(i)*part, float64(i+1)*part-gap)
		o.Area.RoundRect(x0, y0, x1, y1, radius)
	}
	o.Fill(dst, x.box)
}

// Set sets the filled share of the meter, from 0 to 1.
func (x *Meter) Set(share float64) { x.shape(&x.fill, share) }

// Steps returns the number of steps, or 0 for a bar without steps.
func (x *Meter) Steps() int { return x.steps }

// Mark adds n marks below the bar.
func (x *Meter) Mark(n int) {
	o := &x.b.Outlines
	o.Begin()
	thin := float64(x.b.Px(1))
	for i := range n {
		x0, _ := x.span(float64(i)/max(1, float64(n-1)), 1)
		x0 = min(x0, float64(x.Rect.Max.X)-thin)
		o.Area.Rect(x0, float64(x.Rect.Max.Y+x.b.Px(2)), x0+thin, float64(x.Rect.Max.Y+x.b.Px(LimitBeyond)))
	}
	o.Fill(&x.marking, x.box)
}

// Limit draws marks on the bar at the bounds of the thresholds.
func (x *Meter) Limit(s *Scale, limits []format.Range) {
	o := &x.b.Outlines
	o.Begin()
	thin, beyond := float64(x.b.Px(2)), float64(x.b.Px(LimitBeyond))
	for _, l := range limits {
		for _, bound := range []*float64{l.Above, l.Below} {
			if bound == nil {
				continue
			}
			if at := s.Share(*bound); at > 0 && at < 1 {
				x0, _ := x.span(at, 1)
				o.Area.Rect(x0-thin/2, float64(x.Rect.Min.Y)-beyond, x0+thin/2, float64(x.Rect.Max.Y)+beyond)
			}
		}
	}
	o.Fill(&x.limits, x.box)
}

// Paint draws the meter.
func (x *Meter) Paint(c render.Canvas, track, fill, limit color.RGBA) {
	c.Shape(&x.track, image.Point{}, track)
	c.Shape(&x.fill, image.Point{}, fill)
	c.Shape(&x.marking, image.Point{}, x.b.Role("muted"))
	c.Shape(&x.limits, image.Point{}, limit)
}

// NewMeter creates a bar that is vertically centered in a box.
func NewMeter(b *kit.Builder, box image.Rectangle) *Meter { return SteppedMeter(b, box, 0) }

// SteppedMeter creates a bar with steps that is vertically centered in a box. If `steps` is 0, the bar is not divided.
func SteppedMeter(b *kit.Builder, box image.Rectangle, steps int) *Meter {
	high := min(box.Dy(), b.Px(BarHigh))
	at := box.Min.Y + (box.Dy()-high)/2
	x := &Meter{b: b, box: box, Rect: image.Rect(box.Min.X, at, box.Max.X, at+high), steps: steps, mirror: b.Locale.RightToLeft}
	x.shape(&x.track, 1)
	return x
}

// Round is an arc or a ring. A filled part or a needle shows the value.
type Round struct {
	b           *kit.Builder
	box         image.Rectangle
	center      path.Point
	Radius      float64 // radius of the center line of the stroke
	Stroke      float64
	from, sweep float64
	Needle      bool
	marked      bool
	track, fill path.Shape
	ticks       path.Shape
}

// Cross returns two rectangles that together cover the circle of the scale.
func (r *Round) Cross() (upright, lying image.Rectangle) {
	far := r.Radius + r.Stroke/2
	rect := func(x, y float64) image.Rectangle {
		return image.Rect(int(r.center.X-x), int(r.center.Y-y), int(math.Ceil(r.center.X+x)), int(math.Ceil(r.center.Y+y)))
	}
	near := far * math.Sqrt2 / 2 // the sides of the two rectangles cross on the circle
	return rect(near, far), rect(far, near)
}

// arc() sets dst to the shape of the track from its start up to `share`, a share of the track's length.
func (r *Round) arc(dst *path.Shape, share float64) {
	o := &r.b.Outlines
	o.Begin()
	if share <= 0 {
		o.Fill(dst, r.box)
		return
	}
	if share >= 1 && r.sweep >= 2*math.Pi {
		o.Line.Circle(r.center.X, r.center.Y, r.Radius)
	} else {
		o.Line.Arc(r.center.X, r.center.Y, r.Radius, r.from, r.from+r.sweep*share)
	}
	o.Stroke(dst, path.Pen{Width: r.Stroke, Cap: path.Round}, r.box)
}

// at() returns the point at the distance `radius` from the center, in the direction of the end of the given share of the track.
func (r *Round) at(share, radius float64) path.Point {
	sin, cos := math.Sincos(r.from + r.sweep*share)
	return path.Point{X: r.center.X + cos*radius, Y: r.center.Y + sin*radius}
}

// Set sets the filled share, from 0 to 1.
func (r *Round) Set(share float64) {
	if !r.Needle {
		r.arc(&r.fill, share)
		return
	}
	o := &r.b.Outlines
	o.Begin()
	tip, end := r.at(share, r.Radius-r.Stroke), r.at(share, -r.Radius*0.12)
	o.Line.MoveTo(end.X, end.Y)
	o.Line.LineTo(tip.X, tip.Y)
	pen := path.Pen{Width: max(2, r.Stroke*0.3), Cap: path.Round}
	o.Area.Stroke(&o.Line, pen)
	o.Area.Circle(r.center.X, r.center.Y, pen.Width*1.3)
	o.Fill(&r.fill, r.box)
}

// Mark adds n marks along the inner side of the track.
func (r *Round) Mark(n int) {
	r.marked = n > 0
	o := &r.b.Outlines
	o.Begin()
	for i := range n {
		share := float64(i) / math.Max(1, float64(n-1))
		if r.sweep >= 2*math.Pi {
			share = float64(i) / float64(n)
		}
		a, b := r.at(share, r.Radius-r.Stroke), r.at(share, r.Radius-r.Stroke*1.5)
		o.Line.MoveTo(a.X, a.Y)
		o.Line.LineTo(b.X, b.Y)
	}
	o.Stroke(&r.ticks, path.Pen{Width: float64(r.b.Px(1.5))}, r.box)
}

// Middle returns the box for the number inside the arc or ring. With a needle, the box is below the center.
func (r *Round) Middle() image.Rectangle {
	half := r.Radius - r.Stroke*1.2
	if r.marked {
		half -= r.Stroke / 2
	}
	x, y, h := r.center.X, r.center.Y, half
	if r.Needle {
		y += r.Radius * 0.62
		half, h = r.Radius*0.5, r.Radius*needleText*1.2
	}
	return image.Rect(int(x-half), int(y-h), int(x+half), int(y+h))
}

// Face returns the face of the number inside the arc or ring. Its digits have different widths at every size, because gaps around a 1 are
// conspicuous in a short number.
func (r *Round) Face() kit.Face {
	part := ringFigure
	if r.Needle {
		part = needleText
	}
	st := r.b.Look.Styles["figure"]
	st.Features = slices.DeleteFunc(slices.Clone(st.Features), func(f string) bool { return f == "tnum" })
	return r.b.FaceAt(st, int((2*r.Radius+r.Stroke)*part))
}

// Paint draws the arc or ring.
func (r *Round) Paint(c render.Canvas, track, fill, ticks color.RGBA) {
	c.Shape(&r.track, image.Point{}, track)
	c.Shape(&r.ticks, image.Point{}, ticks)
	c.Shape(&r.fill, image.Point{}, fill)
}

// NewRound creates the largest arc or ring that fits into a box. Its diameter is at most RingMost.
func NewRound(b *kit.Builder, box image.Rectangle, arc, needle bool) *Round {
	r := &Round{b: b, box: box, from: ringFrom, sweep: 2 * math.Pi, Needle: needle}
	high := 1.0 // height divided by diameter
	if arc {
		r.from, r.sweep, high = arcFrom, arcSweep, 0.75+ringStroke/4
	}
	below := 0.0
	if needle {
		below = needleText
		high += below / 2
	}
	side := min(float64(box.Dx()), float64(box.Dy())/high, float64(b.Px(RingMost)))
	r.Stroke = max(1, side*ringStroke)
	r.Radius = max(0, (side-r.Stroke)/2)
	middle := float64(box.Min.X+box.Max.X) / 2
	top := float64(box.Min.Y) + (float64(box.Dy())-side*high)/2
	r.center = path.Point{X: middle, Y: top + side/2}
	r.arc(&r.track, 1)
	return r
}

// Scale holds the ends of a scale, which may be live values.
type Scale struct{ Min, Max kit.Input }

// Update loads the ends of the scale and reports whether an end changed.
func (s *Scale) Update(t render.Tick) bool {
	changed := s.Min.Update(t)
	return s.Max.Update(t) || changed
}

// Share returns the position of v between the ends of the scale, from 0 to 1. If v is NaN, or if the upper end is not above the lower
// end, it returns 0.
func (s *Scale) Share(v float64) float64 {
	lo, hi := 0.0, 100.0
	if n, ok := s.Min.Number(); ok {
		lo = n
	}
	if n, ok := s.Max.Number(); ok {
		hi = n
	}
	x := (v - lo) / (hi - lo)
	if !(hi > lo) || math.IsNaN(x) {
		return 0
	}
	return min(max(x, 0), 1)
}

// NewScale returns the scale that a widget's parameters describe.
func NewScale(b *kit.Builder, s *kit.Spec, p *Scaled) Scale {
	return Scale{kit.InputOf(b, s, p.Min, kit.AnyOf[float64]), kit.InputOf(b, s, p.Max, kit.AnyOf[float64])}
}

// Scaled holds the parameters of a number on a scale.
type Scaled struct {
	// Number to show.
	Value *config.Live[value.Plain] `yaml:"value"`
	kit.Thing
	// Lower end of the scale. Default: 0.
	Min *config.Live[float64] `yaml:"min"`
	// Upper end of the scale. Default: 100.
	Max *config.Live[float64] `yaml:"max"`
}

const ringStroke = 0.08

const LimitBeyond = 5 // how far the mark of a limit extends beyond the bar, in px on a screen whose shorter side has 720 px

const ringFigure = 0.26

const needleText = 0.18

const arcFrom = math.Pi * 5 / 6

const arcSweep = math.Pi * 4 / 3

const ringFrom = -math.Pi / 2

const RingMost = 420 // maximum diameter, in px on a screen whose shorter side has 720 px. A larger ring would show no more

// stepGap is the gap between two steps, in px on a screen whose shorter side has 720 px.
const stepGap = 4
