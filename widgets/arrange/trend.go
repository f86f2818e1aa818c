package arrange

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/history"
)

// trend shows the change of a value in a period, with an arrow and a number at the end of the value's line.
type trend struct {
	b      *kit.Builder
	long   time.Duration
	better string
	past   *history.Past
	mark   *kit.Mark
	text   *kit.Caption
	ink    color.RGBA
	due    time.Time
	seen   *provider.Sample
}

// newTrend creates the trend of a value that is shown in `box`.
func newTrend(b *kit.Builder, p *CardParams, past *history.Past, box image.Rectangle) *trend {
	w := &trend{b: b, long: time.Duration(p.Trend), better: p.Better, past: past, ink: b.Role("muted")}
	f := b.Face("caption")
	box.Max.Y = min(box.Max.Y, box.Min.Y+f.Line)
	w.text = b.Caption(f, box, b.EdgeOf("end"))
	side := b.Px(kit.HeadIcon)
	w.mark = b.Mark(b.Mirrored(image.Rect(box.Max.X-side, box.Min.Y+(box.Dy()-side)/2, box.Max.X, box.Min.Y+(box.Dy()-side)/2+side), box.Max.X))
	return w
}

// update computes the change again if the value changed or if the time of the next update is reached.
func (w *trend) update(t render.Tick, in *kit.Input, decimals *int) {
	now := t.Now()
	if in.Seen != w.seen || !now.Before(w.due) {
		w.seen = in.Seen
		w.due = now.Add(max(w.long/60, time.Second))
		t.Damage(w.box())
		w.say(now, in, decimals)
		t.Damage(w.box())
	}
	t.Wake(w.due)
}

func (w *trend) box() image.Rectangle { return w.text.Ink.Union(w.mark.Box) }

// say computes the change and shows it if the history covers the period.
func (w *trend) say(now time.Time, in *kit.Input, decimals *int) {
	v, ok := in.Number()
	old, known := w.past.Before(history.Seconds(now.Add(-w.long)))
	if !ok || !known {
		w.text.Set("")
		w.text.Ink = image.Rectangle{}
		w.mark.Set("")
		return
	}
	digits := locale.Auto
	if decimals != nil {
		digits = *decimals
	}
	change := v - old
	if decimals == nil {
		change = inDigits(change, v)
	}
	w.text.Set(string(w.b.Locale.AppendNumber(nil, math.Abs(change), digits, false)))
	icon := "mdi:arrow-right"
	switch {
	case change > 0:
		icon = "mdi:arrow-up"
	case change < 0:
		icon = "mdi:arrow-down"
	}
	w.mark.Set(icon)
	w.ink = w.b.Role(trendRole(change, w.better))
	at := w.text.At.X - w.mark.Box.Dx() - w.b.Px(2)
	if w.text.Edge == kit.EdgeStart {
		at = w.text.At.X + w.text.Width() + w.b.Px(2)
	}
	w.mark.Place(w.mark.Box.Add(image.Pt(at-w.mark.Box.Min.X, 0)))
}

// inDigits rounds a change to the digits that a value shows, which are three significant digits or whole numbers. A change that would be 0
// is not rounded.
func inDigits(change, value float64) float64 {
	if value == 0 {
		return change
	}
	digit := min(1, math.Pow(10, math.Floor(math.Log10(math.Abs(value)))-2))
	if r := math.Round(change/digit) * digit; r != 0 {
		return r
	}
	return change
}

// trendRole returns the color role for a change. `better` is the direction that counts as good.
func trendRole(change float64, better string) string {
	switch {
	case change == 0 || better == "none" || better == "":
		return "muted"
	case (change > 0) == (better == "up"):
		return "good"
	}
	return "bad"
}

// paint draws the change, unless it would overlap the number. The parameter `value` is the rectangle of the number.
func (w *trend) paint(c render.Canvas, value image.Rectangle) {
	if w.text.Ink.Empty() || value.Overlaps(w.box()) {
		return
	}
	w.mark.Paint(c, w.ink)
	w.text.Paint(c, w.ink)
}
