package calendar

import (
	"image"
	"strings"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// isBar reports whether the event is shown as a bar, because it takes whole days or several days.
func (m *monthItem) isBar() bool {
	e := m.event
	return e.AllDay || m.to > m.from || piece.DaysBetween(e.Start, e.End.Add(-1)) > 0
}

// barBox returns the rectangle from the first to the last day of an event in the given week. The caller sets its y coordinates.
func (w *month) barBox(row int, m *monthItem) image.Rectangle {
	r := w.cell(row, m.from).Union(w.cell(row, m.to))
	half := w.b.Px(dayInset) / 2
	return image.Rect(r.Min.X+half, r.Min.Y, r.Max.X-half, r.Max.Y)
}

// dotWidth returns the width in px of the dot before a title.
func (w *month) dotWidth() int { return max(3, w.b.Px(dotSide+1)) }

// titleStart returns the distance in px from the start of an event's rectangle to its title. The dot is before the title. If the rectangle
// is wide enough, the time is also before the title.
func (w *month) titleStart(m *monthItem, wide int, label kit.Face) int {
	b := w.b
	inset := b.Px(dayInset)
	at := w.dotWidth() + inset
	if wide > 9*label.Size {
		w.buf = appendTime(b, w.buf[:0], m.event.Start)
		b.Text.ShapeBytes(&b.Scratch, label.Font, label.Size, w.buf)
		at += b.Scratch.Width() + inset + 1
	}
	return at
}

// breakTitles gives long titles of a week further lines, if the lanes below are free. On each day, the events below move down. An event of
// several days keeps its lane. Days with hidden events are not changed.
func (w *month) breakTitles(items []monthItem, left [piece.DaysOfWeek]int, most int, label kit.Face) {
	for d := range piece.DaysOfWeek {
		at, n := 0, 0 // first lane below all events of several days, and the number of events below it
		for i := range items {
			if m := &items[i]; m.to > m.from && m.from <= d && d <= m.to {
				at = max(at, m.lane+1)
			}
		}
		below := func(m *monthItem) bool { return m.from == d && m.to == d && m.lane >= at }
		for i := range items {
			if below(&items[i]) {
				n++
			}
		}
		if spare := most - at - n; left[d] == 0 && spare > 0 {
			w.breakDay(items, below, at, spare, label)
		}
	}
}

// breakDay gives the titles of the events for which `of` returns true further lines. It moves these events to the lanes from `at` on.
// `spare` is the number of free lanes.
func (w *month) breakDay(items []monthItem, of func(*monthItem) bool, at, spare int, label kit.Face) {
	for i := range items {
		m := &items[i]
		if !of(m) {
			continue
		}
		m.lane, m.lines = at, 1
		if !m.isBar() {
			title, _ := titleOf(w.b, m.event)
			wide := w.barBox(0, m).Dx()
			m.lines = len(w.titleLines(title, wide-w.titleStart(m, wide, label), 1+spare, label))
		}
		spare -= m.lines - 1
		at += m.lines
	}
}

// titleLines breaks a title between words into lines of the given width in px. The result has at most `most` lines, and the last line has
// the rest of the title.
func (w *month) titleLines(title string, wide, most int, label kit.Face) (lines []string) {
	rest := title
	for len(lines) < most-1 {
		n := w.wordsThatFit(rest, wide, label)
		if n == 0 || n == len(rest) {
			break
		}
		lines = append(lines, rest[:n])
		rest = strings.TrimLeft(rest[n:], " ")
	}
	return append(lines, rest)
}

// wordsThatFit returns the length in bytes of the first words of s that fit into a width in px. If not even the first word fits, the result
// is 0.
func (w *month) wordsThatFit(s string, wide int, label kit.Face) (n int) {
	for n < len(s) {
		next := len(s)
		if space := strings.IndexByte(s[n+1:], ' '); space >= 0 {
			next = n + 1 + space
		}
		if w.b.TextWidth(label, s[:next]) > wide {
			return n
		}
		n = next
	}
	return n
}

// titleShrink is the smallest size of a title, as a share of the usual size.
const titleShrink = 0.75

// putTitle shows a line of a title in a box. If the line would be cut, its text becomes smaller until the line fits. A line that does not
// fit in the smallest size has the usual size.
func (w *month) putTitle(c *piece.Snippet, line string, box image.Rectangle) {
	usual := c.Face
	least := max(w.b.Least(), int(titleShrink*float64(usual.Size)))
	for f := usual; f.Size >= least; f.Size-- {
		if w.b.TextWidth(f, line) <= box.Dx() {
			c.Dress(f)
			break
		}
	}
	put(c, []byte(line), box)
}
