package kit

import (
	"image"

	"dashboard/render"
)

// oldIcon is the icon of an outdated value.
const oldIcon = "mdi:clock-alert-outline"

// signal shows, next to the value, the icon of an outdated value or of the value's state, unless the title line shows this icon.
func (w *Frame) signal(t render.Tick, k Stated) {
	name, ink := w.state.Icon, w.state.Color
	if !w.Values.stale.IsZero() {
		name, ink = oldIcon, w.b.Role("warn")
	}
	if w.Head != nil && w.Head.signals() {
		name = ""
	}
	if w.sign == nil {
		if name == "" {
			return
		}
		w.sign = w.b.Mark(image.Rectangle{})
	}
	box := image.Rectangle{}
	if name != "" {
		value, below := k.Painted()
		box = w.beside(value.Add(w.Body.Min), below.Add(w.Body.Min))
	}
	if box == w.sign.Box && name == w.sign.Name && ink == w.signInk {
		return
	}
	t.Damage(w.sign.Box)
	w.sign.Place(box)
	w.sign.Set(name)
	w.signInk = ink
	t.Damage(box)
}

// beside returns a free square for an icon: at the end of the value's line, in the upper corner of a widget without a title line, or in
// the lower corner. `value` and `below` are the rectangles of the content. If no place is free, beside returns an empty rectangle.
func (w *Frame) beside(value, below image.Rectangle) image.Rectangle {
	b := w.b
	side, near := b.Px(HeadIcon), b.Px(signInset)
	x := w.rect.Max.X - near
	for i, end := range [...]image.Point{
		{w.Body.Max.X, (value.Min.Y + value.Max.Y + side) / 2}, {x, w.rect.Min.Y + near + side}, {x, w.rect.Max.Y - near},
	} {
		box := image.Rectangle{Min: end.Sub(image.Pt(side, side)), Max: end}
		if b.Locale.RightToLeft {
			sum := w.rect.Min.X + w.rect.Max.X
			box.Min.X, box.Max.X = sum-box.Max.X, sum-box.Min.X
		}
		if box.In(w.rect) && !box.Overlaps(value) && !box.Overlaps(below) && (i != 1 || w.Head == nil) {
			return box
		}
	}
	return image.Rectangle{}
}

// signInset is the distance of an icon from the corner of a card without a title line, in px on a screen whose shorter side has 720 px.
const signInset = 4

// signals reports whether no icon is needed next to the value, because the title line shows an icon or because there is nothing to show.
func (h *Head) signals() bool {
	return h.Inside || !h.flag.empty() || h.Since == "" && !h.flagged()
}
