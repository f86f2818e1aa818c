package clock

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// crown holds the title below the ring of a timer and the icon inside the ring. In a large timer, the crown replaces the title line.
type crown struct {
	icon            *kit.Mark // nil if there is no icon
	title           piece.Snippet
	titleIn, iconIn kit.Input
	high            int // height of the title and of the gap above it, in px
}

// Proportions of a crown.
const (
	crownLeast  = 132  // minimum width of a ring with an icon inside, in px on a screen whose shorter side has 720 px
	crownIcon   = 0.16 // side of the icon, as a share of the ring's width
	crownAcross = 0.96 // maximum diameter of the ring, as a share of the widget's width, so that neighboring rings do not touch
	crownRise   = 0.26 // distance between the centers of the ring and of the icon, as a share of the ring's width
)

// crowns() reports whether a timer of the given size uses a crown. The ring must be large, and the file must not set a note.
func crowns(b *kit.Builder, f *kit.Framed, size image.Point) bool {
	return f.Note == nil && (f.Title != nil || f.Icon != nil) && size.X < 2*size.Y && min(size.X, size.Y-crownHeight(b)) >= b.Px(crownLeast)
}

// crownHeight returns the height of the texts below the ring, in px.
func crownHeight(b *kit.Builder) int {
	note := b.Face("caption")
	return b.Face("body").Line + note.Line + note.Size/3 + b.Px(kit.HeadGap)
}

// lay places the title in a box and returns the area for the ring, which is above the title. `foot` is the height of the line below the
// title. Ring, title and foot are vertically centered together.
func (w *crown) lay(b *kit.Builder, s *kit.Spec, f *kit.Framed, box image.Rectangle, foot int) image.Rectangle {
	st := b.Look.Styles["body"]
	st.Weight = max(500, st.Weight)
	w.titleIn, w.iconIn = kit.InputOf(b, s, f.Title, kit.AnyOf[string]), kit.InputOf(b, s, f.Icon, kit.IconOf)
	w.title = piece.NewSnippet(b, b.FaceOf("body", st), kit.EdgeCenter)
	gap := b.Px(kit.HeadGap)
	w.high = gap + w.title.Face.Line
	side := min(int(float64(box.Dx())*crownAcross), box.Dy()-w.high-foot)
	top := box.Min.Y + max(0, box.Dy()-side-w.high-foot)/2
	w.title.Box = image.Rect(box.Min.X, top+side+gap, box.Max.X, top+side+w.high)
	w.title.Set([]byte(w.titleIn.Text()))
	if f.Icon != nil {
		w.icon = b.Mark(image.Rectangle{})
		w.icon.Set(w.iconIn.Text())
	}
	return image.Rect(box.Min.X, top, box.Max.X, top+side)
}

// update updates a title or an icon that changes.
func (w *crown) update(t render.Tick) {
	changed := w.titleIn.Update(t)
	if changed {
		w.title.Set([]byte(w.titleIn.Text()))
	}
	if w.iconIn.Update(t) && w.icon != nil {
		changed = w.icon.Set(w.iconIn.Text()) || changed
	}
	if changed {
		t.DamageAll()
	}
}

// paintIcon draws the icon in the ring.
func (w *crown) paintIcon(c render.Canvas, ink color.RGBA) {
	if w.icon != nil {
		w.icon.Paint(c, ink)
	}
}
