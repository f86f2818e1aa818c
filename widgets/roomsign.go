package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
)

// roomSign is the sign of a room: whether it is free, until when, and what the day brings.
type roomSign struct {
	b          *Builder
	size       image.Point
	events     *events
	free, busy string

	word, until, what snippet
	day               *timeline // nil where there is no room for it
	state             calendar.State
	known             bool
	ink, muted, text  color.RGBA
	shade             color.RGBA
	next              time.Time
	change            time.Time // when the next event begins or ends
	buf, add          []byte
}

// Shares of the height of a sign.
const (
	roomWord  = 0.42 // most, for the word
	roomFree  = 0.2  // opacity of its color behind it
	roomTrack = 34   // px at a shorter side of 720 px
)

func (b *Builder) room(s *Spec, p *NextEventParams, e *events, size image.Point) render.Widget {
	w := &roomSign{b: b, size: size, events: e, free: p.Free, busy: p.Busy, muted: b.role("muted"), text: b.role("text")}
	if w.free == "" {
		w.free = b.Locale.Say(locale.Free)
	}
	if w.busy == "" {
		w.busy = b.Locale.Say(locale.Busy)
	}
	start := b.edgeOf("start")
	big := w.wordFace(s, p)
	w.word, w.until, w.what = b.snippet(big, start), b.snippet(b.prose("headline"), start), b.snippet(b.prose("body"), start)
	long := b.longUntil()
	for _, smaller := range []string{"title", "body"} {
		if w.size.Y < big.line+2*w.until.face.line || b.textWidth(w.until.face, long) > size.X {
			w.until.face = b.prose(smaller)
		}
	}
	track := b.px(roomTrack)
	labels := b.face("label")
	rest := size.Y - big.line - w.until.face.line - w.what.face.line - b.px(headBelow)
	if high := track + 2*labels.line + b.px(8); rest >= high && size.X > 12*labels.size {
		w.day = b.timeline(e, image.Rect(0, size.Y-high, size.X, size.Y), track, labels)
	}
	return w
}

// longUntil is the widest that a sign says of its state.
func (b *Builder) longUntil() string {
	text := b.Locale.AppendPhrase(nil, locale.Until, string(b.appendTime(nil, longDay)))
	return string(b.Locale.AppendDuration(append(text, " · "...), 10*time.Hour+50*time.Minute))
}

// wordFace is as large as both words allow.
func (w *roomSign) wordFace(s *Spec, p *NextEventParams) face {
	b := w.b
	name := "display"
	if p.Style != "" {
		name = p.Style
	}
	st := b.style(s, name)
	if p.Weight != nil {
		st.Weight = int(*p.Weight)
	}
	usual := b.face("display")
	most := float64(usual.size) * displayMost / max(1, b.Look.Styles["display"].Size)
	px := int(min(float64(w.size.Y)*roomWord, most))
	if p.TextSize > 0 {
		px = min(px, b.written(p.TextSize))
	}
	f := b.faceAt(st, max(px, b.least()))
	for _, word := range []string{w.free, w.busy} {
		if n := b.textWidth(f, word); n > w.size.X {
			f = b.faceAt(st, max(b.least(), f.size*w.size.X/n))
		}
	}
	f.line = f.size * 9 / 8
	return f
}

// Update implements render.Widget.
func (w *roomSign) Update(t render.Tick) {
	now := t.Now().In(w.events.zone())
	if changed := w.events.update(t); changed || w.next.IsZero() || !now.Before(w.next) || w.next.Sub(now) > 24*time.Hour {
		w.state, w.change = calendar.StateAt(w.events.list, now)
		w.next = w.change
		w.known = w.events.agenda != nil
		if minute := now.Truncate(time.Minute).Add(time.Minute); !w.b.Look.Ink && minute.Before(w.next) {
			w.next = minute
		}
		w.lay(now)
		if w.day != nil {
			w.day.lay(now, w.state)
		}
		t.DamageAll()
	}
	t.Wake(w.next)
	t.Due(w.change)
}

// lay writes the texts.
func (w *roomSign) lay(now time.Time) {
	b, word := w.b, w.free
	w.ink = b.role("good")
	w.shade = b.shade("good", roomFree)
	if w.state.Busy {
		word, w.ink, w.shade = w.busy, b.role("bad"), b.shade("bad", roomFree)
	}
	if !w.known {
		word, w.ink, w.shade = "—", w.muted, color.RGBA{}
	}
	if b.Look.Ink {
		w.shade = color.RGBA{}
	}
	y := 0
	line := func(s *snippet, text []byte, high int) {
		if y+high > w.size.Y+high/8 {
			text = nil
		}
		s.put(text, image.Rect(0, y, w.size.X, y+high))
		y += high
	}
	w.buf = append(w.buf[:0], word...)
	line(&w.word, w.buf, w.word.face.line)
	w.buf = w.appendUntil(w.buf[:0], now)
	line(&w.until, w.buf, max(w.until.face.line, w.until.face.size*5/4))
	w.buf = w.appendWhat(w.buf[:0], now)
	line(&w.what, w.buf, w.what.face.line)
}

// appendUntil appends until when it stays so today, and how long that is; if it does so all day, nothing.
func (w *roomSign) appendUntil(dst []byte, now time.Time) []byte {
	if w.state.Until.IsZero() || daysBetween(now, w.state.Until) > 0 {
		return dst
	}
	w.add = w.b.appendTime(w.add[:0], w.state.Until.In(now.Location()))
	dst = w.b.appendSaid(dst, locale.Until, w.add)
	if w.b.Look.Ink {
		return dst
	}
	left := w.state.Until.Sub(now) + time.Minute - 1
	return w.b.Locale.AppendDuration(append(dst, " · "...), left.Truncate(time.Minute))
}

// appendWhat appends the event under way, or the next one of today.
func (w *roomSign) appendWhat(dst []byte, now time.Time) []byte {
	if e := w.state.Now; e != nil {
		return append(dst, e.Title...)
	}
	if e := w.state.Next; e != nil && daysBetween(now, e.Start) == 0 {
		dst = w.b.appendTime(dst, e.Start)
		return append(append(dst, "  "...), e.Title...)
	}
	return dst
}

// tintOf implements tinted.
func (w *roomSign) tintOf() color.RGBA { return w.shade }

// Paint implements render.Widget.
func (w *roomSign) Paint(c render.Canvas) {
	ink := func(col color.RGBA) color.RGBA {
		if w.events.stale {
			return faint(col)
		}
		return col
	}
	w.word.paint(c, ink(w.ink))
	w.until.paint(c, ink(w.text))
	w.what.paint(c, ink(w.muted))
	if w.day != nil {
		w.day.paint(c)
	}
}
