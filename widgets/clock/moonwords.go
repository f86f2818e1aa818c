package clock

import (
	"image"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/internal/moon"
	"dashboard/widgets/kit"
)

// widest() returns the width in px of the widest word in the names of all phases, at the smallest text size.
func (w *lunar) widest(f kit.Face) (n int) {
	f.Size = min(f.Size, w.b.Least())
	for phase := range moonPhases {
		for _, word := range strings.Fields(w.b.Locale.Say(locale.NewMoon + locale.Phrase(phase))) {
			n = max(n, w.b.TextWidth(f, word))
		}
	}
	return n
}

// folds() reports whether a phase has a name that fits in two lines but not in one.
func (w *lunar) folds(f kit.Face) bool {
	wide := w.widest(f)
	f.Size = min(f.Size, w.b.Least())
	for phase := range moonPhases {
		if w.b.TextWidth(f, w.b.Locale.Say(locale.NewMoon+locale.Phrase(phase))) > w.size.X {
			return wide <= w.size.X
		}
	}
	return false
}

// moonPhases is the number of names of phases.
const moonPhases = 8

// say sets the lines of text. It omits lines that do not fit completely.
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
		if w.b.TextWidth(small, text) > w.text.Dx() {
			text = before + string(l.Append(nil, at.In(w.b.Location), locale.DateBrief))
		}
		w.line(text, small, 0)
	}
	w.place()
}

// name() sets the name in one line or in two.
func (w *lunar) name(name string, f kit.Face) {
	least, fit := min(f.Size, w.b.Least()), w.text.Dx()*f.Size/max(1, w.b.TextWidth(f, name))
	if fit < f.Size*4/5 && w.text.Dy() >= 2*f.Line {
		if first, more, size := w.b.TwoLines(f, name, least, w.text.Dx()); size > fit {
			w.line(first, f, size)
			w.line(more, f, size)
			return
		}
	}
	w.line(name, f, 0)
}

// line() adds a line of text if there is room for it. `size` is the size of the text in px. If `size` is 0, the text may shrink to fit.
func (w *lunar) line(text string, f kit.Face, size int) {
	high := f.Line
	for _, c := range w.words[:w.used] {
		high += c.Face.Line
	}
	fit := w.text.Dx() * f.Size / max(1, w.b.TextWidth(f, text))
	if high > w.text.Dy() || fit < min(f.Size, w.b.Least()) {
		return
	}
	c := w.words[w.used]
	c.Face, c.Edge, c.Least, c.Raw = f, w.edge, min(f.Size, w.b.Least()), text
	c.Most = size
	w.used++
}

// place() places the lines below the moon, or vertically centered next to the moon.
func (w *lunar) place() {
	high := 0
	for _, c := range w.words[:w.used] {
		high += c.Face.Line
	}
	y := w.text.Min.Y
	if y == 0 {
		y = (w.text.Dy() - high) / 2
	}
	for _, c := range w.words[:w.used] {
		c.Box = image.Rect(w.text.Min.X, y, w.text.Max.X, y+c.Face.Line)
		c.Layout()
		y += c.Face.Line
	}
}
