package widgets

import (
	"image"

	"dashboard/render"
	"dashboard/render/text"
)

// at mirrors a rectangle of the row in languages from right to left.
func (r *listRow) at(x0, y0, x1, y1 int) image.Rectangle {
	if r.look.mirrored {
		x0, x1 = r.rect.Min.X+r.rect.Max.X-x1, r.rect.Min.X+r.rect.Max.X-x0
	}
	return image.Rect(x0, y0, max(x0, x1), y1)
}

// placeIcon puts the icon to the start and returns where what follows it begins.
func (r *listRow) placeIcon(name string, in image.Rectangle) int {
	k := r.look
	if name == "" {
		r.mark.set("")
		return in.Min.X
	}
	top := in.Min.Y + (min(in.Dy(), k.height)-k.icon)/2
	r.mark.place(r.at(in.Min.X, top, in.Min.X+k.icon, top+k.icon))
	r.mark.set(name)
	return in.Min.X + k.icon + k.gap
}

// placeBadge puts the badge to the start of what is left.
func (r *listRow) placeBadge(s string, in image.Rectangle) int {
	k := r.look
	r.plate = image.Rectangle{}
	r.buf = append(r.buf[:0], s...)
	r.badge.set(r.buf)
	if s == "" {
		return in.Min.X
	}
	want := r.badge.want()
	w := max(min(max(k.badgeWidth, want+k.gap), in.Dx()/3), min(want+k.gap/2, in.Dx()/2))
	top := in.Min.Y + (min(in.Dy(), k.height)-k.badgeHeight)/2
	r.plate = r.at(in.Min.X, top, in.Min.X+w, top+k.badgeHeight)
	if r.plateCorner == nil {
		r.plateCorner = render.NewCorner(k.b.px(badgeRound), r.plate.Size())
	}
	r.badge.place(r.plate)
	return in.Min.X + w + k.gap
}

// placeValue puts value and unit to the end, beside a text so wide, px, and returns where they begin.
func (r *listRow) placeValue(in image.Rectangle, text int) int {
	k := r.look
	if len(r.value.raw) == 0 {
		return in.Max.X
	}
	bottom := in.Min.Y + min(in.Dy(), k.height)
	end := in.Max.X
	if len(r.tail.raw) > 0 {
		w := r.tail.want()
		r.tail.place(r.at(end-w, in.Min.Y, end, bottom))
		end -= w + k.body.size/4
	}
	w, room := r.value.want(), end-in.Min.X-k.gap
	if w > k.body.size*valueWhole || w > room-k.textLeast {
		w = min(w, max(int(float64(in.Dx())*valueShare), room-text))
	}
	r.value.place(r.at(end-w, in.Min.Y, end, bottom))
	if len(r.tail.raw) > 0 && !r.tail.ink.Empty() {
		r.tail.ink = r.tail.ink.Sub(image.Pt(0, r.tail.at.Y-r.value.at.Y))
		r.tail.at.Y = r.value.at.Y
	}
	return end - w - k.gap
}

// placeWhole gives all that is left to the value.
func (r *listRow) placeWhole(in image.Rectangle) {
	bottom := in.Min.Y + min(in.Dy(), r.look.height)
	r.tail.set(nil)
	if r.value.want() > in.Dx() || r.small() { // smaller rather than cut, and as the rows beside it
		r.value.face = r.look.small
		r.value.layout()
	}
	r.value.place(r.at(max(in.Min.X, in.Max.X-r.value.want()), in.Min.Y, in.Max.X, bottom))
}

// placeSmall puts text and value side by side in small type, and reports whether there is room: for two letters and the whole value.
func (r *listRow) placeSmall(v *rowValues, in image.Rectangle) bool {
	k := r.look
	if !r.track.Empty() || v.raw(partText) == "" || !r.small() {
		return false
	}
	r.value.face = k.small
	room := in.Dx()
	if want := r.value.want(); want > 0 {
		room -= want + k.gap/2
	}
	if room < k.smallLeast {
		r.value.face = k.strong
		return false
	}
	bottom := in.Min.Y + min(in.Dy(), k.height)
	if unit := r.tail.want() + k.small.size/4; len(r.tail.raw) > 0 && room-unit >= k.b.textWidth(k.small, k.seen(v, partText, 1)) {
		r.tail.place(r.at(in.Max.X-r.tail.want(), in.Min.Y, in.Max.X, bottom))
		in.Max.X, room = in.Max.X-unit, room-unit
	} else {
		r.tail.set(nil)
	}
	r.value.box = image.Rectangle{}
	r.value.place(r.at(in.Max.X-r.value.want(), in.Min.Y, in.Max.X, bottom))
	in.Max.X = in.Min.X + room
	r.text.dress(k.small)
	r.placeText(v, in)
	return true
}

// small reports whether what has no room in the row may be in small type.
func (r *listRow) small() bool {
	return r.item.Lines <= 1 && r.look.small.size < r.look.body.size
}

// placeBar puts the bar before the value, and returns where it begins.
func (r *listRow) placeBar(v *rowValues, said *shown, in image.Rectangle) int {
	k := r.look
	r.track, r.bar = image.Rectangle{}, image.Rectangle{}
	w := k.barWidth
	if !r.item.Bar || w == 0 {
		return in.Max.X
	}
	in.Max.X = min(in.Max.X, r.rect.Max.X-k.barEnd-r.tail.want()) // bars of several rows end below each other
	top := in.Min.Y + (min(in.Dy(), k.height)-k.bar)/2
	from, to := v.number(partMin, 0), v.number(partMax, 100)
	r.track = r.at(in.Max.X-w, top, in.Max.X, top+k.bar)
	if r.barCorner == nil {
		r.barCorner = render.NewCorner(k.bar/2, r.track.Size())
	}
	if said.isNum && to != from {
		share := min(max((said.num-from)/(to-from), 0), 1)
		if n := int(share*float64(w) + 0.5); n > 0 {
			r.bar = r.at(in.Max.X-w, top, in.Max.X-w+max(n, k.bar), top+k.bar)
		}
	}
	return in.Max.X - w - k.gap
}

// placeText puts text and note into what is left.
func (r *listRow) placeText(v *rowValues, in image.Rectangle) {
	k := r.look
	r.buf = append(r.buf[:0], k.seen(v, partText, r.item.Lines)...)
	note := k.seen(v, partNote, 1)
	lines := max(1, r.item.Lines)
	top := in.Min.Y + max(0, (min(in.Dy(), k.height)-k.body.line)/2) // the first line is that of icon and value
	if lines > 1 {
		r.wrap(string(r.buf), r.at(in.Min.X, top, in.Max.X, top+k.high(lines)), lines)
		r.lines = max(1, r.block.block.Lines())
	} else {
		r.block = nil
		r.text.place(r.at(in.Min.X, top, in.Max.X, top+k.body.line))
		r.text.set(r.buf)
	}
	top += k.high(r.lines)
	top -= k.near(r.lines)
	r.buf = append(r.buf[:0], note...)
	r.note.place(r.at(in.Min.X, top, in.Max.X, top+k.note.line))
	r.note.set(r.buf)
}

// wrap shows the text in several lines.
func (r *listRow) wrap(s string, box image.Rectangle, lines int) {
	r.text.box = box
	r.text.raw = r.text.raw[:0]
	r.text.ink = image.Rectangle{}
	size := image.Pt(box.Dx(), box.Dy()+r.look.body.size/4)
	if r.block == nil || r.block.size != size {
		r.block = r.look.b.paragraph(r.look.body, size, r.look.b.edgeOf("start"), text.Top, lines)
	}
	r.block.set(s)
}

// strike puts a line through the text.
func (r *listRow) strike() {
	if r.text.ink.Empty() {
		return
	}
	thick := max(1, r.look.body.size/14)
	y := r.text.at.Y - int(float64(r.look.body.size)*0.27) - thick/2
	r.line = image.Rect(r.text.at.X, y, r.text.at.X+r.text.width(), y+thick)
}
