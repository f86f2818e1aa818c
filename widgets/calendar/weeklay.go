package calendar

import (
	"image"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// column() returns the rectangle of a column, from the top to the bottom of the grid.
func (w *week) column(i int) image.Rectangle {
	wide := w.size.X - w.left
	return w.mirrored(image.Rect(w.left+i*wide/w.columns, w.grid.Min.Y, w.left+(i+1)*wide/w.columns, w.grid.Max.Y))
}

func (w *week) mirrored(r image.Rectangle) image.Rectangle {
	if w.b.Locale.RightToLeft {
		r.Min.X, r.Max.X = w.size.X-r.Max.X, w.size.X-r.Min.X
	}
	return r
}

// lay places all parts except the line at the current time.
func (w *week) lay(now time.Time) {
	w.fit()
	w.blocks, w.mores, w.next = w.blocks[:0], w.mores[:0], time.Time{}
	w.grid = image.Rect(w.left, w.top, w.size.X, w.size.Y)
	w.layWhole()
	w.layHours()
	w.layNames()
	for i := range w.columns {
		if w.listed && w.columnsReady() {
			w.layList(i, now)
		} else {
			w.layColumn(i)
		}
	}
}

// shows() reports whether a column shows an event.
func (w *week) shows(e *calendar.Event, column int) bool {
	day := column
	if w.by {
		if w.events.Calendars[column] != e.Calendar {
			return false
		}
		day = 0
	}
	return kit.During(e, piece.MidnightOf(w.day, day), piece.MidnightOf(w.day, day+1))
}

// wholeDays reports whether an event is shown above the hours.
func wholeDays(e *calendar.Event) bool { return e.AllDay || e.End.Sub(e.Start) >= 24*time.Hour }

// layWhole places whole-day events in lanes above the hours. Events that find no free lane are omitted.
func (w *week) layWhole() {
	var taken [maxLanes][mostColumns]bool
	most := min(maxLanes, max(1, (w.size.Y-w.top)/(3*w.lane)))
	used := 0
	for _, e := range w.events.List {
		if !wholeDays(e) {
			continue
		}
		from, to := -1, -1
		for c := range min(w.columns, len(taken[0])) {
			if w.columnsReady() && w.shows(e, c) {
				if from < 0 {
					from = c
				}
				to = c
			}
		}
		if from < 0 {
			continue
		}
		lane := 0
		for lane < most && anyTaken(taken[lane][from:to+1]) {
			lane++
		}
		if lane == most {
			continue
		}
		for c := from; c <= to; c++ {
			taken[lane][c] = true
		}
		used = max(used, lane+1)
		w.add(e, w.column(from).Union(w.column(to)), w.top+lane*w.lane, w.lane-2, true)
	}
	w.lanes = used
	w.grid.Min.Y = w.top + used*w.lane + w.b.Px(weekInset)
}

// columnsReady reports whether the number of columns is known.
func (w *week) columnsReady() bool { return !w.by || len(w.events.Calendars) > 0 }

func anyTaken(list []bool) bool {
	for _, v := range list {
		if v {
			return true
		}
	}
	return false
}

// layHours places the lines of the hours and the labels of the hours.
func (w *week) layHours() {
	w.lines = w.lines[:0]
	if w.hours == nil {
		for range mostWeekHours {
			w.hours = append(w.hours, piece.NewSnippet(w.b, w.label, w.b.EdgeOf("start")))
		}
	}
	step := 60
	for w.grid.Dy()*step/max(1, w.to-w.from) < w.label.Line*3/2 && step < wholeDay/2 {
		step *= 2
	}
	n := 0
	for m := (w.from + 59) / 60 * 60; m <= w.to && n < mostWeekHours && !w.listed; m += step {
		y := w.y(m)
		w.lines = append(w.lines, y)
		box := w.mirrored(image.Rect(0, y-w.label.Line/2, w.left, y+w.label.Line/2))
		w.buf = w.b.Locale.Append(w.buf[:0], w.day.Add(time.Duration(m%wholeDay)*time.Minute), locale.Hour)
		if box.Max.Y > w.size.Y || box.Min.Y < w.grid.Min.Y-w.label.Line/2 || w.left == 0 {
			w.buf = w.buf[:0]
		}
		put(&w.hours[n], w.buf, box)
		n++
	}
	for ; n < mostWeekHours; n++ {
		put(&w.hours[n], nil, image.Rectangle{})
	}
}

// y returns the y coordinate of a minute of the day.
func (w *week) y(minute int) int {
	m := min(max(minute, w.from), w.to) - w.from
	return w.grid.Min.Y + m*(w.grid.Dy()-1)/(w.to-w.from)
}

// layNames sets the names of the columns, which are days or calendars.
func (w *week) layNames() {
	w.names = w.names[:0]
	words := !w.by && w.dayNamesFit()
	for i := range w.columns {
		c := w.column(i)
		s := piece.NewSnippet(w.b, w.label, kit.EdgeCenter)
		switch {
		case w.by && w.columnsReady():
			s.Face = w.strong
			w.buf = append(w.buf[:0], w.events.Calendars[i].Name...)
		case w.by:
			w.buf = w.buf[:0]
		default:
			day := piece.MidnightOf(w.day, i)
			if i == 0 {
				s.Face = w.strong
			}
			if w.buf = w.buf[:0]; words {
				w.buf = w.b.Locale.Append(w.buf, day, locale.DayShort)
			} else {
				w.buf = w.b.Locale.AppendNumber(w.buf, float64(day.Day()), 0, false)
			}
		}
		put(&s, w.buf, image.Rect(c.Min.X, 0, c.Max.X, w.label.Line))
		w.names = append(w.names, s)
	}
}

// dayNamesFit reports whether the names of the days fit in all columns. If one name does not fit, all columns show only the number of the
// day.
func (w *week) dayNamesFit() bool {
	for i := range w.columns {
		face := w.label
		if i == 0 {
			face = w.strong
		}
		w.buf = w.b.Locale.Append(w.buf[:0], piece.MidnightOf(w.day, i), locale.DayShort)
		if w.b.TextWidth(face, string(w.buf)) > w.column(i).Dx() {
			return false
		}
	}
	return true
}

// layColumn places the events of a column. Events at the same time are side by side.
func (w *week) layColumn(column int) {
	if !w.columnsReady() {
		return
	}
	day := column
	if w.by {
		day = 0
	}
	var group []*calendar.Event // events that overlap
	var end time.Time
	for _, e := range w.events.List {
		if wholeDays(e) || !w.shows(e, column) {
			continue
		}
		if len(group) > 0 && !e.Start.Before(end) {
			w.layGroup(column, day, group)
			group = group[:0]
		}
		if len(group) == 0 || e.End.After(end) {
			end = e.End
		}
		group = append(group, e)
	}
	w.layGroup(column, day, group)
}

// layGroup places overlapping events side by side. It divides the column into equal parts. Each event gets the first part that is free at
// the event's time.
func (w *week) layGroup(column, day int, group []*calendar.Event) {
	var free []time.Time
	parts := make([]int, len(group))
	for i, e := range group {
		at := 0
		for at < len(free) && free[at].After(e.Start) {
			at++
		}
		if at == len(free) {
			free = append(free, time.Time{})
		}
		free[at], parts[i] = e.End, at
	}
	c := w.column(column)
	for i, e := range group {
		from, to := w.minutes(e, day)
		if to <= w.from || from >= w.to {
			continue // the event is outside the shown hours
		}
		r := c
		r.Min.X, r.Max.X = c.Min.X+parts[i]*c.Dx()/len(free), c.Min.X+(parts[i]+1)*c.Dx()/len(free)
		y0, y1 := w.y(from), w.y(to)
		w.add(e, r, y0, max(y1-y0, w.label.Size/2), false)
	}
}

// minutes() returns the minutes of the day at which an event starts and ends on the given day.
func (w *week) minutes(e *calendar.Event, day int) (from, to int) {
	start, end := piece.MidnightOf(w.day, day), piece.MidnightOf(w.day, day+1)
	to = wholeDay
	if e.Start.After(start) {
		from = e.Start.Hour()*60 + e.Start.Minute()
	}
	if e.End.Before(end) {
		to = e.End.Hour()*60 + e.End.Minute()
	}
	return from, to
}

// add appends the block of an event.
func (w *week) add(e *calendar.Event, r image.Rectangle, y, high int, full bool) {
	b := w.b
	if len(w.blocks) == mostWeekBlocks {
		return
	}
	r.Min.Y, r.Max.Y = y, min(w.size.Y, y+high)
	r.Min.X, r.Max.X = r.Min.X+1, r.Max.X-1
	if r.Dx() < 2 || r.Dy() < 1 {
		return
	}
	start := b.EdgeOf("start")
	v := weekBlock{rect: r, corner: render.NewCorner(b.Px(4), r.Size()), color: w.events.Color(e.Calendar), time: piece.NewSnippet(b, w.label, start), title: piece.NewSnippet(b, w.label, start)}
	v.ink = onColor(v.color)
	if !full || b.Look.Ink {
		v.stripe = image.Rect(r.Min.X, r.Min.Y, r.Min.X+b.Px(weekStripe), r.Max.Y)
		if b.Locale.RightToLeft {
			v.stripe = image.Rect(r.Max.X-b.Px(weekStripe), r.Min.Y, r.Max.X, r.Max.Y)
		}
		v.color, v.ink = kit.Tint(v.color, blockShade), b.Role("text")
	}
	w.write(&v, e, full)
	w.blocks = append(w.blocks, v)
}
