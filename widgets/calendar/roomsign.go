package calendar

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/calendar"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// roomSign is the sign of a meeting room. It shows whether the room is free, the time of the next change, and the events of today. If
// there is room, it also lists the next events.
type roomSign struct {
	b          *kit.Builder
	size       image.Point
	events     *kit.Events
	free, busy string

	word, until, what piece.Snippet
	left              piece.Snippet // time until the state changes, shown after the text `until`
	day               *timeline     // nil if there is no room for the timeline
	list              *roomList     // nil if there is no room for the list
	state             calendar.State
	known             bool
	ink, muted, text  color.RGBA
	shade             color.RGBA
	next              time.Time
	change            time.Time // next time at which an event starts or ends, or the end of the day
	buf, add          []byte
}

// Sizes of parts of a sign.
const (
	roomWord  = 0.42 // maximum height of the word "free" or "busy", as a share of the sign's height
	roomShort = 0.24 // maximum height of the word "free" or "busy" if the sign has a list, as a share of the sign's height
	roomFree  = 0.2  // opacity of the color behind the word
	roomThin  = 7    // width in em up to which a sign has no timeline
	roomTall  = 12   // height in px that a timeline above a list gains if there is room, half of it for the bar
	roomTrack = 34   // height of the timeline's bar in px, on a screen whose shorter side has 720 px
)

func room(b *kit.Builder, s *kit.Spec, p *NextEventParams, e *kit.Events, size image.Point) render.Widget {
	w := &roomSign{b: b, size: size, events: e, free: p.Free, busy: p.Busy, muted: b.Role("muted"), text: b.Role("text")}
	if w.free == "" {
		w.free = b.Locale.Say(locale.Free)
	}
	if w.busy == "" {
		w.busy = b.Locale.Say(locale.Busy)
	}
	track, labels, detail := b.Px(roomTrack), b.Face("label"), "body"
	high := track + 2*labels.Line + b.Px(8)
	if size.X <= 12*labels.Size {
		detail = "caption"
	}
	if size.X <= roomThin*labels.Size {
		high = size.Y // hides the timeline, because there is no room for it
	}
	below := high + b.Px(kit.HeadBelow) + b.Face("headline").Line + b.Face("body").Line // height of the parts below the word
	list := newRoomList(b, s, e, size.X)
	if more := b.Px(roomTall); high < size.Y && list.fits(size, int(roomShort*float64(size.Y))*9/8+below+more) {
		track, high, below = track+more/2, high+more, below+more
	}
	if short := int(roomShort * float64(size.Y)); high < size.Y && list.fits(size, short*9/8+below) {
		w.list, below = list, size.Y-short*9/8
	}
	big := w.wordFace(s, p, size.Y-below)
	w.texts(big, detail)
	rest := size.Y - big.Line - w.until.Face.Line - w.what.Face.Line - b.Px(kit.HeadBelow)
	if rest >= high {
		bottom := size.Y
		if w.list != nil { // the spare room is divided between the gaps
			gap := b.Px(kit.HeadBelow)
			spare := rest - high - gap - w.list.high(roomUsual)
			gap += min(max(0, spare)/3, 3*gap)
			bottom = size.Y - rest - b.Px(kit.HeadBelow) + gap + high
			w.list.box = image.Rect(0, bottom+gap, size.X, size.Y)
		}
		w.day = newTimeline(b, e, image.Rect(0, bottom-high, size.X, bottom), track, labels)
	} else {
		w.list = nil
	}
	return w
}

// texts() creates the texts. The text that shows when the state ends gets the largest face in which it fits.
func (w *roomSign) texts(big kit.Face, detail string) {
	b, start := w.b, w.b.EdgeOf("start")
	w.word, w.until = piece.NewSnippet(b, big, start), piece.NewSnippet(b, b.Prose("headline"), start)
	w.what = piece.NewSnippet(b, b.Prose(detail), start)
	w.left = piece.NewSnippet(b, w.until.Face, start)
	long := longUntil(b)
	for _, smaller := range []string{"title", "body"} {
		if w.size.Y < big.Line+2*w.until.Face.Line || b.TextWidth(w.until.Face, long) > w.size.X {
			w.until.Face = b.Prose(smaller)
		}
	}
	if short, _, _ := strings.Cut(long, " · "); b.TextWidth(w.until.Face, short) > w.size.X {
		w.until.Face = b.Prose("caption")
	}
	w.left.Face = w.until.Face
}

// longUntil returns the longest possible text for the end of a state.
func longUntil(b *kit.Builder) string {
	text := b.Locale.AppendPhrase(nil, locale.Until, string(appendTime(b, nil, piece.LongDay)))
	morning := b.Locale.AppendPhrase(nil, locale.Until, string(appendTime(b, nil, piece.LongMorning)))
	if f := b.Prose("body"); b.TextWidth(f, string(morning)) > b.TextWidth(f, string(text)) {
		text = morning
	}
	return string(b.Locale.AppendDuration(append(text, " · "...), 10*time.Hour+50*time.Minute))
}

// wordFace returns the largest face in which both words for the state fit. The parameter `left` is the height in px that the timeline and
// the other texts leave for the word. If this height is too small for the style "figure", wordFace ignores it, and the sign has no
// timeline.
func (w *roomSign) wordFace(s *kit.Spec, p *NextEventParams, left int) kit.Face {
	b := w.b
	name := "display"
	if p.Style != "" {
		name = p.Style
	}
	st := b.Style(s, name)
	if p.Weight != nil {
		st.Weight = int(*p.Weight)
	}
	usual := b.Face("display")
	most := float64(usual.Size) * piece.DisplayMost / max(1, b.Look.Styles["display"].Size)
	px := int(min(float64(w.size.Y)*roomWord, most))
	if p.TextSize > 0 {
		px = min(px, b.Written(p.TextSize))
	}
	if left = left * 8 / 9; left >= b.Face("figure").Size { // the timeline and the other texts are more important than a large word
		px = min(px, left)
	}
	f := b.FaceAt(st, max(px, b.Least()))
	for _, word := range []string{w.free, w.busy} {
		if n := b.TextWidth(f, word); n > w.size.X {
			px := f.Size * w.size.X / n
			if px < b.Least() { // the word is cut in any size, so the other word stays legible
				px = min(f.Size, b.Face("body").Size)
			}
			f = b.FaceAt(st, px)
		}
	}
	f.Line = f.Size * 9 / 8
	return f
}

// Update implements render.Widget.
func (w *roomSign) Update(t render.Tick) {
	now := t.Now().In(zone(w.events))
	if changed := w.events.Update(t); changed || w.next.IsZero() || !now.Before(w.next) || w.next.Sub(now) > 24*time.Hour {
		w.state, w.change = calendar.StateAt(w.events.List, now)
		w.next = w.change
		w.known = w.events.Agenda != nil
		if minute := now.Truncate(time.Minute).Add(time.Minute); !w.b.Look.Ink && minute.Before(w.next) {
			w.next = minute
		}
		w.lay(now)
		if w.day != nil {
			w.day.lay(now, w.state)
		}
		if w.list != nil {
			w.list.lay(now)
		}
		t.DamageAll()
	}
	t.Wake(w.next)
	t.Due(w.change)
}

// lay sets the texts.
func (w *roomSign) lay(now time.Time) {
	b, word := w.b, w.free
	w.ink = b.Role("good")
	w.shade = b.Shade("good", roomFree)
	if w.state.Busy {
		word, w.ink, w.shade = w.busy, b.Role("bad"), b.Shade("bad", roomFree)
	}
	if !w.known {
		word, w.ink, w.shade = "—", w.muted, color.RGBA{}
	}
	if b.Look.Ink {
		w.shade = color.RGBA{}
	}
	y := 0
	line := func(s *piece.Snippet, text []byte, high int) {
		if y+high > w.size.Y+high/8 {
			text = nil
		}
		put(s, text, image.Rect(0, y, w.size.X, y+high))
		y += high
	}
	w.buf = append(w.buf[:0], word...)
	line(&w.word, w.buf, w.word.Face.Line)
	w.buf = w.appendUntil(w.buf[:0], now)
	line(&w.until, w.buf, max(w.until.Face.Line, w.until.Face.Size*5/4))
	w.buf = w.appendLeft(w.buf[:0], now)
	if x := w.until.Width(); x == 0 || x+b.TextWidth(w.left.Face, string(w.buf)) > w.size.X {
		w.buf = w.buf[:0]
	}
	put(&w.left, w.buf, b.Mirrored(image.Rect(w.until.Width(), w.until.Box.Min.Y, w.size.X, w.until.Box.Max.Y), w.size.X))
	w.buf = w.appendWhat(w.buf[:0], now)
	if e := w.state.Next; w.state.Now == nil && len(w.buf) > 0 && w.until.Width() > 0 && b.TextWidth(w.what.Face, string(w.buf)) > w.size.X {
		w.buf = append(w.buf[:0], e.Title...) // the line above already shows the time
	}
	line(&w.what, w.buf, w.what.Face.Line)
}

// ends() reports whether the current state of the room ends today.
func (w *roomSign) ends(now time.Time) bool {
	return !w.state.Until.IsZero() && piece.DaysBetween(now, w.state.Until) == 0
}

// appendUntil appends the time at which the current state ends today. If the state does not end today, it appends
// nothing.
func (w *roomSign) appendUntil(dst []byte, now time.Time) []byte {
	if !w.ends(now) {
		return dst
	}
	w.add = appendTime(w.b, w.add[:0], w.state.Until.In(now.Location()))
	return appendSaid(w.b, dst, locale.Until, w.add)
}

// appendLeft appends the duration until the current state ends today. On black-and-white displays, it appends nothing.
func (w *roomSign) appendLeft(dst []byte, now time.Time) []byte {
	if w.b.Look.Ink || !w.ends(now) {
		return dst
	}
	left := w.state.Until.Sub(now) + time.Minute - 1
	return w.b.Locale.AppendDuration(append(dst, " · "...), left.Truncate(time.Minute))
}

// appendWhat appends the title and the organizer of the current event. In a free room whose sign has no list, it appends the start and
// the title of the next event of today.
func (w *roomSign) appendWhat(dst []byte, now time.Time) []byte {
	if e := w.state.Now; e != nil {
		dst = append(dst, e.Title...)
		if e.Organizer != "" {
			dst = append(append(dst, " · "...), e.Organizer...)
		}
		return dst
	}
	if e := w.state.Next; w.list == nil && e != nil && piece.DaysBetween(now, e.Start) == 0 {
		dst = appendTime(w.b, dst, e.Start)
		return append(append(dst, "  "...), e.Title...)
	}
	return dst
}

// TintOf implements kit.Tinted.
func (w *roomSign) TintOf() color.RGBA { return w.shade }

// Paint implements render.Widget.
func (w *roomSign) Paint(c render.Canvas) {
	ink := func(col color.RGBA) color.RGBA {
		if w.events.Stale {
			return w.b.Old(col)
		}
		return col
	}
	w.word.Paint(c, ink(w.ink))
	w.until.Paint(c, ink(w.text))
	w.left.Paint(c, ink(w.muted))
	w.what.Paint(c, ink(w.muted))
	if w.day != nil {
		w.day.paint(c)
	}
	if w.list != nil {
		w.list.paint(c, ink)
	}
}
