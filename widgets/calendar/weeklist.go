package calendar

import (
	"image"
	"time"

	"dashboard/provider/calendar"
	"dashboard/widgets/kit/piece"
)

// Minimum widths of a column as multiples of the label size. A listed event needs room for a readable title. An event in the grid only
// needs room for the start of its title.
const (
	weekListed = 5
	weekColumn = 4
	weekTimed  = 9 // minimum width of a column that shows a time before the title
)

// low() reports whether the height of an hour is too small for a title, although a column has room for a line of text. If low() is true,
// events are listed one below the other and not placed by their hours.
func (w *week) low() bool {
	room := w.size.Y - w.top
	return room*60/(w.to-w.from) < w.label.Size && room >= w.lane && w.size.X >= weekWords*w.label.Size
}

// fit() reduces the number of columns until the titles are readable.
func (w *week) fit() {
	w.columns, w.left = w.days, w.hoursWide
	if w.by {
		w.columns = max(1, len(w.events.Calendars))
	}
	least := weekColumn
	if w.listed = w.low(); w.listed {
		w.left, least = 0, weekListed
	}
	for w.columns > 1 && (w.size.X-w.left)/w.columns < least*w.label.Size {
		w.columns--
	}
}

// layList lists the events of a column and counts the events that do not fit. It omits events of today that are over.
func (w *week) layList(column int, now time.Time) {
	top := w.top + w.lanes*w.lane
	rows, n, today := (w.size.Y-top+weekApart)/w.lane, 0, column == 0 || w.by
	each := func(f func(e *calendar.Event)) {
		for _, e := range w.events.List {
			if over := today && !e.End.After(now) && e.End.After(e.Start); !wholeDays(e) && !over && w.shows(e, column) {
				f(e)
			}
		}
	}
	each(func(e *calendar.Event) {
		if n++; today && (w.next.IsZero() || e.End.Before(w.next)) {
			w.next = e.End
		}
	})
	shown := n
	if n > rows {
		shown = max(0, rows-1)
	}
	i, c := 0, w.column(column)
	each(func(e *calendar.Event) {
		if i < shown {
			w.add(e, c, top+i*w.lane, w.lane-weekApart, false)
		}
		i++
	})
	if n > shown && rows > 0 {
		s := piece.NewSnippet(w.b, w.label, w.b.EdgeOf("start"))
		inset := w.b.Px(weekInset)
		box := image.Rect(c.Min.X+inset, top+shown*w.lane, c.Max.X-inset, top+(shown+1)*w.lane)
		w.buf = piece.AppendLeft(w.b, w.buf[:0], n-shown, w.label, box.Dx())
		put(&s, w.buf, box)
		w.mores = append(w.mores, s)
	}
}
