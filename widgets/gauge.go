package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
)

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

// Proportions of an arc or ring, of its diameter; angles are radians, clockwise from the right.
const ()

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

func (p *GaugeParams) fromEntity() {
	p.fillValue(&p.Value, &p.Wording)
	p.fillFrame(&p.Framed)
}
