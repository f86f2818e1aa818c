package calendar

import (
	"bytes"
	"image"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// agendaForm describes how an agenda shows titles.
type agendaForm struct {
	small int  // number of text styles by which the text is smaller than usual
	lines bool // true if titles that would be cut take a second line
	fewer bool // true if second lines may take the room of other entries
	same  bool // true if smaller text shows no more entries than usual, so that second lines have room
	most  int  // result of same: the maximum number of entries, or 0 without a maximum
	brief bool // true if a name without the age replaces a birthday that would be cut
}

// agendaForms are the forms in the order of preference.
var agendaForms = [...]agendaForm{{}, {lines: true}, {small: 1}, {small: 1, lines: true}, {small: 1, lines: true, same: true},
	{small: 2}, {small: 2, lines: true}, {small: 2, lines: true, same: true},
	{lines: true, fewer: true}, {small: 1, lines: true, fewer: true}, {lines: true, brief: true}}

// leastSteps limits agendaForm.small: the text is at most this number of styles smaller than usual.
const leastSteps = 2

// Heights for titles of several lines, in shares of the text size.
const (
	titlePitch = 1.25 // distance between the lines of a title
	tightRow   = 1.35 // minimum height of a row
	looseRow   = 1.45 // minimum height of a row on large walls
)

// Limits for forms that hide entries. Such a form is used because some entries with complete titles are more useful than all entries with
// cut titles.
const (
	leastEntries = 3 // minimum number of entries that remain. Two thirds of the entries must also remain
	mostCut      = 2 // a form may hide entries only if all other forms cut at least mostCut titles
)

// choose chooses the form that cuts the fewest titles. If two forms cut equally many titles, choose prefers the form that shows longer
// parts of the titles. A form with smaller text is used only if it cuts fewer titles. A form that
// hides entries that fit is used only if it cuts no title.
func (w *agenda) choose(t render.Tick, now time.Time) {
	w.formed = append(w.formed[:0], w.entries...)
	most, least, hidden := w.try(t, now, agendaForm{})
	if least == 0 || len(w.looks) == 0 {
		return
	}
	best := agendaForm{}
	for _, f := range agendaForms[1:] {
		if f.small > len(w.small) || least == 0 || f.fewer && (w.b.Shorter() >= kit.Small || least < mostCut) {
			continue
		}
		keep := most
		if f.fewer {
			keep = max(leastEntries, (2*most+2)/3)
		}
		if f.same {
			f.most = most
		}
		rows, cut, lost := w.try(t.Hidden(), now, f)
		if better := cut < least || f.small == 0 && cut == least && lost < hidden; rows >= keep && better && (cut == 0 || !f.fewer && !f.same) {
			best, least, hidden = f, cut, lost
		}
	}
	if w.form != best {
		w.try(t.Hidden(), now, best)
	}
	t.DamageAll()
}

// try shows the entries in a form. It returns the number of shown entries and the number of cut titles. `lost` is a sum over the cut
// titles: how many percent of each title's width are hidden.
func (w *agenda) try(t render.Tick, now time.Time, f agendaForm) (rows, cut, lost int) {
	w.form = f
	clear(w.tall)
	if w.tall == nil {
		w.tall = make([]bool, len(w.slots))
	}
	if f.small > 0 {
		w.dress(t, &w.small[f.small-1])
		w.look.ranges = false
		w.spread()
	} else {
		w.grow(t)
	}
	shown, y := w.show(t, now)
	if f.lines {
		w.lengthen(shown)
		shown, y = w.show(t, now)
	}
	n, _ := w.tell(shown, y, w.used)
	for _, r := range w.slots[:n] {
		if !r.isHeading() {
			rows++
			if over := r.over(); over > 0 {
				cut, lost = cut+1, lost+max(1, 100*over/w.b.TextWidth(w.look.body, r.text))
			}
		}
	}
	return rows, cut, lost
}

// lengthen gives cut titles a second line, from the top down. Unless the form may hide entries, lengthen does so only while there is
// room. To gain room, it may move rows closer together. `shown` is the number of shown entries.
func (w *agenda) lengthen(shown int) {
	k := w.look
	k.more, w.start = 0, 0
	room := w.size.Y - w.heightOf(shown)
	if shown > 0 && shown < min(len(w.entries), w.limit) && w.entries[shown].ahead == w.entries[shown-1].ahead && !w.headed(shown-1) {
		room -= k.note.Line // room for the line with the number of the day's hidden entries
	}
	tight := w.tight()
	i := 0
	for _, r := range w.slots[:w.used] {
		if r.isHeading() {
			continue
		}
		if (w.form.fewer || room+shown*tight >= k.pitch) && r.over() > 0 && r.breaks() {
			w.tall[i] = true
			room -= k.pitch
		}
		i++
	}
	switch {
	case room < 0:
		k.more = -min(tight, (shown-room-1)/max(1, shown))
	case shown == len(w.entries):
		w.spread()
	}
}

// tight() returns the height in px that each row may lose.
func (w *agenda) tight() int {
	least := tightRow
	switch {
	case w.b.Look.Ink: // bars stay apart
		return 0
	case w.b.Shorter() >= kit.Small:
		least = looseRow
	}
	return max(0, w.look.height-kit.Whole(least*float64(w.look.body.Size)))
}

// heightOf returns the height of the first n entries with their headings, in px.
func (w *agenda) heightOf(n int) (h int) {
	for i := range w.entries[:n] {
		if h += w.high(w.look, i); w.headed(i) {
			h += w.look.headHeight(i == 0)
		}
	}
	return h
}

// isTall reports whether the title of entry i may take a second line.
func (w *agenda) isTall(i int) bool { return i < len(w.tall) && w.tall[i] }

// high() returns the height of the row of entry i in a look, in px.
func (w *agenda) high(k *agendaLook, i int) int {
	if w.isTall(i) {
		return k.height + k.pitch
	}
	return k.height
}

// over() returns the width in px by which the title exceeds its room. For a cut title, the result is above 0.
func (r *agendaRow) over() int {
	if r.broken > 0 {
		return r.second.Want() - r.second.Box.Dx()
	}
	return r.title.Want() - r.title.Box.Dx()
}

// breaks() reports whether the title can be broken into two lines in its box.
func (r *agendaRow) breaks() bool {
	r.buf = append(r.buf[:0], r.text...)
	at, _ := r.title.Break(r.buf, r.title.Box.Dx())
	return at > 0
}

// split chooses the position in the title at which the second line starts. The lines are between the x coordinates `x` and `stop`. It
// returns the width of the last line of the title, in px.
func (r *agendaRow) split(x, stop int) (want int) {
	r.broken = 0
	if r.buf = append(r.buf[:0], r.text...); r.tall {
		r.broken, _ = r.title.Break(r.buf, stop-x)
	}
	return r.look.b.TextWidth(r.look.body, r.text[r.broken:])
}

// layTitle places the lines of the title between two x coordinates. It reports whether the title changed.
func (r *agendaRow) layTitle(x, stop int) (changed bool) {
	box := r.at(x, stop)
	r.buf = append(r.buf[:0], r.text...)
	if r.broken == 0 {
		changed = put(&r.second, nil, image.Rectangle{})
		return put(&r.title, r.buf, box) || changed
	}
	changed = put(&r.title, bytes.TrimRight(r.buf[:r.broken], " "), box)
	return put(&r.second, r.buf[r.broken:], box.Add(image.Pt(0, r.look.pitch))) || changed
}

// lastLine returns the rectangle of the last line of the title. The text is vertically centered in this rectangle.
func (r *agendaRow) lastLine() image.Rectangle {
	line := r.rect
	if r.broken > 0 {
		line.Min.Y += r.look.pitch
	}
	return line
}
