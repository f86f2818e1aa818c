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

// ProgressParams are the parameters of the progress widget.
type ProgressParams struct {
	kit.Framed
	kit.Typed
	format.Wording
	piece.Scaled
	// Form.
	Form string `yaml:"kind" default:"bar" enum:"bar,ring,steps"`
	// Number of steps.
	Steps int `yaml:"steps" default:"10" min:"1" max:"100"`
}

// progress shows a share as a bar, a ring or steps.
type progress struct {
	b      *kit.Builder
	size   image.Point
	in     kit.Input
	scale  piece.Scale
	accent kit.Input
	color  kit.Input
	unit   kit.Input
	word   *format.Formatter
	said   format.Shown
	round  *piece.Round
	bar    *piece.Meter
	figure *piece.Figure
	note   *kit.Caption // caption of the value next to a bar or above it

	track, fill color.RGBA
	stale       bool
}

func buildProgress(b *kit.Builder, s *kit.Spec, p *ProgressParams, size image.Point) render.Widget {
	w := &progress{
		b: b, size: size, in: kit.InputOf(b, s, p.Value, kit.PlainOf), scale: piece.NewScale(b, s, &p.Scaled), accent: kit.InputOf(b, s, p.Accent, kit.ColorOf),
		color: kit.InputOf(b, s, p.Color, kit.ColorOf), unit: kit.InputOf(b, s, p.Unit, kit.AnyOf[string]), word: b.Formatter(s, &p.Wording), track: b.Role("line"),
	}
	if p.Form == "ring" {
		w.round = piece.NewRound(b, image.Rectangle{Max: size}, false, false)
		w.figure = piece.FigureAt(b, s, &p.Typed, &p.Wording, w.in, w.round.Middle(), p.Empty, w.round.Face())
		w.figure.Centered = true
		if min(size.X, size.Y) < b.Px(roundLeast) {
			w.figure = nil
			w.load(time.Time{})
			return w
		}
		w.figure.Say(time.Time{})
		w.load(time.Time{})
		return w
	}
	box := w.lay(p)
	steps := 0
	if p.Form == "steps" {
		steps = p.Steps
	}
	w.bar = piece.SteppedMeter(b, box, steps)
	w.load(time.Time{})
	return w
}

// widest() returns the widest number that may be next to a bar: three digits, with a decimal sign if the value may have decimals. If the
// maximum is 1000 or more, or if a program computes the maximum, the number has four digits instead.
func (p *ProgressParams) widest() string {
	switch {
	case p.Max != nil && (p.Max.IsLive() || p.Max.Plain >= 1000):
		return "8,888"
	case p.Decimals != nil && *p.Decimals == 0:
		return "888"
	}
	return "88.8"
}

// noteShare is the maximum share of the width for the value next to a bar.
const noteShare = 0.45

// lay places the bar. If the value has a unit or a format, lay also places the value next to the bar. In a narrow widget, the value is
// above the bar.
func (w *progress) lay(p *ProgressParams) image.Rectangle {
	b, box := w.b, image.Rectangle{Max: w.size}
	f := b.Face("caption")
	high := max(min(f.Line, w.size.Y), 1)
	switch p.VerticalAlign {
	case "top":
		box.Max.Y = min(box.Max.Y, high)
	case "bottom":
		box.Min.Y = max(0, box.Max.Y-high)
	}
	if p.Unit == nil && p.Format == "" || w.size.Y < f.Size {
		return box
	}
	gap, unit := f.Size/2, w.unit.Text()
	if unit == "" && p.Unit != nil {
		unit = "kW" // reserve the width of this unit until the program returns the unit
	}
	widest := b.TextWidth(f, withUnit(p.widest(), unit)) + gap
	if float64(widest) > float64(w.size.X)*noteShare {
		return w.above(f, box, p.VerticalAlign)
	}
	rest, noteBox := box, box
	if w.mirrored() {
		rest.Min.X, noteBox.Max.X = box.Min.X+widest, box.Min.X+widest-gap
		w.note = b.Caption(f, noteBox, kit.EdgeStart)
		return rest
	}
	rest.Max.X, noteBox.Min.X = box.Max.X-widest, box.Max.X-widest+gap
	w.note = b.Caption(f, noteBox, kit.EdgeEnd)
	return rest
}

// above() places the value above the bar and returns the rectangle of the bar. The value and the bar are vertically centered as one block.
// If there is no room, or if `align` is neither empty nor "center", it returns `box`.
func (w *progress) above(f kit.Face, box image.Rectangle, align string) image.Rectangle {
	y := (w.size.Y - 2*f.Line) / 2
	if align != "" && align != "center" || y < 0 {
		return box
	}
	w.note = w.b.Caption(f, image.Rect(0, y, w.size.X, y+f.Line), w.b.EdgeOf("start"))
	return image.Rect(0, y+f.Line, w.size.X, y+2*f.Line)
}

func (w *progress) mirrored() bool { return w.b.Locale.RightToLeft }

// load shows the current value.
func (w *progress) load(now time.Time) {
	v, ok := w.in.Value()
	w.said = w.word.Say(v, ok, now)
	w.fill = w.color.Color(w.b, w.accent.Color(w.b, w.b.Role("accent")))
	if w.said.Color != nil {
		w.fill = render.Premultiply(*w.said.Color)
	}
	share := 0.0
	if n, ok := w.in.Number(); ok {
		share = w.scale.Share(n)
	}
	if w.round != nil {
		w.round.Set(share)
		return
	}
	w.bar.Set(share)
	if w.bar.Steps() == 0 {
		w.bar.Limit(&w.scale, w.word.Thresholds)
	}
	if w.note == nil {
		return
	}
	switch {
	case w.said.None:
		w.note.Set("—")
	case w.word.IsNumber(&w.said):
		w.note.Set(w.fitting(w.unit.Text()))
	default:
		w.note.Set(w.said.Text)
	}
}

// fitting() returns the longest form of the number that fits next to the bar. It includes the unit if there is room.
func (w *progress) fitting(unit string) string {
	for _, u := range [...]string{unit, ""} {
		said, ok := w.word.Fitting(nil, &w.said, func(text []byte) bool {
			return w.b.TextWidth(w.note.Face, withUnit(string(text), u))*w.note.Least <= w.note.Box.Dx()*w.note.Face.Size
		})
		if ok {
			return withUnit(string(said), u)
		}
	}
	return format.NoValue
}

// withUnit joins a number and its unit in one line.
func withUnit(number, unit string) string {
	switch {
	case unit == "":
		return number
	case piece.Hugs(unit):
		return number + unit
	}
	return number + piece.ThinSpace + unit
}

// Natural implements kit.Sized.
func (w *progress) Natural(width int) image.Point {
	if w.round != nil {
		return image.Pt(width, min(width, w.b.Px(piece.RingMost)))
	}
	if w.note != nil {
		return image.Pt(width, w.note.Face.Line)
	}
	return image.Pt(width, w.b.Px(piece.BarHigh))
}

// Update implements render.Widget.
func (w *progress) Update(t render.Tick) {
	changed := w.in.Update(t)
	for _, in := range [...]*kit.Input{&w.accent, &w.color, &w.unit} {
		changed = in.Update(t) || changed
	}
	changed = w.scale.Update(t) || changed
	if w.figure != nil {
		changed = w.figure.Update(t) || changed
	}
	if changed {
		w.stale = w.in.Stale
		w.load(t.Now())
		t.DamageAll()
	}
}

// Paint implements render.Widget.
func (w *progress) Paint(c render.Canvas) {
	fill, words := w.fill, w.b.Role("muted")
	if w.stale {
		fill, words = kit.Faint(fill), kit.Faint(words)
	}
	if w.round != nil {
		w.round.Paint(c, w.track, fill, w.track)
		if w.figure != nil {
			w.figure.Paint(c)
		}
		return
	}
	w.bar.Paint(c, w.track, fill, w.b.Role("text"))
	if w.note != nil {
		w.note.Paint(c, words)
	}
}

// FromEntity implements kit.Entitled.
func (p *ProgressParams) FromEntity() {
	p.FillValue(&p.Value, &p.Wording)
	p.FillFrame(&p.Framed)
}
