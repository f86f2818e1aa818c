package weather

import (
	"image"

	"dashboard/internal/locale"
)

// footRain shows the rain at the bottom: in the same line as the credit if shared is true, otherwise in the last line of box.
func (n *skyNow) footRain(v *view, box image.Rectangle, foot bool) {
	w, line := n.w, n.lines[1].Face.Line
	switch {
	case w.credit.shared:
		n.rain(v, image.Rect(0, w.size.Y-line, w.size.X-w.credit.width(w.credit.words[0]), w.size.Y))
	case foot:
		n.rain(v, image.Rect(0, box.Max.Y-line, w.size.X, box.Max.Y))
	}
}

// rain shows the start of the next rain. If there is room, it also shows the end and the word for the rain.
func (n *skyNow) rain(v *view, line image.Rectangle) {
	from, _ := shower(v.hours)
	text := clock(n.w.b, from, v.zone)
	for _, longer := range []string{n.rainText(v), n.rainWord(v) + " " + n.rainText(v)} {
		if n.noteWidth(longer) <= line.Dx() {
			text = longer
		}
	}
	n.marks[2].set(n.w, "mdi:umbrella-outline", "accent", text, line.Min.X, line)
}

// rainText returns the start and the end of the next rain as text.
func (n *skyNow) rainText(v *view) string {
	from, to := shower(v.hours)
	b := n.w.b
	text := clock(b, from, v.zone)
	if !from.After(v.now) {
		text = b.Locale.Say(locale.Now)
	}
	if !to.IsZero() {
		text += " – " + clock(b, to, v.zone)
	}
	return text
}

// rainWord returns the word for the next rain, such as "showers".
func (n *skyNow) rainWord(v *view) string {
	first, _ := showerOf(v.hours)
	return wetWord(n.w.b, &v.hours[first])
}

// noteWidth returns the width in px of a note: its icon and its text.
func (n *skyNow) noteWidth(text string) int {
	b := n.w.b
	return b.Px(skyNoteIcon) + b.Px(skyNoteGap) + b.TextWidth(n.lines[1].Face, text)
}
