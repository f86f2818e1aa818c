package calendar

import (
	"image"
	"unicode/utf8"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Measures of the owner at the end of a row.
const (
	ownerDisc  = 20   // px at a shorter side of 720 px
	ownerTint  = 0.28 // of the calendar's color in the disc
	ownerShare = 0.3  // of the width that names take at most
	ownerLeast = 9    // sizes of text that a title needs before it
)

// owner is whose event a row shows: the name of the calendar, or its initial in a disc.
type owner struct {
	name piece.Snippet
	disc image.Rectangle // empty for a name
}

// ownerLook is how all rows of an agenda show their owners.
type ownerLook struct {
	names   bool
	wide    int // px at the end of a row, with the gap before it; 0 shows no owner
	side    int // px, of the disc
	corner  *render.Corner
	initial kit.Face
}

// newOwnerLook makes the disc and the face of initials for rows that are so much larger than usual.
func newOwnerLook(b *kit.Builder, by float64) ownerLook {
	st := b.Look.Styles["label"]
	st.Weight = 600
	side := b.Px(ownerDisc * by)
	return ownerLook{side: side, corner: render.NewCorner(side/2, image.Pt(side, side)), initial: b.FaceAt(st, side*6/10)}
}

// owned reports whether rows have owners: several calendars, and room for a disc behind a title.
func (w *agenda) owned(k *agendaLook) bool {
	return len(w.events.Calendars) > 1 && k.owners.initial.Size < k.owners.side && k.discs(w.size.X)
}

// discs reports whether rows of a width have room for discs.
func (k *agendaLook) discs(width int) bool {
	return width-k.indent-k.times-k.gap-k.owners.side-k.gap/2 >= ownerLeast*k.body.Size
}

// chooseOwners chooses between names and initials for the entries that may be shown.
func (w *agenda) chooseOwners(entries []agendaEntry) {
	k := w.look
	k.owners.names, k.owners.wide = false, 0
	if !w.owned(k) {
		return
	}
	names, rows := 0, 0
	for _, e := range entries {
		names = max(names, w.b.TextWidth(k.note, e.event.Calendar.Name))
		rows = max(rows, w.rowWide(k, e))
	}
	if names > 0 && float64(names) <= ownerShare*float64(w.size.X) && rows+k.gap+names <= w.size.X {
		k.owners.names, k.owners.wide = true, names+k.gap
		return
	}
	k.owners.wide = k.owners.side + k.gap/2
}

// rowWide is the width of a row with its whole title and the texts behind it, px.
func (w *agenda) rowWide(k *agendaLook, e agendaEntry) int {
	title, after := titleOf(w.b, e.event)
	wide := k.indent + k.times + k.gap + w.b.TextWidth(k.body, title)
	if after != "" {
		wide += w.b.TextWidth(k.note, after) + k.gap
	} else if e.ahead == 0 && w.params.Relative && !e.event.AllDay {
		wide += tailRoom * k.note.Size
	}
	if e.icon() != "" {
		wide += k.icon * 7 / 5
	}
	if w.params.Location && e.event.Location != "" {
		wide += w.b.TextWidth(k.note, kit.ShortTo(e.event.Location, maxPlace)) + k.gap
	}
	if !w.params.Headings {
		wide += tailRoom*k.note.Size + k.gap
	}
	return wide
}

// tailRoom is the room for the time until an event, in sizes of its text.
const tailRoom = 5

// layOwner places the owner at the end of a row and reports whether it changed, and where the other parts end.
func (r *agendaRow) layOwner() (stop int, changed bool) {
	k, o := r.look, &r.look.owners
	stop = r.rect.Dx()
	name := r.entry.event.Calendar.Name
	before := r.own.disc
	r.own.disc = image.Rectangle{}
	switch {
	case o.wide == 0 || name == "":
		changed = put(&r.own.name, nil, image.Rectangle{})
	case o.names:
		changed = r.ownIn(k.note, k.b.EdgeOf("end"))
		r.buf = append(r.buf[:0], name...)
		changed = put(&r.own.name, r.buf, r.at(stop-o.wide+k.gap, stop)) || changed
		stop -= o.wide
	case iconOfEvent(r.entry.event) != "" || r.cuts(o.wide): // an icon shows it, and the title counts
		changed = put(&r.own.name, nil, image.Rectangle{})
	default:
		_, n := utf8.DecodeRuneInString(name)
		r.own.disc = r.at(stop-o.side, stop)
		r.own.disc.Min.Y += (r.rect.Dy() - o.side) / 2
		r.own.disc.Max.Y = r.own.disc.Min.Y + o.side
		changed = r.ownIn(o.initial, kit.EdgeCenter)
		r.buf = append(r.buf[:0], k.b.Locale.Upper(name[:n])...)
		changed = put(&r.own.name, r.buf, r.own.disc) || changed
		stop -= o.wide
	}
	return stop, changed || before != r.own.disc
}

// cuts reports whether the title has room in the row, but not before an owner so wide.
func (r *agendaRow) cuts(wide int) bool {
	k := r.look
	left := r.rect.Dx() - k.indent - k.times - k.gap - k.b.TextWidth(k.body, r.text)
	return left >= 0 && left < wide
}

// ownIn sets the face of the owner and reports whether it is another one.
func (r *agendaRow) ownIn(f kit.Face, e kit.Edge) bool {
	if r.own.name.Face == f {
		return false
	}
	r.own.name.Face, r.own.name.Edge, r.own.name.Raw = f, e, r.own.name.Raw[:0]
	return true
}

// paintOwner draws the owner. Black and white have a black disc.
func (r *agendaRow) paintOwner(c render.Canvas, stale bool) {
	k := r.look
	ink, fill := k.text, kit.Tint(r.barInk, ownerTint)
	switch {
	case r.own.disc.Empty():
		ink = k.muted
	case k.b.Look.Ink:
		ink, fill = k.b.Role("surface"), k.text
	}
	if stale {
		ink, fill = k.b.Old(ink), kit.Faint(fill)
	}
	if !r.own.disc.Empty() {
		c.FillRound(r.own.disc, k.owners.corner, fill)
	}
	r.own.name.Paint(c, ink)
}
