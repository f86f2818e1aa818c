package calendar

import (
	"image"
	"image/color"
	"time"

	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// roomList lists the next events of a meeting room, below the name of the day.
type roomList struct {
	b      *kit.Builder
	events *kit.Events
	look   *agendaLook
	box    image.Rectangle
	head   piece.Snippet
	rows   []roomRow
	ranges bool // true if times include the end
	shown  int
	day    time.Time // day of the shown events
	ahead  int       // number of days from today to `day`
	buf    []byte
}

// roomRow is an event in the list: its time, its title and its organizer.
type roomRow struct {
	event           *calendar.Event
	bar             image.Rectangle
	when, title, by piece.Snippet
}

// Limits of the list.
const (
	roomRows  = 8   // maximum number of rows
	roomLeast = 3   // minimum number of rows. If fewer rows fit, there is no list
	roomUsual = 4   // number of rows for which the list reserves room
	roomSpare = 0.4 // maximum height added to a row, as a share of the row's height
	roomWide  = 14  // minimum width of the list, as a multiple of its text size
	roomTimes = 0.4 // maximum width of times that include the end, as a share of the list's width
	roomLater = 0.6 // opacity of the bars after the first bar
)

func newRoomList(b *kit.Builder, s *kit.Spec, e *kit.Events, width int) *roomList {
	w := &roomList{b: b, events: e, look: newAgendaLook(b, s, &kit.Typed{}, 0), rows: make([]roomRow, roomRows)}
	start := b.EdgeOf("start")
	long := string(appendTime(b, nil, piece.LongDay))
	w.ranges = float64(b.TextWidth(w.look.time, long+" – "+long)) <= roomTimes*float64(width)
	w.head = piece.NewSnippet(b, w.look.head, start)
	for i := range w.rows {
		w.rows[i] = roomRow{
			when: piece.NewSnippet(b, w.look.time, start), title: piece.NewSnippet(b, w.look.body, start),
			by: piece.NewSnippet(b, w.look.note, b.EdgeOf("end")),
		}
	}
	return w
}

// fits() reports whether a roomSign of the given size has room for the list. `rest` is the height of the sign's other parts in px.
func (w *roomList) fits(size image.Point, rest int) bool {
	return size.X >= roomWide*w.look.body.Size && size.Y >= rest+w.high(roomLeast)+w.b.Px(kit.HeadBelow)
}

// high() returns the height of the list with n rows.
func (w *roomList) high(n int) int { return w.look.headHeight(true) + n*w.look.height }

// lay chooses the first day that has future events, and places these events.
func (w *roomList) lay(now time.Time) {
	k := w.look
	w.shown = 0
	var end time.Time
	times, room := 0, min(roomRows, (w.box.Dy()-k.headHeight(true))/k.height)
	for _, e := range w.events.List {
		if w.shown >= room || !e.Start.After(now) || w.shown > 0 && !e.Start.Before(end) {
			continue
		}
		if w.shown == 0 {
			end = w.begin(now, e.Start)
		}
		r := &w.rows[w.shown]
		r.event = e
		w.buf = w.appendSpan(w.buf[:0], e, end)
		r.when.Set(w.buf)
		times = max(times, r.when.Want())
		w.shown++
	}
	if w.shown == 0 {
		w.head.Set(nil)
		w.day = time.Time{}
	}
	top, free := w.box.Min.Y+k.headHeight(true), w.box.Dy()-w.high(w.shown)
	pitch := k.height + min(max(0, free)/max(1, w.shown), int(roomSpare*float64(k.height)))
	for i := range w.rows[:w.shown] {
		w.place(&w.rows[i], image.Rect(0, top+i*pitch, w.box.Max.X, top+(i+1)*pitch), times)
	}
}

// begin() sets the day of the list to the day on which an event starts, and shows the name of this day. It returns the end of the day.
func (w *roomList) begin(now, start time.Time) time.Time {
	ahead := piece.DaysBetween(now, start)
	if day := piece.MidnightOf(now, ahead); !day.Equal(w.day) || ahead != w.ahead {
		w.day, w.ahead = day, ahead
		w.buf = appendDay(w.b, w.buf[:0], day, ahead, false)
		w.head.Set([]byte(w.b.Locale.Upper(string(w.buf))))
		w.head.Place(image.Rect(0, w.box.Min.Y, w.box.Max.X, w.box.Min.Y+w.look.head.Line))
	}
	return piece.MidnightOf(now, ahead+1)
}

// appendSpan appends the start of an event and, if there is room, its end. `end` is the end of the shown day.
func (w *roomList) appendSpan(dst []byte, e *calendar.Event, end time.Time) []byte {
	dst = appendWhen(w.b, dst, e, w.day, end)
	if w.ranges && !e.AllDay && e.End.After(e.Start) && !e.End.After(end) {
		dst = appendTime(w.b, append(dst, " – "...), e.End)
	}
	return dst
}

// place() places the parts of a row. The organizer is hidden if the title needs the room.
func (w *roomList) place(r *roomRow, rect image.Rectangle, times int) {
	k := w.look
	at := func(x0, x1 int) image.Rectangle {
		return w.b.Mirrored(image.Rect(x0, rect.Min.Y, max(x0, x1), rect.Max.Y), rect.Max.X)
	}
	r.bar = at(0, k.bar.X)
	r.bar.Min.Y += (rect.Dy() - k.bar.Y) / 2
	r.bar.Max.Y = r.bar.Min.Y + k.bar.Y
	x := k.indent + times + k.gap
	r.when.Place(at(k.indent, k.indent+times+1))
	w.buf = append(w.buf[:0], r.event.Title...)
	r.title.Set(w.buf)
	w.buf = append(w.buf[:0], r.event.Organizer...)
	r.by.Set(w.buf)
	stop := rect.Max.X
	if n := r.by.Want(); n > 0 && x+r.title.Want()+k.gap+n <= stop {
		r.by.Place(at(stop-n, stop))
		stop -= n + k.gap
	} else {
		put(&r.by, nil, image.Rectangle{})
	}
	r.title.Place(at(x, stop))
}

// paint draws the list. On walls with colors, the bars after the first bar are fainter.
func (w *roomList) paint(c render.Canvas, ink func(color.RGBA) color.RGBA) {
	k := w.look
	w.head.Paint(c, ink(k.muted))
	for i := range w.rows[:w.shown] {
		r := &w.rows[i]
		col := w.events.Shade(r.event.Calendar)
		if i > 0 && !w.b.Look.Ink {
			col = kit.Tint(col, roomLater)
		}
		kit.PaintBar(c, r.bar, k.barCorner, w.events.Pattern(r.event.Calendar), col)
		r.when.Paint(c, ink(k.muted))
		r.title.Paint(c, ink(k.text))
		r.by.Paint(c, ink(k.muted))
	}
}
