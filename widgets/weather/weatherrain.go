package weather

import (
	"image"

	"dashboard/internal/locale"
)

// footRain shows the rain at the bottom: in the same line as the credit if `shared` is true, otherwise in the last line of `box`.
func (n *skyNow) footRain(v *view, box image.Rectangle, foot bool) {
	w, line := n.w, n.lines[1].Face.Line
	switch {
	case w.credit.shared:
		n.rain(v, image.Rect(0, w.size.Y-line, w.size.X-w.credit.width(w.credit.words[0]), w.size.Y))
	case foot:
		n.rain(v, image.Rect(0, box.Max.Y-line, w.size.X, box.Max.Y))
	}
}

// rain() shows the start of the next rain. If there is room, it also shows the end and the word for the rain.
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
	text := n.rainStart(v)
	if _, to := shower(v.hours); !to.IsZero() {
		text += " – " + clock(n.w.b, to, v.zone)
	}
	return text
}

// rainStart returns the time at which the next rain starts, or a word if it rains.
func (n *skyNow) rainStart(v *view) string {
	from, _ := shower(v.hours)
	if !from.After(v.now) {
		return n.w.b.Locale.Say(locale.Now)
	}
	return clock(n.w.b, from, v.zone)
}

// rainWord returns the word for the next rain, such as "showers".
func (n *skyNow) rainWord(v *view) string {
	first, _ := showerOf(v.hours)
	return wetWord(n.w.b, &v.hours[first])
}

// rainBriefly returns the start of the next rain with its word. If this text does not fit into the width `room`, rainBriefly uses a
// shorter word.
func (n *skyNow) rainBriefly(v *view, room int) string {
	b, at := n.w.b, " "+n.rainStart(v)
	if all := n.rainWord(v) + at; b.TextWidth(n.lines[1].Face, all) <= room {
		return all
	}
	return b.Locale.Say(locale.Rain) + at
}

// noteWidth returns the width in px of a note: its icon and its text.
func (n *skyNow) noteWidth(text string) int {
	b := n.w.b
	return b.Px(skyNoteIcon) + b.Px(skyNoteGap) + b.TextWidth(n.lines[1].Face, text)
}
