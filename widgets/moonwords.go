package widgets

import (
	"image"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/moon"
)

// widest is how wide the widest word of all names is at the least size, px.
func (w *lunar) widest(f face) (n int) {
	f.size = min(f.size, w.b.least())
	for phase := range moonPhases {
		for _, word := range strings.Fields(w.b.Locale.Say(locale.NewMoon + locale.Phrase(phase))) {
			n = max(n, w.b.textWidth(f, word))
		}
	}
	return n
}

// folds reports whether a name needs two lines in the width of the widget, and has room in them.
func (w *lunar) folds(f face) bool {
	wide := w.widest(f)
	f.size = min(f.size, w.b.least())
	for phase := range moonPhases {
		if w.b.textWidth(f, w.b.Locale.Say(locale.NewMoon+locale.Phrase(phase))) > w.size.X {
			return wide <= w.size.X
		}
	}
	return false
}

// moonPhases is how many names the moon has.
const moonPhases = 8

// say writes the words for a moment, as many lines as there is room for: what would be cut is left out.
func (w *lunar) say(now time.Time, angle float64) {
	l, small := w.b.Locale, w.small
	w.used = 0
	w.name(l.Say(locale.NewMoon+locale.Phrase(moon.Phase(angle))), w.strong)
	w.line(string(l.AppendPercent(nil, moon.Lit(angle), 0)), small, 0)
	first, second := moon.Next(now, moon.Full), moon.Next(now, moon.New)
	phases := [2]locale.Phrase{locale.FullMoon, locale.NewMoon}
	if second.Before(first) {
		first, second, phases = second, first, [2]locale.Phrase{locale.NewMoon, locale.FullMoon}
	}
	for i, at := range []time.Time{first, second} {
		before := l.Say(phases[i]) + " · "
		text := before + string(l.Append(nil, at.In(w.b.Location), locale.Date))
		if w.b.textWidth(small, text) > w.text.Dx() {
			text = before + string(l.Append(nil, at.In(w.b.Location), locale.DateBrief))
		}
		w.line(text, small, 0)
	}
	w.place()
}

// name writes the name in a line, or in two.
func (w *lunar) name(name string, f face) {
	least, fit := min(f.size, w.b.least()), w.text.Dx()*f.size/max(1, w.b.textWidth(f, name))
	if fit < f.size*4/5 && w.text.Dy() >= 2*f.line {
		if first, more, size := w.b.twoLines(f, name, least, w.text.Dx()); size > fit {
			w.line(first, f, size)
			w.line(more, f, size)
			return
		}
	}
	w.line(name, f, 0)
}

// line adds a line of a size, px, or smaller where that is 0, if there is room for it.
func (w *lunar) line(text string, f face, size int) {
	high := f.line
	for _, c := range w.words[:w.used] {
		high += c.face.line
	}
	fit := w.text.Dx() * f.size / max(1, w.b.textWidth(f, text))
	if high > w.text.Dy() || fit < min(f.size, w.b.least()) {
		return
	}
	c := w.words[w.used]
	c.face, c.edge, c.least, c.raw = f, w.edge, min(f.size, w.b.least()), text
	c.most = size
	w.used++
}

// place puts the lines below the moon, or into the middle of what is beside it.
func (w *lunar) place() {
	high := 0
	for _, c := range w.words[:w.used] {
		high += c.face.line
	}
	y := w.text.Min.Y
	if y == 0 {
		y = (w.text.Dy() - high) / 2
	}
	for _, c := range w.words[:w.used] {
		c.box = image.Rect(w.text.Min.X, y, w.text.Max.X, y+c.face.line)
		c.layout()
		y += c.face.line
	}
}
