package widgets

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
)

// agendaRow is a heading, or a row with an event. It is made once and filled again.
type agendaRow struct {
	look  *agendaLook
	rect  image.Rectangle
	entry agendaEntry // a nil event is that of a heading
	day   time.Time   // of a heading

	bar               image.Rectangle
	pattern           barPattern
	barInk            color.RGBA
	mark              *mark
	time, title, tail snippet
	end               snippet // at the end of the row: the place, or the time where there are no headings
	text, after       string  // of the event
	ink, tailInk      color.RGBA
	buf               []byte
}

func (k *agendaLook) newRow() *agendaRow {
	start, end := k.b.edgeOf("start"), k.b.edgeOf("end")
	return &agendaRow{
		look: k, mark: k.b.mark(image.Rectangle{}), time: k.b.snippet(k.time, start), title: k.b.snippet(k.body, start),
		tail: k.b.snippet(k.note, start), end: k.b.snippet(k.note, end),
	}
}

// isHeading reports whether the row is the name of a day.
func (r *agendaRow) isHeading() bool { return r.entry.event == nil }

// at mirrors a rectangle of the row in languages from right to left.
func (r *agendaRow) at(x0, x1 int) image.Rectangle {
	if r.look.mirrored {
		x0, x1 = r.rect.Min.X+r.rect.Max.X-x1, r.rect.Min.X+r.rect.Max.X-x0
	}
	return image.Rect(x0, r.rect.Min.Y, max(x0, x1), r.rect.Max.Y)
}

// heading shows the name of a day.
func (r *agendaRow) heading(t render.Tick, w *agenda, ahead int, rect image.Rectangle) {
	k := r.look
	box := rect
	box.Max.Y -= k.b.px(agendaBelow)
	box.Min.Y = box.Max.Y - max(k.head.line, k.head.size*5/4)
	day := w.midnight(ahead)
	if r.isHeading() && r.day.Equal(day) && r.rect == rect && r.entry.ahead == ahead && r.title.face == k.head {
		return
	}
	t.Damage(r.rect)
	t.Damage(rect)
	r.rect, r.day, r.entry = rect, day, agendaEntry{ahead: ahead}
	r.bar, r.mark.name, r.text = image.Rectangle{}, "", ""
	r.mark.load()
	for _, s := range []*snippet{&r.time, &r.tail, &r.end} {
		s.raw, s.ink = s.raw[:0], image.Rectangle{}
	}
	r.ink = k.muted
	if ahead == 0 {
		r.ink = k.accent
	}
	r.buf = append(r.buf[:0], strings.ToUpper(string(k.b.appendDay(r.buf[:0], day, ahead, false)))...)
	r.title.face, r.title.raw, r.title.box = k.head, r.title.raw[:0], image.Rectangle{}
	r.title.place(box)
	r.title.set(r.buf)
}

// show shows an event on a day, and damages what changes.
func (r *agendaRow) show(t render.Tick, w *agenda, e agendaEntry, now time.Time, rect image.Rectangle) {
	k := r.look
	changed := r.entry != e || r.rect != rect || r.isHeading()
	if changed {
		t.Damage(r.rect)
		r.rect, r.entry = rect, e
		r.text, r.after = k.b.titleOf(e.event)
		r.title.face, r.title.raw, r.title.box = k.body, r.title.raw[:0], image.Rectangle{}
		r.mark.set("")
	}
	r.pattern, r.barInk = w.events.pattern(e.event.Calendar), w.events.color(e.event.Calendar)
	before := r.ink
	r.ink = k.text
	if !e.task && !e.event.AllDay && !e.event.End.After(now) && e.ahead == 0 {
		r.ink, r.barInk = k.faint, tint(r.barInk, 0.5)
	}
	if r.lay(w, now) || changed || before != r.ink {
		t.Damage(rect)
	}
}

// lay places the parts of a row and reports whether any of them changed. The place leaves first, then what stands behind the title.
func (r *agendaRow) lay(w *agenda, now time.Time) bool {
	k := r.look
	top := (r.rect.Dy() - k.bar.Y) / 2
	r.bar = r.at(0, k.bar.X)
	r.bar.Min.Y += top
	r.bar.Max.Y = r.bar.Min.Y + k.bar.Y
	x, changed := k.indent, false
	if r.rect.Dx()-x-k.times-k.gap < k.narrow() || k.wordless && len(w.appendColumn(r.buf[:0], r.entry)) == 0 { // the title counts
		changed = r.time.put(nil, image.Rectangle{})
	} else {
		changed = r.time.put(w.appendColumn(r.buf[:0], r.entry), r.at(x, x+k.times))
		x += k.times + k.gap
	}
	if name := r.entry.icon(); name != "" && r.rect.Dx()-x >= k.icon*7/5+k.b.textWidth(k.body, r.text) {
		side := k.icon
		box := r.at(x, x+side)
		box.Min.Y += (box.Dy() - side) / 2
		box.Max.Y = box.Min.Y + side
		r.mark.place(box)
		changed = r.mark.set(name) || changed
		x += side + side*2/5
	}
	stop := r.rect.Dx()
	want := k.b.textWidth(k.body, r.text)
	stop, moved := r.layEnd(w, x, want, stop)
	changed = r.layTail(now, x, want, stop, w.params.Relative) || changed || moved
	r.buf = append(r.buf[:0], r.text...)
	if len(r.tail.raw) > 0 {
		stop = min(stop, x+want+1)
	}
	return r.title.put(r.buf, r.at(x, stop)) || changed
}

// layEnd places what stands at the end of the row: the time of an event where there are no headings, and its place, if there is room
// for that beside the whole title.
func (r *agendaRow) layEnd(w *agenda, x, want, stop int) (left int, changed bool) {
	k, e := r.look, r.entry.event
	r.buf = r.buf[:0]
	if !w.params.Headings && (!e.AllDay || r.entry.task) {
		r.buf = w.appendWhen(r.buf, r.entry)
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
	n := r.wide()
	if len(r.buf) == 0 || stop-n-k.gap-x < min(want, k.narrow()) {
		return stop, r.end.put(nil, image.Rectangle{})
	}
	return stop - n - k.gap, r.end.put(r.buf, r.at(stop-n, stop))
}

// narrow is how much room a title needs before anything may stand beside it, px.
func (k *agendaLook) narrow() int { return 4 * k.body.size }

// maxPlace bounds the name of a place, bytes: a longer one has no room beside any title.
const maxPlace = 200

// wide is how wide the text that is made is in the face of notes, px.
func (r *agendaRow) wide() int {
	k := r.look
	k.b.Text.ShapeBytes(&k.b.scratch, k.note.font, k.note.size, r.buf)
	return k.b.scratch.Width()
}

// layTail places what stands behind the title: how long until then, or how old somebody becomes.
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
	n, from := r.wide(), x+want+k.b.px(tailGap)
	if len(r.buf) == 0 || from+n > stop {
		return r.tail.put(nil, image.Rectangle{})
	}
	changed := r.tail.put(r.buf, r.at(from, from+n+1))
	r.tail.onLine(r.rect, k.body)
	return changed
}

// put shows a text in a box and reports whether either changed.
func (c *snippet) put(s []byte, box image.Rectangle) bool {
	moved := c.box != box
	c.place(box)
	changed := c.set(s)
	if len(s) == 0 {
		c.layout()
	}
	return changed || moved
}

// onLine puts a text on the baseline that another face has in a box.
func (c *snippet) onLine(box image.Rectangle, other face) {
	m := c.b.Text.Metrics(other.font, other.size)
	y := box.Min.Y + (box.Dy()-m.Ascent-m.Descent)/2 + m.Ascent
	c.ink = c.ink.Add(image.Pt(0, y-c.at.Y))
	c.at.Y = y
}

func (r *agendaRow) paint(c render.Canvas, stale bool) {
	if !c.Sees(r.rect) {
		return
	}
	ink := func(col color.RGBA) color.RGBA {
		if stale {
			return faint(col)
		}
		return col
	}
	if !r.isHeading() {
		paintBar(c, r.bar, r.look.barCorner, r.pattern, ink(r.barInk))
		r.mark.paint(c, ink(r.barInk))
	}
	r.time.paint(c, ink(r.look.muted))
	r.title.paint(c, ink(r.ink))
	r.tail.paint(c, ink(r.tailInk))
	r.end.paint(c, ink(r.look.muted))
}
