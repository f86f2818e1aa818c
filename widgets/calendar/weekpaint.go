package calendar

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// mark() places the line at the current time and reports whether the line moved.
func (w *week) mark(now time.Time) bool {
	before := w.now
	w.now = image.Rectangle{}
	if m := now.Hour()*60 + now.Minute(); m >= w.from && m <= w.to && w.columns > 0 && !w.listed {
		thick, c := max(2, w.b.Px(2)), w.column(0)
		if w.by {
			c = w.grid
		}
		y := w.y(m)
		w.now = image.Rect(c.Min.X, y-thick/2, c.Max.X, y-thick/2+thick)
	}
	w.nows = append(w.nows[:0], w.now)
	for i := range w.blocks {
		w.spare(w.blocks[i].title.Ink)
		w.spare(w.blocks[i].time.Ink)
	}
	return before != w.now
}

// spare() interrupts the line at the current time where it crosses a text. Otherwise, the text would look struck out.
func (w *week) spare(words image.Rectangle) {
	words = words.Inset(-w.b.Px(weekInset))
	for i := range w.nows {
		if r := w.nows[i]; r.Overlaps(words) {
			w.nows[i].Max.X = max(r.Min.X, words.Min.X)
			w.nows = append(w.nows, image.Rect(min(r.Max.X, words.Max.X), r.Min.Y, r.Max.X, r.Max.Y))
		}
	}
}

// Paint implements render.Widget.
func (w *week) Paint(c render.Canvas) {
	line, muted := w.b.Role("line"), w.b.Role("muted")
	for _, y := range w.lines {
		c.Fill(image.Rect(w.grid.Min.X-w.left*btoi(w.b.Locale.RightToLeft), y, w.grid.Max.X-w.left*btoi(w.b.Locale.RightToLeft), y+1), line)
	}
	for i := range w.names {
		ink := muted
		if w.by && w.columnsReady() {
			ink = w.events.Color(w.events.Calendars[i])
		} else if i == 0 {
			ink = w.b.Role("accent")
		}
		w.names[i].Paint(c, ink)
	}
	for i := range w.hours {
		w.hours[i].Paint(c, muted)
	}
	for i := range w.mores {
		w.mores[i].Paint(c, muted)
	}
	for i := range w.blocks {
		w.blocks[i].paint(c, w)
	}
	for _, r := range w.nows {
		c.Fill(r, w.b.Role("bad"))
	}
	for i := range w.blocks {
		w.blocks[i].title.Paint(c, w.blocks[i].ink)
		w.blocks[i].time.Paint(c, muted)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (v *weekBlock) paint(c render.Canvas, w *week) {
	ink := func(col color.RGBA) color.RGBA {
		if w.events.Stale {
			return kit.Faint(col)
		}
		return col
	}
	if w.b.Look.Ink {
		c.Fill(v.rect, w.b.Role("background"))
		kit.PaintBar(c, v.rect, nil, kit.BarHollow, w.b.Role("text"))
	} else {
		c.FillRound(v.rect, v.corner, ink(v.color))
		c.Fill(v.stripe, ink(opaque(v.color)))
	}
}

// opaque() returns a color with full opacity.
func opaque(c color.RGBA) color.RGBA {
	if c.A == 0 {
		return c
	}
	f := func(v uint8) uint8 { return uint8(min(255, int(v)*255/int(c.A))) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), 255}
}
