package chart

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"strings"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// verdictGap is the room above and below a verdict, in px on a screen whose shorter side has 720 px.
const verdictGap = 4

// A verdict compares the last value of a chart with a limit, such as "below 300". Its icon and color show whether this is good.
type verdict struct {
	b    *kit.Builder
	text *kit.Caption // nil if the chart has no verdict
	mark *kit.Mark
	ink  color.RGBA
}

// newVerdict returns an empty verdict for a box in a chart of the given width.
func newVerdict(b *kit.Builder, box image.Rectangle, width int) verdict {
	side := min(b.Px(piece.RowIcon*5/6.), box.Dy())
	top := box.Min.Y + (box.Dy()-side)/2
	v := verdict{b: b, mark: b.Mark(b.Mirrored(image.Rect(box.Min.X, top, box.Min.X+side, top+side), width))}
	box.Min.X += side + side*2/5
	v.text = b.Caption(b.Face("caption"), b.Mirrored(box, width), b.EdgeOf("start"))
	return v
}

// paint paints the verdict. Its color is weaker if the values of the series are old.
func (v *verdict) paint(c render.Canvas, of []*series) {
	if v.text == nil || v.text.Raw == "" {
		return
	}
	ink := v.ink
	if len(of) > 0 && of[0].stale {
		ink = v.b.Old(ink)
	}
	v.mark.Paint(c, ink)
	v.text.Paint(c, ink)
}

// judges reports whether the chart has a limit for a verdict.
func (w *heroChart) judges() bool {
	for i := range w.limits {
		if w.limit(&w.limits[i]) {
			return true
		}
	}
	return false
}

// limit reports whether a range has a single end and the color of a problem.
func (w *heroChart) limit(l *format.Range) bool {
	return (l.Above == nil) != (l.Below == nil) && w.problem(l)
}

// problem reports whether a range has the color of a problem.
func (w *heroChart) problem(l *format.Range) bool {
	ink := render.Premultiply(l.Color.NRGBA)
	return ink == w.b.Role("bad") || ink == w.b.Role("warn")
}

// judge shows the verdict about the last value: the limit that applies to the value, otherwise the nearest limit that the value keeps.
// There is no verdict if a range with two ends applies and has the color of a problem.
func (w *heroChart) judge() {
	v, ok := w.value()
	if w.verdict.text == nil {
		return
	}
	if w.verdict.text.Set(""); !ok {
		return
	}
	if l := w.matching(v); l != nil && w.problem(l) {
		if w.limit(l) {
			w.verdict.say(w, l, true)
		}
		return
	}
	var nearest *format.Range
	away := math.Inf(1)
	for i := range w.limits {
		if l := &w.limits[i]; w.limit(l) && (l.Above == nil || v < *l.Above) && (l.Below == nil || v >= *l.Below) {
			if n := math.Abs(v - *cmp.Or(l.Above, l.Below)); n < away {
				nearest, away = l, n
			}
		}
	}
	if nearest != nil {
		w.verdict.say(w, nearest, false)
	}
}

// say shows whether the last value is beyond a limit.
func (v *verdict) say(w *heroChart, l *format.Range, beyond bool) {
	phrase, at := locale.Below, cmp.Or(l.Above, l.Below)
	if beyond == (l.Above != nil) {
		phrase = locale.Above
	}
	icon := "mdi:check"
	v.ink = w.b.Role("good")
	if beyond {
		icon, v.ink = "mdi:alert", render.Premultiply(l.Color.NRGBA)
		if l.Icon != nil {
			icon = format.IconText(*l.Icon)
		}
	}
	number := string(w.word.WriteNumber(*at, w.decimals()))
	text := string(w.b.Locale.AppendPhrase(nil, phrase, number))
	long := string(w.b.Locale.AppendPhrase(nil, phrase, withUnit(number, w.chart.unit.Text())))
	if c := w.beyond; beyond && c != nil && strings.HasPrefix(c.Raw, text+" · ") && v.fits(c.Raw) {
		long = c.Raw // with the duration
		c.Set("")
	}
	if v.fits(long) {
		text = long
	}
	v.mark.Set(icon)
	v.text.Set(text)
}

// fits reports whether a text has room.
func (v *verdict) fits(text string) bool { return v.b.TextWidth(v.text.Face, text) <= v.text.Box.Dx() }
