package writing

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// liveText shows a text or a formatted value in the theme's type. A number with a unit is shown like the figure of a card.
type liveText struct {
	b      *kit.Builder
	plate  kit.Plate
	in     kit.Input
	color  kit.Input
	word   *format.Formatter
	worded bool // true if the text is formatted like a value
	empty  string

	figure *piece.Figure // shows a number with its unit. nil if no unit is set
	number bool          // true if `figure` shows the current value
	para   *piece.Paragraph
	member *kit.Member
	ink    color.RGBA
	minute time.Time
	ages   bool // true if the text depends on the clock
}

func buildLiveText(b *kit.Builder, s *kit.Spec, p *TextParams, size image.Point) render.Widget {
	t := p.typed()
	w := &liveText{
		b: b, plate: kit.NewPlate(p.BackgroundColor, p.CornerRadius, image.Rectangle{Max: size}), empty: p.Empty,
		in: kit.InputOf(b, s, p.Text, kit.AnyOf[string]), color: kit.InputOf(b, s, p.Color, func(c classicInk) any { return c.NRGBA }),
		word: b.Formatter(s, &p.Wording), worded: p.worded() || p.Text != nil && p.Text.IsLive(), ages: p.Format == "relative",
	}
	usual, figured := "body", "body"
	if b.Within.Card {
		usual, figured = "title", "figure"
	}
	v := kit.VerticalOf(p.VerticalAlign)
	w.member = b.Member(s, t)
	if p.Unit != nil {
		face := b.Typed(s, t, figured)
		w.figure = piece.FigureAt(b, s, t, &p.Wording, w.in, image.Rectangle{Max: size}, p.Empty, face)
		w.figure.Color, w.figure.Edge, w.figure.Valign = w.color, b.EdgeOf(p.Align), v
		w.figure.Member = nil // say() sets this member while the figure shows the value
		w.figure.Say(time.Time{})
	}
	face := b.Typed(s, t, usual)
	w.para = &piece.Paragraph{B: b, Face: face, Edge: b.EdgeOf(p.Align), Valig: v, Lines: p.Lines, Size: size, Least: min(face.Size, b.Least())}
	w.para.Block = w.para.BlockFor(size)
	w.say(time.Time{})
	return w
}

// say formats the current value.
func (w *liveText) say(now time.Time) {
	v, ok := w.in.Value()
	w.ink = w.color.Color(w.b, w.b.Role("text"))
	words := ""
	if w.worded {
		said := w.word.Say(v, ok, now)
		w.number = w.figure != nil && said.IsNum && !said.None
		if w.number {
			w.figure.Member = w.member
		} else if w.figure != nil {
			w.figure.Member = nil
		}
		words = said.Text
		if said.Color != nil {
			w.ink = render.Premultiply(*said.Color)
		}
		if said.None || words == "" && w.empty != "" {
			w.ink, words = w.b.Role("muted"), "—"
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

// set sets the text in the size of its group.
func (w *liveText) set(words string) {
	w.para.Block.SetSize(w.para.Face.Size)
	w.para.Set(words)
	fits := 0
	if words != "" {
		fits = w.para.Block.Size()
	}
	if fits < w.para.Least/2 { // nobody can read such a text
		w.para.Set("")
		fits = 0
	}
	w.limit(w.member.Fit(fits))
}

// limit() sets the maximum text size, in px.
func (w *liveText) limit(px int) {
	if px > 0 {
		w.para.Block.SetSize(min(px, w.para.Face.Size))
	}
}

// Natural implements kit.Sized.
func (w *liveText) Natural(width int) image.Point {
	if w.number {
		return image.Pt(w.figure.Width(), w.figure.Height())
	}
	return w.para.Natural(width)
}

// painted() returns the rectangle around all painted pixels.
func (w *liveText) painted() image.Rectangle {
	if w.number {
		return w.figure.Painted()
	}
	return w.para.Block.Ink()
}

// Update implements render.Widget.
func (w *liveText) Update(t render.Tick) {
	before, old := w.member.Size(), w.painted()
	changed := w.in.Update(t)
	changed = w.color.Update(t) || changed
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
	if w.figure != nil && w.figure.Update(t) {
		changed = true
	}
	if now := w.painted(); changed || now != old {
		t.Damage(old)
		t.Damage(now)
	}
	w.member.Tell(t, before)
}

// Paint implements render.Widget.
func (w *liveText) Paint(c render.Canvas) {
	w.plate.Paint(c)
	if w.number {
		w.figure.Paint(c)
		return
	}
	ink := w.ink
	if w.in.Stale {
		ink = w.b.Old(ink)
	}
	w.para.Paint(c, ink)
}
