package widgets

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/render"
)

// trend is how much a value changed in so long: an arrow and a number, at the end of the value's line.
type trend struct {
	b      *Builder
	long   time.Duration
	better string
	past   *past
	mark   *mark
	text   *caption
	ink    color.RGBA
	due    time.Time
	seen   *provider.Sample
}

// trend makes the change of a value, which is shown in a box.
func (b *Builder) trend(p *CardParams, past *past, box image.Rectangle) *trend {
	w := &trend{b: b, long: time.Duration(p.Trend), better: p.Better, past: past, ink: b.role("muted")}
	f := b.face("caption")
	box.Max.Y = min(box.Max.Y, box.Min.Y+f.line)
	w.text = b.caption(f, box, b.edgeOf("end"))
	side := b.px(headIcon)
	w.mark = b.mark(b.mirrored(image.Rect(box.Max.X-side, box.Min.Y+(box.Dy()-side)/2, box.Max.X, box.Min.Y+(box.Dy()-side)/2+side), box.Max.X))
	return w
}

// update follows the past.
func (w *trend) update(t render.Tick, in *input, decimals *int) {
	now := t.Now()
	if in.seen != w.seen || !now.Before(w.due) {
		w.seen = in.seen
		w.due = now.Add(max(w.long/60, time.Second))
		t.Damage(w.box())
		w.say(now, in, decimals)
		t.Damage(w.box())
	}
	t.Wake(w.due)
}

func (w *trend) box() image.Rectangle { return w.text.ink.Union(w.mark.box) }

// say finds the change, and shows it if the past is long enough to know it.
func (w *trend) say(now time.Time, in *input, decimals *int) {
	v, ok := in.number()
	old, known := w.past.before(seconds(now.Add(-w.long)))
	if !ok || !known {
		w.text.set("")
		w.text.ink = image.Rectangle{}
		w.mark.set("")
		return
	}
	digits := locale.Auto
	if decimals != nil {
		digits = *decimals
	}
	change := v - old
	w.text.set(string(w.b.Locale.AppendNumber(nil, math.Abs(change), digits, false)))
	icon := "mdi:arrow-right"
	switch {
	case change > 0:
		icon = "mdi:arrow-up"
	case change < 0:
		icon = "mdi:arrow-down"
	}
	w.mark.set(icon)
	w.ink = w.b.role(trendRole(change, w.better))
	at := w.text.at.X - w.mark.box.Dx() - w.b.px(2)
	if w.text.edge == edgeStart {
		at = w.text.at.X + w.text.width() + w.b.px(2)
	}
	w.mark.place(w.mark.box.Add(image.Pt(at-w.mark.box.Min.X, 0)))
}

// trendRole is the color of a change.
func trendRole(change float64, better string) string {
	switch {
	case change == 0 || better == "none" || better == "":
		return "muted"
	case (change > 0) == (better == "up"):
		return "good"
	}
	return "bad"
}

// paint draws the change, unless the value reaches to where it is.
func (w *trend) paint(c render.Canvas, value image.Rectangle) {
	if w.text.ink.Empty() || value.Overlaps(w.box()) {
		return
	}
	w.mark.paint(c, w.ink)
	w.text.paint(c, w.ink)
}

// Heights of a card's curve, px at a shorter side of 720 px.
const ()
