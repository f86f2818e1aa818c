package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
)

// NextEventParams are the parameters of the nextevent widget.
type NextEventParams struct {
	Framed
	Typed
	Picking
	Free string `yaml:"free" doc:"Word for a time that nothing takes up, shown large; with it, or with busy, the widget is the sign of a room."`
	Busy string `yaml:"busy" doc:"Word for a time that an event takes up."`
}

// nextEvent is the event under way, or the next one.
type nextEvent struct {
	b      *Builder
	size   image.Point
	events *events
	look   *agendaLook
	lines  bool // there is room for more than a row
	empty  string

	bar               image.Rectangle
	corner            *render.Corner
	title, when, spot snippet
	ink               color.RGBA
	event             *calendar.Event
	state             calendar.State
	buf, add          []byte
	next              time.Time
	change            time.Time // when the next event begins or ends
}

func buildNextEvent(b *Builder, s *Spec, p *NextEventParams, size image.Point) render.Widget {
	e := b.events(s, &p.Picking, eventChoice{}, true)
	e.watched(b)
	if p.Free != "" || p.Busy != "" {
		return b.room(s, p, e, size)
	}
	w := &nextEvent{b: b, size: size, events: e, look: b.agendaLook(s, &p.Typed), empty: p.Empty}
	start := b.edgeOf("start")
	big := b.typed(s, &p.Typed, "title")
	w.lines = size.Y >= big.line+w.look.note.line && p.Style == ""
	if !w.lines {
		big = w.look.body
	}
	w.title, w.when, w.spot = b.snippet(big, start), b.snippet(w.look.note, start), b.snippet(w.look.note, start)
	if !w.lines {
		w.when.face = w.look.time
	}
	return w
}

// natural implements sized: a row.
func (w *nextEvent) natural(width int) image.Point { return image.Pt(width, w.look.height) }

// Update implements render.Widget.
func (w *nextEvent) Update(t render.Tick) {
	now := t.Now().In(w.events.zone())
	if changed := w.events.update(t); changed || w.next.IsZero() || !now.Before(w.next) || w.next.Sub(now) > 24*time.Hour {
		w.state, w.change = calendar.StateAt(w.events.list, now)
		w.next = w.change
		w.event = w.state.Now
		if w.event == nil {
			w.event = w.state.Next
		}
		if minute := now.Truncate(time.Minute).Add(time.Minute); w.event != nil && !w.b.Look.Ink && minute.Before(w.next) {
			w.next = minute
		}
		if w.lay(now) || changed {
			t.DamageAll()
		}
	}
	t.Wake(w.next)
	t.Due(w.change)
}

// lay writes the texts and reports whether anything changed.
func (w *nextEvent) lay(now time.Time) bool {
	k := w.look
	if w.event == nil {
		w.bar = image.Rectangle{}
		word := w.b.Locale.Say(locale.NothingPlanned)
		switch {
		case w.events.agenda == nil:
			word = "—"
		case w.empty != "":
			word = w.empty
		}
		w.ink = k.muted
		w.when.put(nil, image.Rectangle{})
		w.spot.put(nil, image.Rectangle{})
		w.buf = append(w.buf[:0], word...)
		return w.title.put(w.buf, image.Rect(0, 0, w.size.X, min(w.size.Y, max(w.title.face.line, k.height))))
	}
	w.ink = k.text
	if w.lines {
		return w.layBlock(now)
	}
	return w.layRow(now)
}

// layRow is one line: time and title.
func (w *nextEvent) layRow(now time.Time) bool {
	k := w.look
	top := (w.size.Y - k.bar.Y) / 2
	w.place(image.Rect(0, max(0, top), k.bar.X, min(w.size.Y, top+k.bar.Y)))
	w.buf = w.appendTime(w.buf[:0], now)
	k.b.Text.ShapeBytes(&k.b.scratch, k.time.font, k.time.size, w.buf)
	x, n := k.indent, k.b.scratch.Width()
	changed := false
	if w.size.X-x-n-k.gap < k.narrow() {
		changed = w.when.put(nil, image.Rectangle{})
	} else {
		changed = w.when.put(w.buf, w.at(x, 0, x+n+1, w.size.Y))
		x += max(n, k.least) + k.gap
	}
	w.buf = append(w.buf[:0], w.event.Title...)
	return w.title.put(w.buf, w.at(x, 0, w.size.X, w.size.Y)) || changed
}

// layBlock is the title, and below it when and where.
func (w *nextEvent) layBlock(now time.Time) bool {
	k := w.look
	x, y := k.indent, 0
	changed := false
	line := func(s *snippet, text []byte, high int) {
		if y+high > w.size.Y+high/8 {
			text = nil
		}
		changed = s.put(text, w.at(x, y, w.size.X, y+high)) || changed
		if len(text) > 0 {
			y += high
		}
	}
	w.buf = append(w.buf[:0], w.event.Title...)
	line(&w.title, w.buf, max(w.title.face.line, w.title.face.size*5/4))
	if w.buf = w.appendSpan(w.buf[:0], now); !w.fits(w.buf, x) {
		if w.buf = w.appendEnd(w.buf[:0], now); !w.fits(w.buf, x) {
			w.buf = w.appendTime(w.buf[:0], now)
		}
	}
	line(&w.when, w.buf, k.note.line)
	w.buf = append(w.buf[:0], w.event.Location[:min(len(w.event.Location), maxPlace)]...)
	line(&w.spot, w.buf, k.note.line)
	w.place(image.Rect(0, 0, k.bar.X, min(y, w.size.Y)))
	return changed
}

// place puts the bar, mirrored in languages from right to left.
func (w *nextEvent) place(r image.Rectangle) {
	if r = w.at(r.Min.X, r.Min.Y, r.Max.X, r.Max.Y); r != w.bar {
		w.bar, w.corner = r, render.NewCorner(r.Dx()/2, r.Size())
	}
}

func (w *nextEvent) at(x0, y0, x1, y1 int) image.Rectangle {
	if w.b.Locale.RightToLeft {
		x0, x1 = w.size.X-x1, w.size.X-x0
	}
	return image.Rect(x0, y0, max(x0, x1), y1)
}

// appendTime appends when it is, in short: the day if it is not today, and the time.
func (w *nextEvent) appendTime(dst []byte, now time.Time) []byte {
	if w.event == w.state.Now {
		return append(dst, w.b.Locale.Say(locale.Now)...)
	}
	if ahead := daysBetween(now, w.event.Start); ahead > 0 {
		dst = append(w.b.appendDay(dst, w.event.Start, ahead, true), ' ')
	}
	return w.b.appendTime(dst, w.event.Start)
}

// appendSpan appends from when until when it is, and how long until then.
func (w *nextEvent) appendSpan(dst []byte, now time.Time) []byte {
	l := w.b.Locale
	if w.event == w.state.Now {
		w.add = w.b.appendTime(w.add[:0], w.event.End)
		dst = append(append(dst, l.Say(locale.Now)...), " · "...)
		return w.b.appendSaid(dst, locale.Until, w.add)
	}
	ahead := daysBetween(now, w.event.Start)
	if ahead > 0 {
		dst = append(w.b.appendDay(dst, w.event.Start, ahead, false), ' ')
	}
	dst = w.b.appendTime(dst, w.event.Start)
	if w.event.End.After(w.event.Start) && daysBetween(w.event.Start, w.event.End) == 0 {
		dst = w.b.appendTime(append(dst, " – "...), w.event.End)
	}
	if ahead == 0 && !w.b.Look.Ink {
		dst = l.AppendRelative(append(dst, " · "...), w.event.Start, now.Add(1-time.Minute))
	}
	return dst
}

// appendEnd appends until when it is or, if it is to come, when it begins.
func (w *nextEvent) appendEnd(dst []byte, now time.Time) []byte {
	if w.event != w.state.Now {
		return w.appendTime(dst, now)
	}
	w.add = w.b.appendTime(w.add[:0], w.event.End)
	return w.b.appendSaid(dst, locale.Until, w.add)
}

// fits reports whether a text stands whole behind a place, px.
func (w *nextEvent) fits(text []byte, x int) bool {
	note := w.when.face
	w.b.Text.ShapeBytes(&w.b.scratch, note.font, note.size, text)
	return w.b.scratch.Width() <= w.size.X-x
}

// Paint implements render.Widget.
func (w *nextEvent) Paint(c render.Canvas) {
	ink := func(col color.RGBA) color.RGBA {
		if w.events.stale {
			return faint(col)
		}
		return col
	}
	if w.event != nil && !w.bar.Empty() {
		paintBar(c, w.bar, w.corner, w.events.pattern(w.event.Calendar), ink(w.events.color(w.event.Calendar)))
	}
	w.title.paint(c, ink(w.ink))
	w.when.paint(c, ink(w.look.muted))
	w.spot.paint(c, ink(w.look.muted))
}

// zone is that of the calendars' days.
func (e *events) zone() *time.Location {
	if e.agenda != nil {
		return e.agenda.Zone
	}
	return e.b.Location
}
