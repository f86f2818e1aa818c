package calendar

import (
	"image"
	"image/color"
	"time"

	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// WeekParams are the parameters of the week widget.
type WeekParams struct {
	kit.Framed
	kit.Picking
	// Number of days, from today.
	Days int `yaml:"days" default:"7" min:"1" max:"14"`
	// day: a column for each day. calendar: a column for each calendar, with today's events.
	By string `yaml:"by" default:"day" enum:"day,calendar"`
	// Hours to show.
	Hours value.Window `yaml:"hours" default:"07-22"`
}

// week shows days or calendars side by side, with their events by hour.
type week struct {
	b        *kit.Builder
	size     image.Point
	events   *kit.Events
	days     int
	by       bool // true if each column shows a calendar instead of a day
	from, to int  // shown hours, in minutes of the day

	label, strong kit.Face
	left, top     int // width of the column of hours, and height of the column names, in px
	hoursWide     int // width in px of the column of hours while it is shown
	lane          int // height of a row of whole-day events, in px
	lanes         int // number of shown rows of whole-day events
	grid          image.Rectangle

	day     time.Time // midnight of today
	names   []piece.Snippet
	hours   []piece.Snippet
	lines   []int // y coordinate of each hour
	blocks  []weekBlock
	now     image.Rectangle
	nows    []image.Rectangle // parts of the line at the current time. Texts interrupt the line
	buf     []byte
	columns int
	listed  bool            // true if events are listed one below the other, not placed by their hours
	mores   []piece.Snippet // for each column, the text with the number of hidden events
	next    time.Time       // earliest end of an event of today in the lists
}

// weekBlock is an event in a column.
type weekBlock struct {
	rect        image.Rectangle
	corner      *render.Corner
	color, ink  color.RGBA
	stripe      image.Rectangle
	time, title piece.Snippet
}

// Limits of the week widget, and lengths in px on a screen whose shorter side has 720 px.
const (
	weekInset      = 3
	weekStripe     = 3
	weekApart      = 2 // gap between two events in px. It is not scaled
	mostWeekBlocks = 400
	mostWeekHours  = 25
	mostColumns    = 20
	wholeDay       = 24 * 60
	blockShade     = 0.28
)

func buildWeek(b *kit.Builder, s *kit.Spec, p *WeekParams, size image.Point) render.Widget {
	w := &week{b: b, size: size, events: b.Events(s, &p.Picking, kit.EventChoice{}, true), days: p.Days, by: p.By == "calendar", label: b.Face("label")}
	w.events.Watched(b)
	w.from, w.to = int(p.Hours.From.Offset/time.Minute), int(p.Hours.To.Offset/time.Minute)
	if p.Hours.From.Event != value.Midnight || p.Hours.To.Event != value.Midnight {
		s.Errorf("hours", "takes times such as 07-22, not sunrise or sunset")
		return nil
	}
	if w.to <= w.from {
		w.to = wholeDay
	}
	st := b.Look.Styles["label"]
	st.Weight = max(600, st.Weight)
	w.strong = b.FaceOf("label", st)
	w.top = w.label.Line + b.Px(weekInset)
	w.lane = w.label.Line + weekApart
	if size.X > 10*w.label.Size {
		noon := time.Date(2000, 1, 1, 22, 0, 0, 0, time.UTC)
		w.hoursWide = b.TextWidth(w.label, string(b.Locale.Append(nil, noon, locale.Hour))) + b.Px(10)
	}
	return w
}

// Update implements render.Widget.
func (w *week) Update(t render.Tick) {
	now := t.Now().In(zone(w.events))
	changed := w.events.Update(t)
	over := w.listed && !w.next.IsZero() && !now.Before(w.next)
	if day := piece.MidnightOf(now, 0); changed || over || !day.Equal(w.day) {
		w.day = day
		w.lay(now)
		w.mark(now)
		t.DamageAll()
	} else if before := w.now; w.mark(now) {
		t.Damage(before)
		t.Damage(w.now)
	}
	t.Wake(now.Truncate(time.Minute).Add(time.Minute))
}

// weekWords is the minimum width of a block with text, as a multiple of the text size. A narrower block would show one letter and an
// ellipsis.
const weekWords = 3

// write sets the title and the time of a block if they fit. If `full` is true, the event takes whole days and the block shows no time.
func (w *week) write(v *weekBlock, e *calendar.Event, full bool) {
	b := w.b
	in := v.rect
	before, behind := b.Px(weekStripe+weekInset), b.Px(weekInset)
	if b.Locale.RightToLeft {
		before, behind = behind, before
	}
	in.Min.X, in.Max.X = in.Min.X+before, in.Max.X-behind
	title, _ := titleOf(b, e)
	high := w.label.Line
	if in.Dx() < weekWords*w.label.Size || in.Dy() < w.label.Size {
		return
	}
	if w.listed && !full && in.Dx() >= weekTimed*w.label.Size {
		w.buf = appendTime(b, w.buf[:0], e.Start)
		before := image.Rect(in.Min.X, in.Min.Y, in.Min.X+b.TextWidth(w.label, string(w.buf))+b.Px(2*weekInset), in.Max.Y)
		rest := image.Rect(before.Max.X, in.Min.Y, in.Max.X, in.Max.Y)
		if b.Locale.RightToLeft {
			before, rest = before.Add(image.Pt(in.Max.X-before.Max.X, 0)), rest.Sub(image.Pt(before.Dx(), 0))
		}
		put(&v.time, w.buf, before)
		in = rest
	}
	if full || in.Dy() < 2*high {
		put(&v.title, []byte(title), image.Rect(in.Min.X, in.Min.Y, in.Max.X, min(in.Max.Y, in.Min.Y+max(high, w.lane-2))))
		return
	}
	put(&v.title, []byte(title), image.Rect(in.Min.X, in.Min.Y+1, in.Max.X, in.Min.Y+1+high))
	w.buf = appendTime(b, w.buf[:0], e.Start)
	put(&v.time, w.buf, image.Rect(in.Min.X, in.Min.Y+1+high, in.Max.X, in.Min.Y+1+2*high))
}
