package list

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/live"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// departRow is the row of a departure: the line in a badge, the destination, the platform, the delay and the time.
type departRow struct {
	rect, top, bottom                     image.Rectangle // rectangles of the row, of the badge's line and of the destination's line
	line, to, platform, delay, time, unit piece.Snippet
	plate                                 image.Rectangle
	colorName                             string // color in the data, as text
	color                                 color.RGBA
	round                                 image.Point // size of the badge for which `corner` was created
	corner                                *render.Corner
	plateInk, lineInk, delayInk           color.RGBA
	late                                  time.Duration // delay to show
	cancelled, stale, leaves, changed     bool
	mark                                  *kit.Mark          // icon of a canceled departure
	broken                                [2]piece.Snippet   // lines of a destination that does not fit on one line
	at                                    int                // index in the destination at which the second line starts, or 0
	struck                                [4]image.Rectangle // lines through the texts of a canceled departure
}

// newRow creates an empty row.
func (w *departures) newRow() departRow {
	b, k := w.b, w.look
	start, end := b.EdgeOf("start"), b.EdgeOf("end")
	return departRow{
		line: piece.NewSnippet(b, k.badge, kit.EdgeCenter), to: piece.NewSnippet(b, k.body, start), platform: piece.NewSnippet(b, k.note, start),
		delay: piece.NewSnippet(b, k.note, end), time: piece.NewSnippet(b, w.figure, end), unit: piece.NewSnippet(b, k.note, end), mark: b.Mark(image.Rectangle{}),
		broken: [2]piece.Snippet{piece.NewSnippet(b, k.body, start), piece.NewSnippet(b, k.body, start)},
	}
}

// set updates the texts and colors for a departure. The parameter `at` is the expected time of the departure.
func (r *departRow) set(w *departures, row live.Row, at, now time.Time) {
	k := w.look
	text := func(i int) []byte {
		s, _ := row[i].Value.(string)
		w.buf = k.cut(append(w.buf[:0], s...))
		return w.buf
	}
	cancelled, _ := row[departCancelled].Value.(bool)
	r.changed = cancelled != r.cancelled || w.stale != r.stale
	r.cancelled, r.stale = cancelled, w.stale
	r.changed = r.line.Set(text(departLine)) || r.changed
	r.changed = r.to.Set(text(departTo)) || r.changed
	platform := text(departPlatform)
	if !w.p.Platform {
		platform = platform[:0]
	}
	r.changed = r.platform.Set(platform) || r.changed
	late := time.Duration(0)
	if planned, ok := w.b.TimeOf(row[departAt].Value); ok {
		late = at.Truncate(time.Minute).Sub(planned.Truncate(time.Minute))
	}
	r.changed = r.setDelay(w, late) || r.changed
	w.buf = w.appendTime(w.buf[:0], at, now)
	number, unit := w.split(w.buf)
	leaves, icon := string(w.buf) == w.b.Locale.Say(locale.Now), ""
	if leaves {
		if word := w.b.Locale.Say(locale.LeavesNow); r.hasRoom(w, word, "") {
			w.buf = append(w.buf[:0], word...)
		}
		number, unit = nil, w.buf
	}
	if cancelled {
		number, icon = nil, "mdi:close-circle-outline"
		w.buf = append(w.buf[:0], w.b.Locale.Say(locale.Cancelled)...)
		if unit = w.buf; !r.hasRoom(w, w.b.Locale.Say(locale.Cancelled), icon) {
			unit = nil // show only the icon, because the destination is more important than the word
		}
	}
	r.changed = r.mark.Set(icon) || leaves != r.leaves || r.changed
	r.leaves = leaves
	r.changed = r.time.Set(number) || r.changed
	r.changed = r.unit.Set(unit) || r.changed
	r.setColors(w, row)
}

// stateBeside is the minimum width of the destination next to the word for a canceled or leaving departure, in em.
const stateBeside = 6

// hasRoom reports whether a row has room for the word of a departure's state and for the icon before the word. A row has no room if the
// word would cut a destination that is complete without the word.
func (r *departRow) hasRoom(w *departures, word, icon string) bool {
	k := w.look
	with, without := w.b.TextWidth(k.note, word)+r.to.Face.Size/4, 0
	if icon != "" {
		without = r.markSide()
	}
	r.to.Dress(k.body)
	room, want := w.size.X-max(w.badge, min(k.badgeWidth, w.size.X/3))-2*k.gap-without, r.to.Want()
	return room-with >= stateBeside*k.body.Size && (room-with >= want || room < want)
}

// veryLate is the smallest delay that has the color "bad".
const veryLate = 5 * time.Minute

// setDelay sets the delay and its color, and reports whether one of them changed.
func (r *departRow) setDelay(w *departures, late time.Duration) bool {
	if r.cancelled {
		late = 0
	}
	ink := w.look.muted
	switch {
	case late >= veryLate:
		ink = w.b.Role("bad")
	case late > 0:
		ink = w.b.Role("warn")
	}
	changed := ink != r.delayInk || late != r.late
	r.delayInk, r.late = ink, late
	return changed
}

// layDelay sets the text of the delay. If "3 late" is at most `room` px wide, it uses this form, otherwise "+3". For an early departure,
// it always uses the short form "−3".
func (r *departRow) layDelay(w *departures, room int) {
	w.buf = w.buf[:0]
	l := w.b.Locale
	if r.late > 0 {
		before, after, _ := strings.Cut(l.Say(locale.Late), "{}")
		w.buf = append(l.AppendNumber(append(w.buf, before...), r.late.Minutes(), 0, false), after...)
		f := r.delay.Face
		if w.b.Text.ShapeBytes(&w.b.Scratch, f.Font, f.Size, w.buf); w.b.Scratch.Width() > room {
			w.buf = w.buf[:0]
		}
	}
	if len(w.buf) == 0 && r.late != 0 {
		w.buf = l.AppendNumber(w.buf, r.late.Minutes(), 0, true)
	}
	r.delay.Set(w.buf)
}

// setColors gives the badge the color of the line. The text in the badge is black or white, whichever has more contrast.
func (r *departRow) setColors(w *departures, row live.Row) {
	k := w.look
	if name, _ := row[departColor].Value.(string); name != r.colorName || r.color.A == 0 { // parsing allocates memory
		own := kit.Input{Plain: row[departColor].Value}
		r.colorName, r.color = name, own.Color(w.b, k.track)
	}
	plate, ink := r.color, k.text
	if plate != k.track {
		ink = k.onPlate(plate)
	}
	if w.b.Look.Ink { // e-paper has no grays, so the badge is black
		plate, ink = k.text, w.b.Role("background")
	}
	r.changed = r.changed || plate != r.plateInk || ink != r.lineInk
	r.plateInk, r.lineInk = plate, ink
}

// place() places the parts of row i and reports whether anything changed. If there is not enough room, it removes the platform first.
func (r *departRow) place(w *departures, i int) bool {
	k := w.look
	rect := image.Rect(0, i*w.pitch, w.size.X, (i+1)*w.pitch)
	changed := r.changed || rect != r.rect
	r.rect, r.top, r.bottom = rect, rect, rect
	x, end, late := r.beside(w)
	limit := end
	if w.form.below {
		x, end = 0, w.size.X
	}
	r.dress(w, max(0, end-x))
	if w.form.below {
		band, text := w.band(w.form), max(w.line(r.to.Face), min(2, 2*r.at)*w.line(r.to.Face))
		r.top.Min.Y += (w.pitch - w.high + band - text) / 2
		r.top.Max.Y = r.top.Min.Y + w.high - band
		r.bottom.Min.Y, r.bottom.Max.Y = r.top.Max.Y, r.top.Max.Y+text
	}
	high, mid := min(k.badgeHeight, k.height), (r.top.Min.Y+r.top.Max.Y)/2
	r.plate = image.Rectangle{}
	if w.badge > 0 && len(r.line.Raw) > 0 {
		plate := image.Rect(0, mid-high/2, w.badge, mid-high/2+high)
		r.plate = w.b.Mirrored(plate, w.size.X)
		if r.corner == nil || plate.Size() != r.round {
			r.corner, r.round = render.NewCorner(w.b.Px(badgeRound), plate.Size()), plate.Size()
		}
		r.line.Place(r.plate)
	}
	r.placeTime(w)
	r.put(w, &r.delay, r.top, limit, limit)
	if late > 0 {
		r.put(w, &r.delay, r.top, limit+k.gap, limit+k.gap+late)
	}
	r.put(w, &r.platform, r.bottom, end, end)
	if n := r.platform.Want(); n > 0 && end-x-n-k.gap >= r.to.Want() {
		to := x + r.to.Want() + k.gap
		r.put(w, &r.platform, r.bottom, to, to+n)
		end = to - k.gap
	}
	if r.hides(w, end-x) {
		end = x
	}
	r.put(w, &r.to, r.bottom, x, end)
	r.breaks(w, x, end)
	r.strike(w)
	return changed
}

// put places a text in a line of the row, between two x coordinates.
func (r *departRow) put(w *departures, s *piece.Snippet, line image.Rectangle, from, to int) {
	s.Place(w.b.Mirrored(image.Rect(from, line.Min.Y, max(from, to), line.Max.Y), w.size.X))
}

// beside() returns the x coordinates of the start and the end of the free room between the badge and the time. `late` is the width in px
// of the delay after this room, or 0 if the delay is hidden. The delay is hidden if it would cut the destination to one letter or to less
// than half of the room. A destination below the badge needs none of this room.
func (r *departRow) beside(w *departures) (x, end, late int) {
	k := w.look
	if w.badge > 0 {
		x = w.badge + w.gap
	}
	end = w.size.X - r.stateWidth() - w.gap
	r.to.Dress(k.body)
	to := r.to.Want()
	if w.form.below {
		to = 0
	}
	r.layDelay(w, end-x-k.gap-to)
	if n := r.delay.Want(); n > 0 && end-x-n-k.gap >= min(to, (end-x)/2) && (w.form.below || !r.hides(w, end-x-n-k.gap)) {
		late = n
		end -= n + k.gap
	}
	return x, end, late
}

// hides() reports whether the room is so narrow that only one letter of the destination would fit.
func (r *departRow) hides(w *departures, room int) bool {
	return room < 2*w.look.body.Size && r.to.Want() > max(0, room)
}

// placeTime places the time and its unit on one baseline at the end of the row. For a canceled departure, the
// unit is the word for canceled, with an icon before it.
func (r *departRow) placeTime(w *departures) {
	end := w.size.X
	r.put(w, &r.unit, r.top, end, end)
	if n := r.unit.Want(); n > 0 {
		r.put(w, &r.unit, r.top, end-n, end)
		end -= n + r.to.Face.Size/4
	}
	if r.mark.Name != "" {
		side, mid := r.markSide(), (r.top.Min.Y+r.top.Max.Y)/2
		r.mark.Place(w.b.Mirrored(image.Rect(end-side, mid-side/2, end, mid-side/2+side), w.size.X))
		end -= side
	}
	r.put(w, &r.time, r.top, max(0, end-r.time.Want()), end)
	if d := r.unit.At.Y - r.time.At.Y; len(r.unit.Raw) > 0 && len(r.time.Raw) > 0 {
		r.unit.At.Y, r.unit.Ink = r.time.At.Y, r.unit.Ink.Sub(image.Pt(0, d))
	}
}

// markSide returns the side of the icon of a canceled departure, in px.
func (r *departRow) markSide() int { return r.unit.Face.Size * 5 / 4 }

// stateWidth returns the width in px that the time, its unit and the icon need together.
func (r *departRow) stateWidth() int {
	wide := r.time.Want()
	if n := r.unit.Want(); n > 0 {
		wide += n + r.to.Face.Size/4
	}
	if r.mark.Name != "" {
		wide += r.markSide()
	}
	return wide
}

// strike computes the lines through the destination and the platform of a canceled departure. The time needs no line, because it is
// hidden.
func (r *departRow) strike(w *departures) {
	r.struck = [4]image.Rectangle{}
	if r.cancelled {
		for i, s := range [...]*piece.Snippet{&r.to, &r.platform, &r.broken[0], &r.broken[1]} {
			r.struck[i] = through(s)
		}
	}
}

// through() returns the rectangle of a line through a text.
func through(s *piece.Snippet) image.Rectangle {
	if s.Ink.Empty() {
		return image.Rectangle{}
	}
	thick := max(1, s.Face.Size/14)
	y := s.At.Y - int(float64(s.Face.Size)*strikeHeight) - thick/2
	return image.Rect(s.At.X, y, s.At.X+s.Width(), y+thick)
}

// strikeHeight is the height of the strikethrough above the baseline, as a share of the text size. This is the middle of lower-case
// letters.
const strikeHeight = 0.27

func (r *departRow) paint(c render.Canvas, w *departures) {
	if !c.Sees(r.rect) {
		return
	}
	k := w.look
	text, muted := k.text, k.muted
	if r.cancelled || r.leaves {
		text = k.muted
	}
	plate, line, delay := r.plateInk, r.lineInk, r.delayInk
	if (r.cancelled || r.leaves) && !w.b.Look.Ink {
		plate = kit.Faint(plate)
	}
	if r.stale {
		text, delay = k.muted, k.muted
	}
	if !r.plate.Empty() {
		c.FillRound(r.plate, r.corner, plate)
		r.line.Paint(c, line)
	}
	r.to.Paint(c, text)
	r.broken[0].Paint(c, text)
	r.broken[1].Paint(c, text)
	r.platform.Paint(c, muted)
	r.delay.Paint(c, delay)
	r.time.Paint(c, text)
	if r.cancelled && len(r.time.Raw) == 0 {
		muted = w.b.Role("bad")
	}
	r.unit.Paint(c, muted)
	r.mark.Paint(c, muted)
	bad := w.b.Role("bad")
	for _, line := range r.struck {
		c.Fill(line, bad)
	}
}
