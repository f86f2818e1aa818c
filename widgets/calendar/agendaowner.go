package calendar

import (
	"image"
	"unicode/utf8"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// Sizes of the owner at the end of a row. The owner is the calendar's name or initial.
const (
	ownerDisc  = 20   // diameter in px on a screen whose shorter side has 720 px
	ownerTint  = 0.28 // opacity of the calendar's color in the disc
	ownerShare = 0.3  // maximum width of the names, as a share of the row's width
	ownerLeast = 9    // minimum width of a title in a row with a disc, as a multiple of the text size
)

// owner shows the calendar of an event: either the calendar's name, or a disc with the initial of the name.
type owner struct {
	name piece.Snippet
	disc image.Rectangle // empty if the row shows the name
}

// ownerLook holds the form in which all rows show owners.
type ownerLook struct {
	names   bool
	wide    int // width of the owner in px, including the gap before it. 0 without an owner
	side    int // diameter of the disc, in px
	corner  *render.Corner
	initial kit.Face
}

// newOwnerLook creates the look of the disc and the face of the initials. `by` is the factor by which the rows have grown.
func newOwnerLook(b *kit.Builder, by float64) ownerLook {
	st := b.Look.Styles["label"]
	st.Weight = 600
	side := b.Px(ownerDisc * by)
	return ownerLook{side: side, corner: render.NewCorner(side/2, image.Pt(side, side)), initial: b.FaceAt(st, side*6/10)}
}

// owned() reports whether rows show owners. This requires several calendars, a disc that is large enough for an initial, and rows that
// have room for a title and a disc.
func (w *agenda) owned(k *agendaLook) bool {
	return len(w.events.Calendars) > 1 && k.owners.initial.Size < k.owners.side && k.discs(w.size.X)
}

// discs() reports whether rows of the given width have room for discs.
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

// rowWide returns the width of a row in px, with the complete title and the texts after it.
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
		wide += w.b.TextWidth(k.note, format.ShortTo(e.event.Location, maxPlace)) + k.gap
	}
	if !w.params.Headings {
		wide += tailRoom*k.note.Size + k.gap
	}
	return wide
}

// tailRoom is the room for the time until an event, as a multiple of its text size.
const tailRoom = 5

// layOwner places the owner at the end of a row whose title starts at x. It returns the x coordinate at which the other parts must end, and
// whether the owner changed.
func (r *agendaRow) layOwner(x int) (stop int, changed bool) {
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
	case iconOfEvent(r.entry.event) != "" || r.cuts(stop-o.wide-x): // the icon already identifies the calendar, or the title needs the room
		changed = put(&r.own.name, nil, image.Rectangle{})
	default:
		_, n := utf8.DecodeRuneInString(name)
		r.own.disc = r.at(stop-o.side, stop)
		r.own.disc.Min.Y += (r.own.disc.Dy() - o.side) / 2
		r.own.disc.Max.Y = r.own.disc.Min.Y + o.side
		changed = r.ownIn(o.initial, kit.EdgeCenter)
		r.buf = append(r.buf[:0], k.b.Locale.Upper(name[:n])...)
		changed = put(&r.own.name, r.buf, r.own.disc) || changed
		stop -= o.wide
	}
	return stop, changed || before != r.own.disc
}

// cuts() reports whether the title is cut if each of its lines is `room` px wide.
func (r *agendaRow) cuts(room int) bool {
	k := r.look
	if r.tall {
		r.buf = append(r.buf[:0], r.text...)
		at, over := r.title.Break(r.buf, room)
		return at == 0 || over > 0
	}
	return k.b.TextWidth(k.body, r.text) > room
}

// ownIn sets the face and the edge of the owner's text and reports whether the face changed.
func (r *agendaRow) ownIn(f kit.Face, e kit.Edge) bool {
	if r.own.name.Face == f {
		return false
	}
	r.own.name.Face, r.own.name.Edge, r.own.name.Raw = f, e, r.own.name.Raw[:0]
	return true
}

// paintOwner draws the owner. In black and white the disc is black.
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
