package calendar

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// agendaRow is a heading or the row of an event. The rows are created once and then reused with new content.
type agendaRow struct {
	look  *agendaLook
	rect  image.Rectangle
	entry agendaEntry // the entry of the row. The entry of a heading has no event
	day   time.Time   // day of a heading
	left  int         // shown number of the day's events that do not fit. 0 shows no number

	bar               image.Rectangle
	pattern           kit.BarPattern
	barInk            color.RGBA
	mark              *kit.Mark
	time, title, tail piece.Snippet
	second            piece.Snippet // second line of the title
	tall, brief       bool          // true if the title may take a second line, or if a birthday's title has no age
	broken            int           // index in the title at which the second line starts, or 0
	end               piece.Snippet // text at the end of the row: the place. Without headings, the time comes before the place
	own               owner
	text, after       string          // title of the event, and the text after the title
	frame             image.Rectangle // frame around the text after the title, or empty
	ink, tailInk      color.RGBA
	buf               []byte
}

func (k *agendaLook) newRow() *agendaRow {
	start, end := k.b.EdgeOf("start"), k.b.EdgeOf("end")
	return &agendaRow{
		second: piece.NewSnippet(k.b, k.body, start),
		look:   k, mark: k.b.Mark(image.Rectangle{}), time: piece.NewSnippet(k.b, k.time, start), title: piece.NewSnippet(k.b, k.body, start),
		tail: piece.NewSnippet(k.b, k.note, start), end: piece.NewSnippet(k.b, k.note, end), own: owner{name: piece.NewSnippet(k.b, k.note, end)},
	}
}

// isHeading reports whether the row is a heading.
func (r *agendaRow) isHeading() bool { return r.entry.event == nil }

// at() returns the part of the row's first line between the x coordinates x0 and x1. In languages that are written from right to left,
// this part is mirrored.
func (r *agendaRow) at(x0, x1 int) image.Rectangle {
	if r.look.mirrored {
		x0, x1 = r.rect.Min.X+r.rect.Max.X-x1, r.rect.Min.X+r.rect.Max.X-x0
	}
	bottom := r.rect.Max.Y
	if r.tall {
		bottom -= r.look.pitch
	}
	return image.Rect(x0, r.rect.Min.Y, max(x0, x1), bottom)
}

// heading() makes the row the heading of a day. `ahead` is the number of days from today.
func (r *agendaRow) heading(t render.Tick, w *agenda, ahead int, rect image.Rectangle) {
	k := r.look
	box := rect
	box.Max.Y -= k.b.Px(agendaBelow)
	box.Min.Y = box.Max.Y - max(k.head.Line, k.head.Size*5/4)
	day := w.midnight(ahead)
	if r.isHeading() && r.day.Equal(day) && r.rect == rect && r.entry.ahead == ahead && r.title.Face == k.head {
		return
	}
	t.Damage(r.rect)
	t.Damage(rect)
	r.rect, r.day, r.entry = rect, day, agendaEntry{ahead: ahead}
	r.bar, r.mark.Name, r.text = image.Rectangle{}, "", ""
	r.mark.Load()
	r.own.disc, r.frame = image.Rectangle{}, image.Rectangle{}
	for _, s := range []*piece.Snippet{&r.time, &r.second, &r.tail, &r.end, &r.own.name} {
		s.Raw, s.Ink = s.Raw[:0], image.Rectangle{}
	}
	r.ink = k.muted
	if ahead == 0 {
		r.ink = k.accent
	}
	r.left, r.tall, r.broken = 0, false, 0
	r.title.Face, r.title.Raw, r.title.Box = k.head, r.title.Raw[:0], image.Rectangle{}
	r.title.Place(box)
	r.title.Set(r.name(0, box))
}

// count() shows `left`, the number of the day's events that do not fit. If `left` is 0, count() shows no number. The row is a heading or
// the only row of its day.
func (r *agendaRow) count(t render.Tick, w *agenda, now time.Time, left int) {
	if r.left == left {
		return
	}
	r.left = left
	t.Damage(r.rect)
	if !r.isHeading() {
		r.lay(w, now)
		return
	}
	r.title.Set(r.name(left, r.title.Box))
}

// name() returns the text of a heading: the day, and the number of events that do not fit.
func (r *agendaRow) name(left int, box image.Rectangle) []byte {
	k := r.look
	r.buf = append(r.buf[:0], k.b.Locale.Upper(string(appendDay(k.b, r.buf[:0], r.day, r.entry.ahead, false)))...)
	if left > 0 {
		r.buf = append(r.buf, " · "...)
		r.buf = piece.AppendLeft(k.b, r.buf, left, k.head, box.Dx()-k.b.TextWidth(k.head, string(r.buf)))
	}
	return r.buf
}

// show makes the row show an event of a day, and damages the parts that changed.
func (r *agendaRow) show(t render.Tick, w *agenda, e agendaEntry, now time.Time, rect image.Rectangle, tall bool) {
	k := r.look
	changed := r.entry != e || r.rect != rect || r.tall != tall || r.brief != w.form.brief || r.isHeading()
	r.tall, r.brief = tall, w.form.brief
	if changed {
		t.Damage(r.rect)
		r.rect, r.entry, r.left = rect, e, 0
		r.text, r.after = titleOf(k.b, e.event)
		name := bare(e.event.Title)
		if r.brief && e.event.Calendar.Kind == kindBirthday && r.after == "" && strings.HasPrefix(r.text, name+" ") {
			r.text, r.after = name, r.text[len(name)+1:]
		}
		if e.event.Task != nil {
			r.after = e.event.Task.Problem
		}
		r.title.Face, r.title.Raw, r.title.Box = k.body, r.title.Raw[:0], image.Rectangle{}
		r.mark.Set("")
	}
	r.pattern, r.barInk = w.events.Pattern(e.event.Calendar), w.events.Color(e.event.Calendar)
	before := r.ink
	r.ink = k.text
	if !e.task && !e.event.AllDay && !e.event.End.After(now) && e.ahead == 0 {
		r.ink, r.barInk = k.faint, kit.Tint(r.barInk, 0.5)
	}
	if r.lay(w, now) || changed || before != r.ink {
		t.Damage(rect)
	}
}

// lay places the parts of a row and reports whether one of them changed. If there is not enough room, it removes the place first and then
// the text after the title.
func (r *agendaRow) lay(w *agenda, now time.Time) bool {
	k := r.look
	r.bar = r.at(0, k.bar.X)
	high := min(k.bar.Y, r.bar.Dy()-barsApart)
	r.bar.Min.Y += (r.bar.Dy() - high) / 2
	if r.bar.Max.Y = r.bar.Min.Y + high; r.tall {
		r.bar.Max.Y += k.pitch
	}
	x, changed := k.indent, false
	if r.rect.Dx()-x-k.times-k.gap < k.narrow() || k.wordless && len(w.appendColumn(r.buf[:0], r.entry)) == 0 { // no room for the time
		changed = put(&r.time, nil, image.Rectangle{})
	} else {
		changed = put(&r.time, w.appendColumn(r.buf[:0], r.entry), r.at(x, x+k.times))
		x += k.times + k.gap
	}
	if name := r.entry.icon(); name != "" && r.rect.Dx()-x >= k.icon*7/5+k.b.TextWidth(k.body, r.text) {
		side := k.icon
		box := r.at(x, x+side)
		box.Min.Y += (box.Dy() - side) / 2
		box.Max.Y = box.Min.Y + side
		r.mark.Place(box)
		changed = r.mark.Set(name) || changed
		x += side + side*2/5
	}
	stop, moved := r.layOwner(x)
	changed = changed || moved
	want := k.b.TextWidth(k.body, r.text)
	stop, moved = r.layEnd(w, x, want, stop)
	changed = r.layTail(now, x, r.split(x, stop), stop, w.params.Relative) || changed || moved
	if len(r.tail.Raw) > 0 && r.broken == 0 {
		stop = min(stop, x+want+1)
	}
	return r.layTitle(x, stop) || changed
}

// barsApart is the minimum gap between the bars of neighboring rows, in px.
const barsApart = 2

// layEnd places the part at the end of the row. Without headings, this part starts with the time of the event. For a whole-day event
// after tomorrow, it starts with the number of days until the event. If the complete title leaves enough room, the event's place follows.
func (r *agendaRow) layEnd(w *agenda, x, want, stop int) (left int, changed bool) {
	k, e := r.look, r.entry.event
	r.buf = r.buf[:0]
	if !w.params.Headings && (!e.AllDay || r.entry.task) {
		r.buf = w.appendWhen(r.buf, r.entry)
	}
	if days := r.entry.ahead; !w.params.Headings && len(r.buf) == 0 && w.params.Relative && days > 1 {
		r.buf = k.b.Locale.AppendRelative(r.buf, w.midnight(days), w.midnight(0))
		if x+want+k.gap+r.wide() > stop {
			r.buf = r.buf[:0]
		}
	}
	kept := len(r.buf)
	if w.params.Location && e.Location != "" {
		if kept > 0 {
			r.buf = append(r.buf, " · "...)
		}
		r.buf = append(r.buf, e.Location[:min(len(e.Location), maxPlace)]...)
		if x+want+k.gap+r.wide() > stop {
			r.buf = r.buf[:kept]
		}
	}
	if r.left > 0 { // as the only row of its day, the row shows the number of hidden events
		r.buf = piece.AppendLeft(k.b, r.buf[:0], r.left, k.note, (stop-x)/3)
		n := r.wide()
		return stop - n - k.gap/2, put(&r.end, r.buf, r.at(stop-n, stop))
	}
	n := r.wide()
	if len(r.buf) == 0 || stop-n-k.gap-x < min(want, k.narrow()) {
		return stop, put(&r.end, nil, image.Rectangle{})
	}
	return stop - n - k.gap, put(&r.end, r.buf, r.at(stop-n, stop))
}

// narrow() returns the minimum width in px that a title keeps when other parts are next to it.
func (k *agendaLook) narrow() int { return 4 * k.body.Size }

// maxPlace is the maximum length of a place's name in bytes. No title leaves room for a longer name.
const maxPlace = 200

// wide() returns the width of r.buf in the face of notes, in px.
func (r *agendaRow) wide() int {
	k := r.look
	k.b.Text.ShapeBytes(&k.b.Scratch, k.note.Font, k.note.Size, r.buf)
	return k.b.Scratch.Width()
}

// layTail places the text after the title. This is the time until the event, "now", the age at a birthday, or the reason why the server
// rejected a change to a task.
func (r *agendaRow) layTail(now time.Time, x, want, stop int, relative bool) bool {
	k, e := r.look, r.entry.event
	r.tailInk = k.muted
	r.buf = append(r.buf[:0], r.after...)
	if away := e.Start.Sub(now); relative && !e.AllDay && r.entry.ahead == 0 && len(r.buf) == 0 {
		switch {
		case away > 0 && away <= soon:
			r.buf = k.b.Locale.AppendRelative(r.buf, e.Start, now.Add(1-time.Minute))
		case away <= 0 && e.End.After(now):
			r.buf = append(r.buf, k.b.Locale.Say(locale.Now)...)
			r.tailInk = k.accent
		}
	}
	n, from := r.wide(), x+want+k.b.Px(tailGap)
	r.frame = image.Rectangle{}
	if len(r.buf) == 0 || from+n > stop {
		return put(&r.tail, nil, image.Rectangle{})
	}
	framed := k.b.Look.Ink && r.after == "" && from+n+4*k.framePad() <= stop
	if framed {
		from += 2 * k.framePad()
	}
	line, box := r.lastLine(), r.at(from, from+n+1)
	box.Min.Y, box.Max.Y = line.Min.Y, line.Max.Y
	changed := put(&r.tail, r.buf, box)
	onLine(&r.tail, line, k.body)
	if framed {
		r.frameTail(line)
	}
	return changed
}

// framePad returns the distance in px from a framed text to its frame.
func (k *agendaLook) framePad() int { return k.note.Size * 3 / 8 }

// frameHigh returns the height of the frame in px, and frameLine the thickness of its line.
func (k *agendaLook) frameHigh() int { return k.note.Size * 3 / 2 }
func (k *agendaLook) frameLine() int { return max(1, k.note.Size/10) }

// frameTail places a frame around the text after the title. Screens without grays need the frame to distinguish this text from the title.
func (r *agendaRow) frameTail(line image.Rectangle) {
	pad, high := r.look.framePad(), r.look.frameHigh()
	r.frame = image.Rect(r.tail.Box.Min.X-pad, 0, r.tail.Box.Max.X+pad, high)
	r.frame = r.frame.Add(image.Pt(0, min(r.tail.At.Y-r.look.note.Size*3/8-high/2, line.Max.Y-high)))
}

// put sets the text and the box of a snippet, and reports whether one of them changed.
func put(c *piece.Snippet, s []byte, box image.Rectangle) bool {
	moved := c.Box != box
	c.Place(box)
	changed := c.Set(s)
	if len(s) == 0 {
		c.Layout()
	}
	return changed || moved
}

// onLine moves a text to the baseline of another text, which has the face `other` and is centered in `box`.
func onLine(c *piece.Snippet, box image.Rectangle, other kit.Face) {
	m := c.B.Text.Metrics(other.Font, other.Size)
	y := box.Min.Y + (box.Dy()-m.Ascent-m.Descent)/2 + m.Ascent
	c.Ink = c.Ink.Add(image.Pt(0, y-c.At.Y))
	c.At.Y = y
}

func (r *agendaRow) paint(c render.Canvas, stale bool) {
	if !c.Sees(r.rect) {
		return
	}
	ink := func(col color.RGBA) color.RGBA {
		if stale {
			return r.look.b.Old(col)
		}
		return col
	}
	if !r.isHeading() {
		bar := r.barInk
		if stale {
			bar = kit.Faint(bar)
		}
		kit.PaintBar(c, r.bar, r.look.barCorner, r.pattern, bar)
		r.mark.Paint(c, bar)
	}
	r.paintOwner(c, stale)
	r.time.Paint(c, ink(r.look.muted))
	r.title.Paint(c, ink(r.ink))
	r.second.Paint(c, ink(r.ink))
	if !r.frame.Empty() {
		c.FillRound(r.frame, r.look.frames[0], ink(r.look.text))
		c.FillRound(r.frame.Inset(r.look.frameLine()), r.look.frames[1], r.look.b.Role("background"))
	}
	r.tail.Paint(c, ink(r.tailInk))
	r.end.Paint(c, ink(r.look.muted))
}
