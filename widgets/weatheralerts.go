package widgets

import (
	"image"

	"dashboard/internal/locale"
	"dashboard/render"
)

// skyAlerts are warnings of the authorities, one a line.
type skyAlerts struct {
	w     *forecast
	icons [alertLines]*mark
	lines [alertLines]*caption
	grave [alertLines]bool
	used  int
}

// alertLines is how many warnings are shown: the gravest come first.
const alertLines = 3

func newSkyAlerts(w *forecast) *skyAlerts {
	a := &skyAlerts{w: w}
	strong := w.b.Look.Styles["caption"]
	strong.Weight = 500
	for i := range a.lines { // of one size: what is too long ends in an ellipsis
		a.icons[i], a.lines[i] = w.b.mark(image.Rectangle{}), w.b.caption(w.b.faceOf("caption", strong), image.Rectangle{}, w.b.edgeOf(""))
		a.lines[i].least = a.lines[i].face.size
	}
	return a
}

func (a *skyAlerts) row() int { return a.lines[0].face.line + a.w.b.px(4) }

func (a *skyAlerts) high(v *view) int { return min(len(v.alerts), alertLines) * a.row() }

func (a *skyAlerts) fill(v *view, box image.Rectangle) {
	b, side := a.w.b, a.w.b.px(20)
	a.used = 0
	for _, grave := range []bool{true, false} {
		for _, alert := range v.alerts {
			if alert.Grave != grave || a.used == alertLines {
				continue
			}
			y := box.Min.Y + a.used*a.row()
			top := y + (a.row()-side)/2
			a.icons[a.used].place(a.w.flip(image.Rect(0, top, side, top+side)))
			a.icons[a.used].set("mdi:alert-outline")
			text := alert.Title
			if !alert.Until.IsZero() {
				text += ", " + string(b.Locale.AppendPhrase(nil, locale.Until, b.clock(alert.Until, v.zone)))
			}
			a.lines[a.used].place(a.w.flip(image.Rect(side+b.px(8), y, box.Max.X, y+a.row())))
			a.lines[a.used].set(text)
			a.grave[a.used] = grave
			a.used++
		}
	}
}

func (a *skyAlerts) paint(c render.Canvas) {
	for i := range a.used {
		ink := a.w.ink("warn")
		if a.grave[i] {
			ink = a.w.ink("bad")
		}
		a.icons[i].paint(c, ink)
		a.lines[i].paint(c, ink)
	}
}
