package weather

import (
	"image"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// skyAlerts shows official warnings, one in each line.
type skyAlerts struct {
	w     *forecast
	icons [alertLines]*kit.Mark
	lines [alertLines]*kit.Caption
	grave [alertLines]bool
	used  int
}

// alertLines is the maximum number of warnings. The most severe warnings are shown.
const alertLines = 3

func newSkyAlerts(w *forecast) *skyAlerts {
	a := &skyAlerts{w: w}
	strong := w.b.Look.Styles["caption"]
	strong.Weight = 500
	for i := range a.lines { // the text size is fixed, and an ellipsis ends a long text
		a.icons[i], a.lines[i] = w.b.Mark(image.Rectangle{}), w.b.Caption(w.b.FaceOf("caption", strong), image.Rectangle{}, w.b.EdgeOf(""))
		a.lines[i].Least = a.lines[i].Face.Size
	}
	return a
}

func (a *skyAlerts) row() int { return a.lines[0].Face.Line + a.w.b.Px(4) }

func (a *skyAlerts) high(v *view) int { return min(len(v.alerts), alertLines) * a.row() }

func (a *skyAlerts) fill(v *view, box image.Rectangle) {
	b, side := a.w.b, a.w.b.Px(20)
	a.used = 0
	for _, grave := range []bool{true, false} {
		for _, alert := range v.alerts {
			if alert.Grave != grave || a.used == alertLines {
				continue
			}
			y := box.Min.Y + a.used*a.row()
			top := y + (a.row()-side)/2
			a.icons[a.used].Place(a.w.flip(image.Rect(0, top, side, top+side)))
			a.icons[a.used].Set("mdi:alert-outline")
			text := alert.Title
			if !alert.Until.IsZero() {
				text += ", " + string(b.Locale.AppendPhrase(nil, locale.Until, clock(b, alert.Until, v.zone)))
			}
			a.lines[a.used].Place(a.w.flip(image.Rect(side+b.Px(8), y, box.Max.X, y+a.row())))
			a.lines[a.used].Set(text)
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
		a.icons[i].Paint(c, ink)
		a.lines[i].Paint(c, ink)
	}
}
