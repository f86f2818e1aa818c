package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
)

// WeekParams are the parameters of the week widget.
type WeekParams struct {
	Framed
	Picking
	Days  int          `yaml:"days" default:"7" min:"1" max:"14" doc:"How many days, from today on."`
	By    string       `yaml:"by" default:"day" enum:"day,calendar" doc:"A column for each day, or for each calendar, of today."`
	Hours value.Window `yaml:"hours" default:"07-22" doc:"The hours that are shown."`
}

// week is days, or calendars, side by side, and what they hold hour by hour.
type week struct {
	b        *Builder
	size     image.Point
	events   *events
	days     int
	by       bool // columns are calendars
	from, to int  // minutes of the day

	label, strong face
	left, top     int // px, of the hours and of the names
	lane          int // px, a line of events of whole days
	lanes         int // of them that are shown
	grid          image.Rectangle

	day     time.Time // midnight of today
	names   []snippet
	hours   []snippet
	lines   []int // y of the hours
	blocks  []weekBlock
	now     image.Rectangle
	buf     []byte
	columns int
}

// weekBlock is an event in a column.
type weekBlock struct {
	rect        image.Rectangle
	corner      *render.Corner
	color, ink  color.RGBA
	stripe      image.Rectangle
	time, title snippet
}

// Lengths of a week, px at a shorter side of 720 px, and its bounds.
const (
	weekInset      = 3
	weekStripe     = 3
	mostWeekBlocks = 400
	mostWeekHours  = 25
	mostColumns    = 20
	wholeDay       = 24 * 60
	blockShade     = 0.28
)

func buildWeek(b *Builder, s *Spec, p *WeekParams, size image.Point) render.Widget {
	w := &week{b: b, size: size, events: b.events(s, &p.Picking, eventChoice{}, true), days: p.Days, by: p.By == "calendar", label: b.face("label")}
	w.events.watched(b)
	w.from, w.to = int(p.Hours.From.Offset/time.Minute), int(p.Hours.To.Offset/time.Minute)
	if p.Hours.From.Event != value.Midnight || p.Hours.To.Event != value.Midnight {
		s.Errorf("hours", "takes times such as 07-22, not those of the sun")
		return nil
	}
	if w.to <= w.from {
		w.to = wholeDay
	}
	st := b.Look.Styles["label"]
	st.Weight = max(600, st.Weight)
	w.strong = b.faceOf("label", st)
	w.top = w.label.line + b.px(weekInset)
	w.lane = w.label.line + 2
	if size.X > 10*w.label.size {
		noon := time.Date(2000, 1, 1, 22, 0, 0, 0, time.UTC)
		w.left = b.textWidth(w.label, string(b.Locale.Append(nil, noon, locale.Hour))) + b.px(10)
	}
	return w
}

// Update implements render.Widget.
func (w *week) Update(t render.Tick) {
	now := t.Now().In(w.events.zone())
	changed := w.events.update(t)
	if day := midnightOf(now, 0); changed || !day.Equal(w.day) {
		w.day = day
		w.lay()
		w.mark(now)
		t.DamageAll()
	} else if before := w.now; w.mark(now) {
		t.Damage(before)
		t.Damage(w.now)
	}
	t.Wake(now.Truncate(time.Minute).Add(time.Minute))
}

// column is the rectangle of a column, from top to bottom of the grid.
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

// lay places everything but the line of now.
func (w *week) lay() {
	w.columns = w.days
	if w.by {
		w.columns = max(1, len(w.events.calendars))
	}
	for w.columns > 1 && (w.size.X-w.left)/w.columns < 2*w.label.size { // days leave before text gets smaller
		w.columns--
	}
	w.blocks = w.blocks[:0]
	w.grid = image.Rect(w.left, w.top, w.size.X, w.size.Y)
	w.layWhole()
	w.layHours()
	w.layNames()
	for i := range w.columns {
		w.layColumn(i)
	}
}

// shows reports whether an event belongs to a column, and its days there.
func (w *week) shows(e *calendar.Event, column int) bool {
	day := column
	if w.by {
		if w.events.calendars[column] != e.Calendar {
			return false
		}
		day = 0
	}
	return during(e, midnightOf(w.day, day), midnightOf(w.day, day+1))
}

// wholeDays reports whether an event stands above the hours.
func wholeDays(e *calendar.Event) bool { return e.AllDay || e.End.Sub(e.Start) >= 24*time.Hour }

// layWhole puts what takes whole days into lanes above the hours.
func (w *week) layWhole() {
	var taken [maxLanes][mostColumns]bool
	most := min(maxLanes, max(1, (w.size.Y-w.top)/(3*w.lane)))
	used := 0
	for _, e := range w.events.list {
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
	w.grid.Min.Y = w.top + used*w.lane + w.b.px(weekInset)
}

// columnsReady reports whether there is anything to show in columns.
func (w *week) columnsReady() bool { return !w.by || len(w.events.calendars) > 0 }

func anyTaken(list []bool) bool {
	for _, v := range list {
		if v {
			return true
		}
	}
	return false
}

// layHours places the lines of the hours and their names.
func (w *week) layHours() {
	w.lines = w.lines[:0]
	if w.hours == nil {
		for range mostWeekHours {
			w.hours = append(w.hours, w.b.snippet(w.label, w.b.edgeOf("start")))
		}
	}
	step := 60
	for w.grid.Dy()*step/max(1, w.to-w.from) < w.label.line*3/2 && step < wholeDay/2 {
		step *= 2
	}
	n := 0
	for m := (w.from + 59) / 60 * 60; m <= w.to && n < mostWeekHours; m += step {
		y := w.y(m)
		w.lines = append(w.lines, y)
		box := w.mirrored(image.Rect(0, y-w.label.line/2, w.left, y+w.label.line/2))
		w.buf = w.b.Locale.Append(w.buf[:0], w.day.Add(time.Duration(m%wholeDay)*time.Minute), locale.Hour)
		if box.Max.Y > w.size.Y || box.Min.Y < w.grid.Min.Y-w.label.line/2 || w.left == 0 {
			w.buf = w.buf[:0]
		}
		w.hours[n].put(w.buf, box)
		n++
	}
	for ; n < mostWeekHours; n++ {
		w.hours[n].put(nil, image.Rectangle{})
	}
}

// y is where a minute of the day is.
func (w *week) y(minute int) int {
	m := min(max(minute, w.from), w.to) - w.from
	return w.grid.Min.Y + m*(w.grid.Dy()-1)/(w.to-w.from)
}

// layNames writes the names of the columns: days, or calendars.
func (w *week) layNames() {
	w.names = w.names[:0]
	for i := range w.columns {
		c := w.column(i)
		s := w.b.snippet(w.label, edgeCenter)
		switch {
		case w.by && w.columnsReady():
			s.face = w.strong
			w.buf = append(w.buf[:0], w.events.calendars[i].Name...)
		case w.by:
			w.buf = w.buf[:0]
		default:
			day := midnightOf(w.day, i)
			if i == 0 {
				s.face = w.strong
			}
			w.buf = w.b.Locale.Append(w.buf[:0], day, locale.DayShort)
			if w.b.textWidth(s.face, string(w.buf)) > c.Dx() {
				w.buf = w.b.Locale.AppendNumber(w.buf[:0], float64(day.Day()), 0, false)
			}
		}
		s.put(w.buf, image.Rect(c.Min.X, 0, c.Max.X, w.label.line))
		w.names = append(w.names, s)
	}
}

// layColumn places the events of a column: those at one time side by side.
func (w *week) layColumn(column int) {
	if !w.columnsReady() {
		return
	}
	day := column
	if w.by {
		day = 0
	}
	var group []*calendar.Event // that overlap, one by one
	var end time.Time
	for _, e := range w.events.list {
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

// layGroup places events that overlap side by side, each in the first part that is free.
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
			continue // beyond the hours that are shown
		}
		r := c
		r.Min.X, r.Max.X = c.Min.X+parts[i]*c.Dx()/len(free), c.Min.X+(parts[i]+1)*c.Dx()/len(free)
		y0, y1 := w.y(from), w.y(to)
		w.add(e, r, y0, max(y1-y0, w.label.size/2), false)
	}
}

// minutes are those of the day between which an event is.
func (w *week) minutes(e *calendar.Event, day int) (from, to int) {
	start, end := midnightOf(w.day, day), midnightOf(w.day, day+1)
	to = wholeDay
	if e.Start.After(start) {
		from = e.Start.Hour()*60 + e.Start.Minute()
	}
	if e.End.Before(end) {
		to = e.End.Hour()*60 + e.End.Minute()
	}
	return from, to
}

// add adds the block of an event.
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
	start := b.edgeOf("start")
	v := weekBlock{rect: r, corner: render.NewCorner(b.px(4), r.Size()), color: w.events.color(e.Calendar), time: b.snippet(w.label, start), title: b.snippet(w.label, start)}
	v.ink = onColor(v.color)
	if !full || b.Look.Ink {
		v.stripe = image.Rect(r.Min.X, r.Min.Y, r.Min.X+b.px(weekStripe), r.Max.Y)
		if b.Locale.RightToLeft {
			v.stripe = image.Rect(r.Max.X-b.px(weekStripe), r.Min.Y, r.Max.X, r.Max.Y)
		}
		v.color, v.ink = tint(v.color, blockShade), b.role("text")
	}
	w.write(&v, e, full)
	w.blocks = append(w.blocks, v)
}

// weekWords is the least room for words in a block, of their size: less shows a letter and an ellipsis.
const weekWords = 3

// write puts title and time into a block, as far as there is room.
func (w *week) write(v *weekBlock, e *calendar.Event, full bool) {
	b := w.b
	in := v.rect
	before, behind := b.px(weekStripe+weekInset), b.px(weekInset)
	if b.Locale.RightToLeft {
		before, behind = behind, before
	}
	in.Min.X, in.Max.X = in.Min.X+before, in.Max.X-behind
	title, _ := b.titleOf(e)
	high := w.label.line
	if in.Dx() < weekWords*w.label.size || in.Dy() < w.label.size {
		return
	}
	if full || in.Dy() < 2*high {
		v.title.put([]byte(title), image.Rect(in.Min.X, in.Min.Y, in.Max.X, min(in.Max.Y, in.Min.Y+max(high, w.lane-2))))
		return
	}
	v.title.put([]byte(title), image.Rect(in.Min.X, in.Min.Y+1, in.Max.X, in.Min.Y+1+high))
	w.buf = b.appendTime(w.buf[:0], e.Start)
	v.time.put(w.buf, image.Rect(in.Min.X, in.Min.Y+1+high, in.Max.X, in.Min.Y+1+2*high))
}

// mark places the line of now and reports whether it moved.
func (w *week) mark(now time.Time) bool {
	before := w.now
	w.now = image.Rectangle{}
	if m := now.Hour()*60 + now.Minute(); m >= w.from && m <= w.to && w.columns > 0 {
		thick, c := max(2, w.b.px(2)), w.column(0)
		if w.by {
			c = w.grid
		}
		y := w.y(m)
		w.now = image.Rect(c.Min.X, y-thick/2, c.Max.X, y-thick/2+thick)
	}
	return before != w.now
}

// Paint implements render.Widget.
func (w *week) Paint(c render.Canvas) {
	line, muted := w.b.role("line"), w.b.role("muted")
	for _, y := range w.lines {
		c.Fill(image.Rect(w.grid.Min.X-w.left*btoi(w.b.Locale.RightToLeft), y, w.grid.Max.X-w.left*btoi(w.b.Locale.RightToLeft), y+1), line)
	}
	for i := range w.names {
		ink := muted
		if w.by && w.columnsReady() {
			ink = w.events.color(w.events.calendars[i])
		} else if i == 0 {
			ink = w.b.role("accent")
		}
		w.names[i].paint(c, ink)
	}
	for i := range w.hours {
		w.hours[i].paint(c, muted)
	}
	for i := range w.blocks {
		w.blocks[i].paint(c, w)
	}
	c.Fill(w.now, w.b.role("bad"))
	for i := range w.blocks {
		w.blocks[i].title.paint(c, w.blocks[i].ink)
		w.blocks[i].time.paint(c, muted)
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
		if w.events.stale {
			return faint(col)
		}
		return col
	}
	if w.b.Look.Ink {
		c.Fill(v.rect, w.b.role("background"))
		paintBar(c, v.rect, nil, barHollow, w.b.role("text"))
	} else {
		c.FillRound(v.rect, v.corner, ink(v.color))
		c.Fill(v.stripe, ink(opaque(v.color)))
	}
}

// opaque is a color without its share of opacity.
func opaque(c color.RGBA) color.RGBA {
	if c.A == 0 {
		return c
	}
	f := func(v uint8) uint8 { return uint8(min(255, int(v)*255/int(c.A))) }
	return color.RGBA{f(c.R), f(c.G), f(c.B), 255}
}
