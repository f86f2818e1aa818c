package calendar

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// NextEventParams are the parameters of the nextevent widget.
type NextEventParams struct {
	kit.Framed
	kit.Typed
	kit.Picking
	// Word for a free room, shown large. If the key free or busy is set, the widget shows a room's state.
	Free string `yaml:"free"`
	// Word for an occupied room.
	Busy string `yaml:"busy"`
}

// nextEvent shows the current event. If there is no current event, it shows the next event.
type nextEvent struct {
	b      *kit.Builder
	size   image.Point
	events *kit.Events
	look   *agendaLook
	lines  bool // true if the widget has room for several lines
	empty  string

	bar               image.Rectangle
	corner            *render.Corner
	title, when, spot piece.Snippet
	none              *piece.Empty
	ink               color.RGBA
	event             *calendar.Event
	state             calendar.State
	buf, add          []byte
	next              time.Time
	change            time.Time // next time at which an event starts or ends, or the end of the day
}

func buildNextEvent(b *kit.Builder, s *kit.Spec, p *NextEventParams, size image.Point) render.Widget {
	e := b.Events(s, &p.Picking, kit.EventChoice{}, true)
	e.Watched(b)
	if p.Free != "" || p.Busy != "" {
		return room(b, s, p, e, size)
	}
	w := &nextEvent{b: b, size: size, events: e, look: newAgendaLook(b, s, &p.Typed, 0), empty: p.Empty}
	start := b.EdgeOf("start")
	big := b.Typed(s, &p.Typed, "title")
	w.lines = size.Y >= big.Line+w.look.note.Line && p.Style == ""
	if !w.lines {
		big = w.look.body
	}
	w.title, w.when, w.spot = piece.NewSnippet(b, big, start), piece.NewSnippet(b, w.look.note, start), piece.NewSnippet(b, w.look.note, start)
	w.none = piece.NewEmpty(b, image.Rectangle{Max: size})
	if !w.lines {
		w.when.Face = w.look.time
	}
	return w
}

// Natural implements kit.Sized. It returns the size of a row.
func (w *nextEvent) Natural(width int) image.Point { return image.Pt(width, w.look.height) }

// Update implements render.Widget.
func (w *nextEvent) Update(t render.Tick) {
	now := t.Now().In(zone(w.events))
	if changed := w.events.Update(t); changed || w.next.IsZero() || !now.Before(w.next) || w.next.Sub(now) > 24*time.Hour {
		w.state, w.change = calendar.StateAt(w.events.List, now)
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

// lay sets the texts and reports whether anything changed.
func (w *nextEvent) lay(now time.Time) bool {
	k := w.look
	if w.event == nil {
		w.bar = image.Rectangle{}
		word := w.b.Locale.Say(locale.NothingPlanned)
		switch {
		case w.events.Agenda == nil:
			word = "—"
		case w.empty != "":
			word = w.empty
		}
		w.ink = k.muted
		put(&w.when, nil, image.Rectangle{})
		put(&w.spot, nil, image.Rectangle{})
		sentence := ""
		if w.events.Agenda != nil && w.lines && w.none.Roomy() {
			word, sentence = "", word
		}
		changed := w.none.Say("mdi:calendar-check-outline", sentence, "")
		w.buf = append(w.buf[:0], word...)
		return put(&w.title, w.buf, image.Rect(0, 0, w.size.X, min(w.size.Y, max(w.title.Face.Line, k.height)))) || changed
	}
	w.none.Say("", "", "")
	w.ink = k.text
	if w.lines {
		return w.layBlock(now)
	}
	return w.layRow(now)
}

// layRow places the time and the title in one line.
func (w *nextEvent) layRow(now time.Time) bool {
	k := w.look
	top := (w.size.Y - k.bar.Y) / 2
	w.place(image.Rect(0, max(0, top), k.bar.X, min(w.size.Y, top+k.bar.Y)))
	w.buf = w.appendTime(w.buf[:0], now)
	k.b.Text.ShapeBytes(&k.b.Scratch, k.time.Font, k.time.Size, w.buf)
	x, n := k.indent, k.b.Scratch.Width()
	changed := false
	if w.size.X-x-n-k.gap < k.narrow() {
		changed = put(&w.when, nil, image.Rectangle{})
	} else {
		changed = put(&w.when, w.buf, w.at(x, 0, x+n+1, w.size.Y))
		x += max(n, k.least) + k.gap
	}
	w.buf = append(w.buf[:0], w.event.Title...)
	return put(&w.title, w.buf, w.at(x, 0, w.size.X, w.size.Y)) || changed
}

// layBlock places the title, and below it the time and the place.
func (w *nextEvent) layBlock(now time.Time) bool {
	k := w.look
	x, y := k.indent, 0
	changed := false
	line := func(s *piece.Snippet, text []byte, high int) {
		if y+high > w.size.Y+high/8 {
			text = nil
		}
		changed = put(s, text, w.at(x, y, w.size.X, y+high)) || changed
		if len(text) > 0 {
			y += high
		}
	}
	w.buf = append(w.buf[:0], w.event.Title...)
	line(&w.title, w.buf, max(w.title.Face.Line, w.title.Face.Size*5/4))
	if w.buf = w.appendSpan(w.buf[:0], now); !w.fits(w.buf, x) {
		if w.buf = w.appendEnd(w.buf[:0], now); !w.fits(w.buf, x) {
			w.buf = w.appendTime(w.buf[:0], now)
		}
	}
	line(&w.when, w.buf, k.note.Line)
	w.buf = append(w.buf[:0], w.event.Location[:min(len(w.event.Location), maxPlace)]...)
	line(&w.spot, w.buf, k.note.Line)
	w.place(image.Rect(0, 0, k.bar.X, min(y, w.size.Y)))
	return changed
}

// place() places the bar in the rectangle r. In languages that are written from right to left, the bar is mirrored.
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

// appendTime appends the start of the event in a short form: the time or, if the event does not start today, the day and the time. For a
// current event, it appends "now".
func (w *nextEvent) appendTime(dst []byte, now time.Time) []byte {
	if w.event == w.state.Now {
		return append(dst, w.b.Locale.Say(locale.Now)...)
	}
	if ahead := piece.DaysBetween(now, w.event.Start); ahead > 0 {
		dst = append(appendDay(w.b, dst, w.event.Start, ahead, true), ' ')
	}
	return appendTime(w.b, dst, w.event.Start)
}

// appendSpan appends the time of an event. For a current event, it appends "now" and the end. For a future event, it appends the start,
// and also the end if both are on the same day. If a future event starts today, the time until the start follows, except on
// black-and-white displays.
func (w *nextEvent) appendSpan(dst []byte, now time.Time) []byte {
	l := w.b.Locale
	if w.event == w.state.Now {
		w.add = appendTime(w.b, w.add[:0], w.event.End)
		dst = append(append(dst, l.Say(locale.Now)...), " · "...)
		return appendSaid(w.b, dst, locale.Until, w.add)
	}
	ahead := piece.DaysBetween(now, w.event.Start)
	if ahead > 0 {
		dst = append(appendDay(w.b, dst, w.event.Start, ahead, false), ' ')
	}
	dst = appendTime(w.b, dst, w.event.Start)
	if w.event.End.After(w.event.Start) && piece.DaysBetween(w.event.Start, w.event.End) == 0 {
		dst = appendTime(w.b, append(dst, " – "...), w.event.End)
	}
	if ahead == 0 && !w.b.Look.Ink {
		dst = l.AppendRelative(append(dst, " · "...), w.event.Start, now.Add(1-time.Minute))
	}
	return dst
}

// appendEnd appends the end of a current event, or the start of a future event.
func (w *nextEvent) appendEnd(dst []byte, now time.Time) []byte {
	if w.event != w.state.Now {
		return w.appendTime(dst, now)
	}
	w.add = appendTime(w.b, w.add[:0], w.event.End)
	return appendSaid(w.b, dst, locale.Until, w.add)
}

// fits() reports whether a text fits to the right of the coordinate x.
func (w *nextEvent) fits(text []byte, x int) bool {
	note := w.when.Face
	w.b.Text.ShapeBytes(&w.b.Scratch, note.Font, note.Size, text)
	return w.b.Scratch.Width() <= w.size.X-x
}

// Paint implements render.Widget.
func (w *nextEvent) Paint(c render.Canvas) {
	ink := func(col color.RGBA) color.RGBA {
		if w.events.Stale {
			return w.b.Old(col)
		}
		return col
	}
	if w.event != nil && !w.bar.Empty() {
		kit.PaintBar(c, w.bar, w.corner, w.events.Pattern(w.event.Calendar), w.events.Shade(w.event.Calendar))
	}
	w.title.Paint(c, ink(w.ink))
	w.when.Paint(c, ink(w.look.muted))
	w.spot.Paint(c, ink(w.look.muted))
	w.none.Paint(c)
}

// zone() returns the time zone of the calendars.
func zone(e *kit.Events) *time.Location {
	if e.Agenda != nil {
		return e.Agenda.Zone
	}
	return e.B.Location
}
