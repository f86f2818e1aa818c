package clock

import (
	"image"
	"image/color"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// CountdownParams are the parameters of the countdown widget.
type CountdownParams struct {
	kit.Framed
	kit.Typed
	kit.Picking
	// Date or moment, such as 12-24, 2026-12-24 18:00 or 2026-12-24T18:00:00Z. Without a year: the next day with this date.
	To *config.Live[value.Moment] `yaml:"to"`
	// Title of a calendar event, instead of a date. * stands for any text. The next event is used.
	Event string `yaml:"event"`
	// Counts up after the moment. If false, the widget is hidden after the moment.
	Since bool `yaml:"since" default:"false"`
}

// countdown shows the days until a date. Below two days it shows hours, minutes and seconds, unless the target is a whole day.
type countdown struct {
	b      *kit.Builder
	size   image.Point
	to     kit.Input
	events *kit.Events
	since  bool
	color  kit.Input

	number, unit piece.Snippet
	feet         []piece.Snippet // text below the number, in each style whose height fits, the smallest first
	foot         *piece.Snippet  // element of feet that is shown
	ink, muted   color.RGBA
	at           time.Time // target time, zero without a target
	whole        bool      // true if the target is a whole day
	title        string    // title of the event
	dated        time.Time // date that the text `foot` shows
	datedOn      int       // day of the month at the last change of the text of `foot`
	next         time.Time // time at which the text changes next
	loaded       bool
	buf          []byte
}

func buildCountdown(b *kit.Builder, s *kit.Spec, p *CountdownParams, size image.Point) render.Widget {
	w := &countdown{b: b, size: size, since: p.Since, color: kit.InputOf(b, s, p.Color, kit.ColorOf), muted: b.Role("muted")}
	switch {
	case (p.To == nil) == (p.Event == ""):
		s.Errorf("", "a countdown counts to a moment or to an event, one of the two")
		return nil
	case p.To != nil:
		w.to = kit.InputOf(b, s, p.To, kit.AnyOf[value.Moment])
	default:
		w.events = b.Events(s, &p.Picking, kit.EventChoice{Match: kit.GlobOf(p.Event)}, true)
		w.events.Watched(b)
	}
	note := b.Face("caption")
	high := note.Line + note.Size/3
	if size.Y < 3*high {
		high = 0
	}
	big := b.Typed(s, &p.Typed, "figure")
	box := image.Rect(0, 0, size.X, size.Y-high)
	if p.Style == "" && p.TextSize == 0 {
		big = piece.Roomy(b, big, box)
	}
	st := b.Look.Styles["figure"]
	if p.Style != "" {
		st = b.Look.Styles[p.Style]
	}
	px := min(big.Size, box.Dy()*5/6)
	px = max(b.Least(), b.Text.FitWidth(big.Font, "88:88:88", max(px, b.Least()), size.X))
	edge := b.EdgeOf(p.Align)
	w.number = piece.NewSnippet(b, b.FaceAt(st, px), edge)
	st.Weight, st.Tracking = 400, 0
	w.unit = piece.NewSnippet(b, b.FaceAt(st, max(b.Least(), int(float64(px)*piece.UnitShare))), kit.EdgeStart)
	top := image.Rect(0, 0, size.X, min(box.Max.Y, px*6/5))
	w.number.Box = top
	w.feet = feetOf(b, image.Rect(0, top.Max.Y, size.X, size.Y), high, edge)
	w.foot = &w.feet[0]
	return w
}

// feetOf returns the snippets for the text below the number, the smallest style first. `high` is the height in px of the first snippet,
// or 0 to hide this snippet. A larger style is added only if footRoom of its lines fit into the room.
func feetOf(b *kit.Builder, room image.Rectangle, high int, edge kit.Edge) []piece.Snippet {
	all := []piece.Snippet{piece.NewSnippet(b, b.Face("caption"), edge)}
	if high > 0 {
		all[0].Box = room.Intersect(image.Rect(0, room.Min.Y, room.Max.X, room.Min.Y+high))
	}
	for _, style := range []string{"body", "title"} {
		if f := b.Prose(style); room.Dy() >= footRoom*f.Line {
			larger := piece.NewSnippet(b, f, edge)
			larger.Box = image.Rect(0, room.Min.Y, room.Max.X, room.Min.Y+f.Line+f.Size/3)
			all = append(all, larger)
		}
	}
	return all
}

// footRoom is a height in lines. A larger style is used for the text below the number only if this many of its lines fit below the
// number.
const footRoom = 2

// aim() finds the target of the countdown at the time `now`.
func (w *countdown) aim(now time.Time) {
	w.at, w.whole, w.title = time.Time{}, false, ""
	if w.events != nil {
		w.aimAtEvent(now)
		return
	}
	v, ok := w.to.Value()
	if !ok {
		return
	}
	m, is := v.(value.Moment)
	if text, written := v.(string); written {
		if parsed, err := value.ParseMoment(text); err == nil {
			m, is = parsed, true
		}
	}
	if !is {
		w.at, _ = w.b.TimeOf(v)
		return
	}
	w.whole = m.Whole()
	from := now
	if w.whole { // a target day that is today has not passed, because a whole day ends at midnight
		from = piece.MidnightOf(now, 0).Add(-time.Nanosecond)
	}
	w.at, _ = m.After(from)
}

// aimAtEvent sets the target to the next event, or to an all-day event that has not ended. If there is no such event, it uses the event
// that started last.
func (w *countdown) aimAtEvent(now time.Time) {
	for _, e := range w.events.List {
		at := e.Start.In(w.b.Location)
		w.at, w.whole, w.title = at, e.AllDay, e.Title
		if at.After(now) || e.AllDay && e.End.After(now) {
			return
		}
	}
}

// `nearly` is the remaining time below which the countdown shows hours, minutes and seconds.
const nearly = 48 * time.Hour

// say sets the texts for the time `now`, and the time of the next change.
func (w *countdown) say(now time.Time) {
	w.ink = w.color.Color(w.b, w.b.Role("text"))
	unit := ""
	w.buf = w.buf[:0]
	left := w.at.Sub(now)
	w.next = piece.MidnightOf(now, 1)
	switch days := piece.DaysBetween(now, w.at); {
	case w.at.IsZero():
		w.ink = w.muted
		w.buf = append(w.buf, "—"...)
	case w.whole && days == 0:
		w.buf = append(w.buf, w.b.Locale.NearDay(0)...)
	case w.whole || left.Abs() >= nearly:
		unit = w.days(max(days, -days))
	default:
		w.buf = appendClock(w.buf, (left.Abs() + time.Second - 1).Truncate(time.Second))
		if left < 0 {
			w.buf = appendClock(w.buf[:0], left.Abs())
		}
		w.next = now.Truncate(time.Second).Add(time.Second)
	}
	w.number.Set(w.buf)
	w.place(unit)
	switch {
	case w.title != "":
		w.dated = time.Time{}
		w.buf = append(w.buf[:0], format.Short(w.title)...)
		w.setFoot()
	case !w.at.IsZero():
		w.date(now)
	default:
		w.foot.Set(nil)
	}
}

// setFoot() shows the text of w.buf below the number, in the largest style in which the text is not cut. It returns false if the text is
// cut in every style.
func (w *countdown) setFoot() (whole bool) {
	for i := len(w.feet) - 1; i >= 0 && !whole; i-- {
		w.foot = &w.feet[i]
		w.foot.Set(w.buf)
		whole = w.foot.Want() <= w.foot.Box.Dx()
	}
	return whole
}

// dateForms are the formats of the date, the longest first. Formats without a year (field `near`) are only used for dates within a year.
var dateForms = [...]struct {
	word locale.Word
	near bool
}{{locale.DateFull, false}, {locale.DayDate, true}, {locale.DayDateShort, true}, {locale.DateBrief, true}, {locale.DateShort, false}}

// date() shows the longest format of the date that fits.
func (w *countdown) date(now time.Time) {
	if len(w.foot.Raw) > 0 && w.dated.Equal(w.at) && now.Day() == w.datedOn {
		return
	}
	w.dated, w.datedOn = w.at, now.Day()
	for _, form := range dateForms {
		if form.near && w.at.Sub(now).Abs() >= 365*24*time.Hour {
			continue
		}
		w.buf = w.b.Locale.Append(w.buf[:0], w.at, form.word)
		if w.setFoot() {
			return
		}
	}
}

// days() appends a number of days. If the word for "days" follows the number, days() returns this word and does not append it.
func (w *countdown) days(n int) (unit string) {
	w.buf = w.b.Locale.AppendDays(w.buf, n)
	end := 0
	for i, c := range w.buf {
		if c >= '0' && c <= '9' {
			end = i + 1
		}
	}
	if end == 0 || w.buf[0] < '0' || w.buf[0] > '9' {
		return "" // the word comes before the number, or the language uses other digits
	}
	rest := string(w.buf[end:])
	w.buf = w.buf[:end]
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == 0xc2 || rest[0] == 0xa0) {
		rest = rest[1:]
	}
	return rest
}

// place() places the unit after the number.
func (w *countdown) place(unit string) {
	w.unit.Set([]byte(unit))
	box := w.number.Box
	gap := int(float64(w.number.Face.Size) * piece.UnitGap)
	wide := w.number.Want()
	if unit != "" && wide+gap+w.unit.Want() > box.Dx() {
		w.unit.Set(nil)
	}
	x := box.Min.X
	switch w.number.Edge {
	case kit.EdgeEnd:
		x = box.Max.X - wide
		if len(w.unit.Raw) > 0 {
			x -= gap + w.unit.Want()
		}
		w.number.At.X = x
		w.number.Ink = w.number.Line.Ink().Add(w.number.At)
	case kit.EdgeCenter:
		x = w.number.At.X
	}
	from := x + wide + gap
	w.unit.Place(image.Rect(from, box.Min.Y, max(from, box.Max.X+1), box.Max.Y))
	if len(w.unit.Raw) > 0 {
		w.unit.At.Y = w.number.At.Y
		w.unit.Ink = w.unit.Line.Ink().Add(w.unit.At)
	} else {
		w.unit.Ink = image.Rectangle{}
	}
}

// Refresh implements kit.Hideable. A finished countdown is hidden, unless it counts up.
func (w *countdown) Refresh(t render.Tick) bool {
	w.follow(t)
	return w.since || w.at.IsZero() || !w.past(t.Now())
}

// past() reports whether the target time has passed.
func (w *countdown) past(now time.Time) bool {
	if w.whole {
		return piece.DaysBetween(now, w.at) < 0
	}
	return !now.Before(w.at)
}

// follow updates the inputs and reports whether one of them changed.
func (w *countdown) follow(t render.Tick) bool {
	changed := w.to.Update(t) || !w.loaded
	if w.events != nil {
		changed = w.events.Update(t) || changed
	}
	now := t.Now().In(w.b.Location)
	changed = w.color.Update(t) || changed
	if changed || !w.at.IsZero() && w.past(now) || !now.Before(w.next) {
		w.aim(now)
		w.loaded, w.next = true, time.Time{}
	}
	return changed
}

// Update implements render.Widget.
func (w *countdown) Update(t render.Tick) {
	w.follow(t)
	now := t.Now().In(w.b.Location)
	if !now.Before(w.next) || w.next.Sub(now) > 25*time.Hour {
		old := w.painted()
		w.say(now)
		t.Damage(old)
		t.Damage(w.painted())
	}
	t.Wake(w.next)
}

// painted() returns the rectangle around all painted pixels.
func (w *countdown) painted() image.Rectangle {
	return w.number.Ink.Union(w.unit.Ink).Union(w.foot.Ink)
}

// Natural implements kit.Sized.
func (w *countdown) Natural(width int) image.Point {
	return image.Pt(width, w.number.Face.Line+w.foot.Face.Line)
}

// Paint implements render.Widget.
func (w *countdown) Paint(c render.Canvas) {
	w.number.Paint(c, w.ink)
	w.unit.Paint(c, w.muted)
	w.foot.Paint(c, w.muted)
}
