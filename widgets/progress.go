package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
)

// ProgressParams are the parameters of the progress widget.
type ProgressParams struct {
	Framed
	Typed
	Wording
	Scaled
	Form  string `yaml:"kind" default:"bar" enum:"bar,ring,steps" doc:"What it is shown as."`
	Steps int    `yaml:"steps" default:"10" min:"1" max:"100" doc:"How many steps there are."`
}

// progress is a bar, a ring or steps.
type progress struct {
	b      *Builder
	size   image.Point
	in     input
	scale  scale
	accent input
	color  input
	unit   input
	word   *wording
	said   shown
	round  *round
	bar    *meter
	figure *figure
	note   *caption // the value beside a bar

	track, fill color.RGBA
	stale       bool
}

func buildProgress(b *Builder, s *Spec, p *ProgressParams, size image.Point) render.Widget {
	w := &progress{
		b: b, size: size, in: inputOf(b, s, p.Value, plainOf), scale: b.scale(s, &p.Scaled), accent: inputOf(b, s, p.Accent, colorOf),
		color: inputOf(b, s, p.Color, colorOf), unit: inputOf(b, s, p.Unit, anyOf[string]), word: b.wording(s, &p.Wording), track: b.role("line"),
	}
	if p.Form == "ring" {
		w.round = b.round(image.Rectangle{Max: size}, false, false)
		w.figure = b.figureAt(s, &p.Typed, &p.Wording, w.in, w.round.middle(), p.Empty, w.round.face())
		w.figure.centered = true
		if min(size.X, size.Y) < b.px(roundLeast) {
			w.figure = nil
			w.load(time.Time{})
			return w
		}
		w.figure.say(time.Time{})
		w.load(time.Time{})
		return w
	}
	box := w.lay(p)
	steps := 0
	if p.Form == "steps" {
		steps = p.Steps
	}
	w.bar = b.steppedMeter(box, steps)
	w.load(time.Time{})
	return w
}

// widest is the number that the room beside a bar is for: three figures with a decimal sign, or four where the range has them.
func (p *ProgressParams) widest() string {
	switch {
	case p.Max != nil && (p.Max.IsLive() || p.Max.Plain >= 1000):
		return "8,888"
	case p.Decimals != nil && *p.Decimals == 0:
		return "888"
	}
	return "88.8"
}

// noteShare is the most of a bar's room that the value beside it may take.
const noteShare = 0.45

// lay places the bar, and the value behind it where it has a unit or a format.
func (w *progress) lay(p *ProgressParams) image.Rectangle {
	b, box := w.b, image.Rectangle{Max: w.size}
	f := b.face("caption")
	high := max(min(f.line, w.size.Y), 1)
	switch p.VerticalAlign {
	case "top":
		box.Max.Y = min(box.Max.Y, high)
	case "bottom":
		box.Min.Y = max(0, box.Max.Y-high)
	}
	if p.Unit == nil && p.Format == "" || w.size.Y < f.size {
		return box
	}
	gap, unit := f.size/2, w.unit.text()
	if unit == "" && p.Unit != nil {
		unit = "kW" // it comes later
	}
	widest := b.textWidth(f, withUnit(p.widest(), unit)) + gap
	if float64(widest) > float64(w.size.X)*noteShare {
		return w.above(f, box, p.VerticalAlign)
	}
	rest, noteBox := box, box
	if w.mirrored() {
		rest.Min.X, noteBox.Max.X = box.Min.X+widest, box.Min.X+widest-gap
		w.note = b.caption(f, noteBox, edgeStart)
		return rest
	}
	rest.Max.X, noteBox.Min.X = box.Max.X-widest, box.Max.X-widest+gap
	w.note = b.caption(f, noteBox, edgeEnd)
	return rest
}

// above places the value above the bar, where there is room for both in the middle.
func (w *progress) above(f face, box image.Rectangle, align string) image.Rectangle {
	y := (w.size.Y - 2*f.line) / 2
	if align != "" && align != "center" || y < 0 {
		return box
	}
	w.note = w.b.caption(f, image.Rect(0, y, w.size.X, y+f.line), w.b.edgeOf("start"))
	return image.Rect(0, y+f.line, w.size.X, y+2*f.line)
}

func (w *progress) mirrored() bool { return w.b.Locale.RightToLeft }

// load shows the present value.
func (w *progress) load(now time.Time) {
	v, ok := w.in.value()
	w.said = w.word.say(v, ok, now)
	w.fill = w.color.color(w.b, w.accent.color(w.b, w.b.role("accent")))
	if w.said.color != nil {
		w.fill = render.Premultiply(*w.said.color)
	}
	share := 0.0
	if n, ok := w.in.number(); ok {
		share = w.scale.share(n)
	}
	if w.round != nil {
		w.round.set(share)
		return
	}
	w.bar.set(share)
	if w.note == nil {
		return
	}
	switch {
	case w.said.none:
		w.note.set("—")
	case w.said.isNum:
		w.note.set(withUnit(w.said.text, w.unit.text()))
	default:
		w.note.set(w.said.text)
	}
}

// withUnit puts a unit behind a number in one line of text.
func withUnit(number, unit string) string {
	switch {
	case unit == "":
		return number
	case hugs(unit):
		return number + unit
	}
	return number + thinSpace + unit
}

// natural implements sized.
func (w *progress) natural(width int) image.Point {
	if w.round != nil {
		return image.Pt(width, min(width, w.b.px(ringMost)))
	}
	if w.note != nil {
		return image.Pt(width, w.note.face.line)
	}
	return image.Pt(width, w.b.px(barHigh))
}

// Update implements render.Widget.
func (w *progress) Update(t render.Tick) {
	changed := w.in.update(t)
	for _, in := range [...]*input{&w.accent, &w.color, &w.unit} {
		changed = in.update(t) || changed
	}
	changed = w.scale.update(t) || changed
	if w.figure != nil {
		changed = w.figure.update(t) || changed
	}
	if changed {
		w.stale = w.in.stale
		w.load(t.Now())
		t.DamageAll()
	}
}

// Paint implements render.Widget.
func (w *progress) Paint(c render.Canvas) {
	fill, words := w.fill, w.b.role("muted")
	if w.stale {
		fill, words = faint(fill), faint(words)
	}
	if w.round != nil {
		w.round.paint(c, w.track, fill, w.track)
		if w.figure != nil {
			w.figure.paint(c)
		}
		return
	}
	w.bar.paint(c, w.track, fill, w.b.role("text"))
	if w.note != nil {
		w.note.paint(c, words)
	}
}

func (p *ProgressParams) fromEntity() {
	p.fillValue(&p.Value, &p.Wording)
	p.fillFrame(&p.Framed)
}
