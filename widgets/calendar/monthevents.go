package calendar

import (
	"image"
	"image/color"
	"slices"

	"dashboard/internal/stable"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// monthBar shows an event in a week of a month. It is a bar over the event's days, or a dot with a time and a title.
type monthBar struct {
	rect        image.Rectangle
	corner      *render.Corner
	dot         image.Rectangle // dot before the title, for an event with a time of day
	dotCorner   *render.Corner
	color       color.RGBA
	ink         color.RGBA
	hollow      bool // true on black-and-white displays
	time, title piece.Snippet
	below       []piece.Snippet // further lines of the title
}

// monthDot marks a day on which a calendar has events.
type monthDot struct {
	rect   image.Rectangle
	corner *render.Corner
	color  color.RGBA
}

// monthItem is an event in a week of a month. It has no position yet.
type monthItem struct {
	event    *calendar.Event
	from, to int // first and last day of the event in this week, counted from 0
	lane     int
	lines    int // number of lanes for the lines of the title, 0 for one lane
	hidden   bool
}

// Limits and lengths of events in a month, in px on a screen whose shorter side has 720 px.
const (
	maxLanes   = 24
	maxItems   = 512 // maximum number of events of a week
	mostDots   = 3
	dotSide    = 5
	laneGap    = 2
	dayInset   = 4
	wideCell   = 88 // minimum width of a day for event titles
	leastLanes = 2
)

// roomy() reports whether the days have room for event titles.
func (w *month) roomy(top int, label kit.Face) bool {
	wide, high := (w.size.X-w.left)/piece.DaysOfWeek, (w.size.Y-top-label.Line)/w.rows
	return wide >= w.b.Px(wideCell) && high >= w.b.Face("caption").Line+w.b.Px(dayInset)+leastLanes*(label.Line+w.b.Px(laneGap))
}

// numberHeight returns the height of the line with the day's number.
func (w *month) numberHeight(cell image.Rectangle, day kit.Face) int {
	switch {
	case w.large:
		return day.Line + w.b.Px(dayInset)
	case w.events.Asked() && cell.Dy() >= day.Size*5/4+w.b.Px(dotSide)+2:
		return cell.Dy() - w.b.Px(dotSide) - 1
	}
	return cell.Dy()
}

// dayBox returns the rectangle of a day's number.
func (w *month) dayBox(cell image.Rectangle, day kit.Face) image.Rectangle {
	high := w.numberHeight(cell, day)
	box := cell
	box.Max.Y = box.Min.Y + high
	if !w.large {
		return box
	}
	if w.b.Locale.RightToLeft {
		box.Min.X = box.Max.X - 2*high
	} else {
		box.Max.X = box.Min.X + 2*high
	}
	return box.Inset(w.b.Px(1))
}

// place() places the events of all shown weeks.
func (w *month) place() {
	w.bars, w.dots = w.bars[:0], w.dots[:0]
	for i := range w.more {
		put(&w.more[i], nil, image.Rectangle{})
	}
	if !w.events.Asked() || w.tiny {
		return
	}
	for row := range w.rows {
		items := w.week(row)
		if w.large {
			w.placeWeek(row, items)
		} else {
			w.dotWeek(row, items)
		}
	}
}

// week() lists the events of a shown week, sorted by their first day. If events have the same first day, the longest is first.
func (w *month) week(row int) (items []monthItem) {
	start, end := piece.MidnightOf(w.first, row*piece.DaysOfWeek), piece.MidnightOf(w.first, (row+1)*piece.DaysOfWeek)
	for _, e := range w.events.List {
		if !e.Start.Before(end) || len(items) == maxItems {
			break
		}
		if !kit.During(e, start, end) {
			continue
		}
		last := e.End
		if last.After(e.Start) {
			last = last.Add(-1)
		}
		from, to := max(0, piece.DaysBetween(start, e.Start)), min(piece.DaysOfWeek-1, piece.DaysBetween(start, last))
		items = append(items, monthItem{event: e, from: from, to: max(from, to)})
	}
	stable.Sort(items, func(a, b monthItem) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return (b.to - b.from) - (a.to - a.from)
	})
	return items
}

// lanes() assigns each event to the first lane that is free on all days of the event. Events that would need the lane `most` or a later
// lane are hidden. On days with hidden events, the lane `most`-1 shows the number of hidden events. The event in this lane is therefore
// also hidden. lanes() returns the number of hidden events of each day.
func lanes(items []monthItem, most int) (left [piece.DaysOfWeek]int) {
	var used [maxItems]uint8 // for each lane, the days on which the lane is used, as bits
	var over uint8           // days with more events than lanes, as bits
	for i := range items {
		days := items[i].days()
		lane := 0
		for lane < maxItems-1 && used[lane]&days != 0 {
			lane++
		}
		used[lane] |= days
		if items[i].lane = lane; lane >= most {
			over |= days
		}
	}
	for i := range items {
		m := &items[i]
		m.hidden = m.lane >= most || m.lane == most-1 && m.days()&over != 0
		for d := m.from; m.hidden && d <= m.to; d++ {
			left[d]++
		}
	}
	return left
}

// days() returns the event's days of the week as bits.
func (m *monthItem) days() uint8 { return uint8(1<<(m.to+1) - 1<<m.from) }

// placeWeek places the events of a week into lanes below the numbers of the days.
func (w *month) placeWeek(row int, items []monthItem) {
	b := w.b
	label := b.Face("label")
	cell := w.cell(row, 0)
	high := label.Line + b.Px(laneGap)
	top := cell.Min.Y + w.days[0].Box.Dy() + b.Px(dayInset)
	most := min(maxLanes, (cell.Max.Y-top)/high)
	left := lanes(items, most)
	w.breakTitles(items, left, most, label)
	for i := range items {
		if m := &items[i]; !m.hidden && w.days[row*piece.DaysOfWeek+m.from].Raw != "" {
			w.bar(row, m, top+m.lane*high, high-b.Px(laneGap), label)
		}
	}
	for d, n := range left {
		if n == 0 || w.days[row*piece.DaysOfWeek+d].Raw == "" {
			continue
		}
		y := top + (most-1)*high
		c := w.cell(row, d)
		w.sayMore(row*piece.DaysOfWeek+d, n, image.Rect(c.Min.X+b.Px(dayInset), y, c.Max.X-b.Px(dayInset), y+high), label)
	}
}

// bar() places one event as a bar or as a dot with its title.
func (w *month) bar(row int, m *monthItem, y, high int, label kit.Face) {
	b, e := w.b, m.event
	inset := b.Px(dayInset)
	r := w.barBox(row, m)
	r.Min.Y, r.Max.Y = y, y+high
	v := monthBar{color: w.events.Color(e.Calendar), time: piece.NewSnippet(b, label, b.EdgeOf("start")), title: piece.NewSnippet(b, label, b.EdgeOf("start"))}
	title, _ := titleOf(b, e)
	if m.isBar() {
		v.rect, v.corner, v.hollow = r, render.NewCorner(min(high/2, b.Px(4)), r.Size()), b.Look.Ink
		v.ink = onColor(v.color)
		if b.Look.Ink {
			v.ink = b.Role("text")
		}
		w.putTitle(&v.title, title, image.Rect(r.Min.X+inset, r.Min.Y, r.Max.X-inset, r.Max.Y))
		w.bars = append(w.bars, v)
		return
	}
	side := w.dotWidth()
	v.ink = b.Role("text")
	in := w.flow(r)
	v.dot = in(0, side)
	v.dot.Min.Y += (high - side) / 2
	v.dot.Max.Y = v.dot.Min.Y + side
	v.dotCorner = render.NewCorner(side/2, v.dot.Size())
	at := w.titleStart(m, r.Dx(), label)
	if from := side + inset; at > from {
		put(&v.time, appendTime(b, w.buf[:0], e.Start), in(from, at-inset))
	}
	room := in(at, r.Dx())
	for i, line := range w.titleLines(title, room.Dx(), max(1, m.lines), label) {
		if i == 0 {
			w.putTitle(&v.title, line, room)
			continue
		}
		next := piece.NewSnippet(b, label, b.EdgeOf("start"))
		w.putTitle(&next, line, room.Add(image.Pt(0, i*(high+b.Px(laneGap)))))
		v.below = append(v.below, next)
	}
	w.bars = append(w.bars, v)
}

// flow() returns a function that computes the part of the rectangle r between two distances, `from` and `to`. The distances are measured
// from the side at which lines of text start: the left side or, in languages that are written from right to left, the right side.
func (w *month) flow(r image.Rectangle) func(from, to int) image.Rectangle {
	return func(from, to int) image.Rectangle {
		if w.b.Locale.RightToLeft {
			return image.Rect(r.Max.X-to, r.Min.Y, r.Max.X-from, r.Max.Y)
		}
		return image.Rect(r.Min.X+from, r.Min.Y, r.Min.X+to, r.Max.Y)
	}
}

// onColor returns the text color with more contrast on a background color.
func onColor(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 128*1000 {
		return color.RGBA{11, 15, 22, 255}
	}
	return color.RGBA{255, 255, 255, 255}
}

// sayMore shows n, the number of hidden events of a day.
func (w *month) sayMore(day, n int, box image.Rectangle, label kit.Face) {
	if w.more == nil {
		for range w.days {
			w.more = append(w.more, piece.NewSnippet(w.b, label, w.b.EdgeOf("start")))
		}
	}
	w.buf = piece.AppendLeft(w.b, w.buf[:0], n, label, box.Dx())
	put(&w.more[day], w.buf, box)
}

// dotWeek marks the days of a week that have events. A day has one dot for each calendar with an event on this day, but at most three
// dots.
func (w *month) dotWeek(row int, items []monthItem) {
	side := w.b.Px(dotSide)
	for d := range piece.DaysOfWeek {
		cell := w.cell(row, d)
		box := w.days[row*piece.DaysOfWeek+d].Box
		if w.days[row*piece.DaysOfWeek+d].Raw == "" || cell.Max.Y-box.Max.Y < side {
			continue
		}
		y := min(cell.Max.Y-side-1, (box.Min.Y+box.Max.Y)/2+w.disc.Bounds().Dy()/2+side*3/4)
		if sameDay(w.first.AddDate(0, 0, row*piece.DaysOfWeek+d), w.shown) && y < (box.Min.Y+box.Max.Y)/2+w.disc.Bounds().Dy()/2+max(1, side/3) {
			continue // the dots would touch the disc
		}
		var of [mostDots]*calendar.Calendar
		n := 0
		for i := range items {
			if c := items[i].event.Calendar; items[i].from <= d && d <= items[i].to && n < mostDots && !slices.Contains(of[:n], c) {
				of[n] = c
				n++
			}
		}
		x := (cell.Min.X+cell.Max.X)/2 - (n*side*3/2-side/2)/2
		for _, c := range of[:n] {
			r := image.Rect(x, y, x+side, y+side)
			w.dots = append(w.dots, monthDot{r, render.NewCorner(side/2, r.Size()), w.events.Color(c)})
			x += side * 3 / 2
		}
	}
}

// paintLines paints the lines between the weeks.
func (w *month) paintLines(c render.Canvas) {
	if !w.large {
		return
	}
	line := w.b.Role("line")
	thick := piece.Hairline(w.b)
	for row := range w.rows {
		y := w.cell(row, 0).Min.Y
		c.Fill(image.Rect(0, y-thick, w.size.X, y), line)
	}
}

func (w *month) paintEvents(c render.Canvas) {
	ink := func(col color.RGBA) color.RGBA {
		if w.events.Stale {
			return kit.Faint(col)
		}
		return col
	}
	muted := w.b.Role("muted")
	for i := range w.bars {
		v := &w.bars[i]
		switch {
		case v.hollow:
			kit.PaintBar(c, v.rect, nil, kit.BarHollow, v.color)
		case !v.rect.Empty():
			c.FillRound(v.rect, v.corner, ink(v.color))
		default:
			c.FillRound(v.dot, v.dotCorner, ink(v.color))
		}
		v.time.Paint(c, muted)
		v.title.Paint(c, v.ink)
		for k := range v.below {
			v.below[k].Paint(c, v.ink)
		}
	}
	for _, d := range w.dots {
		c.FillRound(d.rect, d.corner, ink(d.color))
	}
	for i := range w.more {
		w.more[i].Paint(c, muted)
	}
}
