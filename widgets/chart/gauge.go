package chart

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// GaugeParams are the parameters of the gauge widget.
type GaugeParams struct {
	kit.Framed
	kit.Typed
	format.Wording
	piece.Scaled
	// Form of the scale.
	Form string `yaml:"kind" default:"arc" enum:"arc,ring,bar"`
	// Shows a needle instead of a filled part.
	Needle bool `yaml:"needle" default:"false"`
	// Number of marks along the scale.
	Ticks int `yaml:"ticks" default:"0" min:"0" max:"100"`
}

// gauge shows a number on an arc, on a ring, or above a bar.
type gauge struct {
	b      *kit.Builder
	size   image.Point
	figure *piece.Figure
	scale  piece.Scale
	accent kit.Input
	round  *piece.Round
	bar    *piece.Meter
	limits []format.Range

	track, fill, ticks color.RGBA
}

func buildGauge(b *kit.Builder, s *kit.Spec, p *GaugeParams, size image.Point) render.Widget {
	w := &gauge{
		b: b, size: size, scale: piece.NewScale(b, s, &p.Scaled), accent: kit.InputOf(b, s, p.Accent, kit.ColorOf), limits: p.Thresholds,
		track: b.Role("line"), ticks: b.Role("muted"),
	}
	in, box := kit.InputOf(b, s, p.Value, kit.PlainOf), image.Rectangle{Max: size}
	foot := b.Px(piece.BarHigh + 2*piece.LimitBeyond)
	switch {
	case w.cramped(p.Form, foot): // show only the number, because the number is more important than the scale
		w.figure = piece.NewFigure(b, s, &p.Typed, &p.Wording, in, box, p.Empty)
	case p.Form == "bar":
		w.bar = piece.NewMeter(b, image.Rect(0, max(0, size.Y-foot), size.X, size.Y))
		w.figure = piece.NewFigure(b, s, &p.Typed, &p.Wording, in, image.Rect(0, 0, size.X, max(1, size.Y-foot-b.Px(4))), p.Empty)
		w.bar.Mark(p.Ticks)
	default:
		w.round = piece.NewRound(b, box, p.Form == "arc", p.Needle)
		w.round.Mark(p.Ticks)
		f := w.round.Face()
		if p.Style != "" || p.TextSize > 0 {
			f = b.Typed(s, &p.Typed, "figure")
		}
		w.figure = piece.FigureAt(b, s, &p.Typed, &p.Wording, in, w.round.Middle(), p.Empty, f)
		w.figure.Centered = true
		w.figure.Say(time.Time{})
	}
	w.load()
	return w
}

// load shows the current value.
func (w *gauge) load() {
	v, ok := w.figure.In.Number()
	w.fill = w.accent.Color(w.b, w.b.Role("accent"))
	if c := w.figure.Said.Color; c != nil {
		w.fill = render.Premultiply(*c)
	}
	share := 0.0
	if ok {
		share = w.scale.Share(v)
	}
	switch {
	case w.round != nil:
		if w.round.Needle {
			w.fill = w.figure.Ink
		}
		w.round.Set(share)
	case w.bar != nil:
		w.bar.Set(share)
		w.bar.Limit(&w.scale, w.limits)
	}
}

// roundLeast is the minimum diameter of an arc or ring with a number in it, in px on a screen whose shorter side has 720 px.
const roundLeast = 64

// cramped() reports whether the widget has room for the number only.
func (w *gauge) cramped(form string, foot int) bool {
	if form == "bar" {
		return w.size.Y < foot+w.b.Face("body").Line
	}
	return min(w.size.X, w.size.Y) < w.b.Px(roundLeast)
}

// Natural implements kit.Sized.
func (w *gauge) Natural(width int) image.Point {
	if w.round != nil {
		side := min(width, w.b.Px(piece.RingMost))
		return image.Pt(width, side)
	}
	return image.Pt(width, w.figure.Height()+w.b.Px(piece.BarHigh+2*piece.LimitBeyond+4))
}

// Update implements render.Widget.
func (w *gauge) Update(t render.Tick) {
	changed := w.figure.Update(t)
	changed = w.scale.Update(t) || changed
	if w.accent.Update(t) || changed {
		w.load()
		t.DamageAll()
	}
}

// Paint implements render.Widget.
func (w *gauge) Paint(c render.Canvas) {
	fill := w.fill
	if w.figure.Stale {
		fill = kit.Faint(fill)
	}
	if w.round != nil {
		w.round.Paint(c, w.track, fill, w.ticks)
	} else if w.bar != nil {
		w.bar.Paint(c, w.track, fill, w.b.Role("text"))
	}
	w.figure.Paint(c)
}

// State implements kit.Stated.
func (w *gauge) State() kit.State { return w.figure.State() }

// HasHead implements kit.Stated.
func (w *gauge) HasHead() {
	w.figure.Headed = true
	w.figure.Say(time.Time{})
}

// Painted implements kit.Stated.
func (w *gauge) Painted() (value, below image.Rectangle) {
	switch {
	case w.round != nil:
		return w.round.Cross()
	case w.bar != nil:
		below = image.Rect(0, w.figure.Height(), w.size.X, w.size.Y)
	}
	return w.figure.Painted(), below
}

// FromEntity implements kit.Entitled.
func (p *GaugeParams) FromEntity() {
	p.FillValue(&p.Value, &p.Wording)
	p.FillFrame(&p.Framed)
}

// Urgency implements kit.Urgent. A value in the color "bad" is urgent.
func (w *gauge) Urgency(time.Time) float64 { return w.b.UrgencyOfValue(&w.figure.Said) }
