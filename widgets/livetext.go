package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
)

// liveText is a text in the theme's type: written, or a value in words. A number with a unit is a figure.
type liveText struct {
	b      *Builder
	plate  plate
	in     input
	color  input
	word   *wording
	worded bool // the text is told as a value
	empty  string

	figure *figure // of numbers with a unit; nil without one
	number bool    // figure shows it
	para   *paragraph
	member *member
	ink    color.RGBA
	minute time.Time
	ages   bool // words change by themselves
}

func buildLiveText(b *Builder, s *Spec, p *TextParams, size image.Point) render.Widget {
	t := p.typed()
	w := &liveText{
		b: b, plate: newPlate(p.BackgroundColor, p.CornerRadius, image.Rectangle{Max: size}), empty: p.Empty,
		in: inputOf(b, s, p.Text, anyOf[string]), color: inputOf(b, s, p.Color, func(c classicInk) any { return c.NRGBA }),
		word: b.wording(s, &p.Wording), worded: p.worded() || p.Text != nil && p.Text.IsLive(), ages: p.Format == "relative",
	}
	usual, figured := "body", "body"
	if b.within.card {
		usual, figured = "title", "figure"
	}
	v := verticalOf(p.VerticalAlign)
	w.member = b.member(s, t)
	if p.Unit != nil {
		face := b.typed(s, t, figured)
		w.figure = b.figureAt(s, t, &p.Wording, w.in, image.Rectangle{Max: size}, p.Empty, face)
		w.figure.color, w.figure.edge, w.figure.valign = w.color, b.edgeOf(p.Align), v
		w.figure.member = nil // it shares the text's
		w.figure.say(time.Time{})
	}
	face := b.typed(s, t, usual)
	w.para = &paragraph{b: b, face: face, edge: b.edgeOf(p.Align), valig: v, lines: p.Lines, size: size, least: min(face.size, b.least())}
	w.para.block = w.para.blockFor(size)
	w.say(time.Time{})
	return w
}

// say puts the present value into words.
func (w *liveText) say(now time.Time) {
	v, ok := w.in.value()
	w.ink = w.color.color(w.b, w.b.role("text"))
	words := ""
	if w.worded {
		said := w.word.say(v, ok, now)
		w.number = w.figure != nil && said.isNum && !said.none
		if w.number {
			w.figure.member = w.member
		} else if w.figure != nil {
			w.figure.member = nil
		}
		words = said.text
		if said.color != nil {
			w.ink = render.Premultiply(*said.color)
		}
		if said.none || words == "" && w.empty != "" {
			w.ink, words = w.b.role("muted"), "—"
			if ok && w.empty != "" {
				words = w.empty
			}
		}
	} else if s, is := v.(string); is {
		words = s
	}
	if !w.number {
		w.set(words)
	}
}

// set shows other words, at the size of the group.
func (w *liveText) set(words string) {
	w.para.block.SetSize(w.para.face.size)
	w.para.set(words)
	fits := 0
	if words != "" {
		fits = w.para.block.Size()
	}
	w.limit(w.member.fit(fits))
}

// limit gives the text at most a size, px.
func (w *liveText) limit(px int) {
	if px > 0 {
		w.para.block.SetSize(min(px, w.para.face.size))
	}
}

// natural implements sized.
func (w *liveText) natural(width int) image.Point {
	if w.number {
		return image.Pt(w.figure.width(), w.figure.height())
	}
	return w.para.natural(width)
}

// painted is where anything is drawn.
func (w *liveText) painted() image.Rectangle {
	if w.number {
		return w.figure.main.ink.Union(w.figure.tail.ink)
	}
	return w.para.block.Ink()
}

// Update implements render.Widget.
func (w *liveText) Update(t render.Tick) {
	before, old := w.member.size(), w.painted()
	changed := w.in.update(t)
	changed = w.color.update(t) || changed
	if minute := t.Now().Truncate(time.Minute); w.ages {
		t.Wake(minute.Add(time.Minute))
		changed = changed || !minute.Equal(w.minute)
		w.minute = minute
	}
	if changed {
		w.say(t.Now())
	} else if !w.number {
		w.limit(before)
	}
	if w.figure != nil && w.figure.update(t) {
		changed = true
	}
	if now := w.painted(); changed || now != old {
		t.Damage(old)
		t.Damage(now)
	}
	w.member.tell(t, before)
}

// Paint implements render.Widget.
func (w *liveText) Paint(c render.Canvas) {
	w.plate.paint(c)
	if w.number {
		w.figure.paint(c)
		return
	}
	ink := w.ink
	if w.in.stale {
		ink = faint(ink)
	}
	w.para.paint(c, ink)
}
