package list

import (
	"image"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// at() returns a rectangle of the row, mirrored in languages that are written from right to left.
func (r *listRow) at(x0, y0, x1, y1 int) image.Rectangle {
	if r.look.mirrored {
		x0, x1 = r.rect.Min.X+r.rect.Max.X-x1, r.rect.Min.X+r.rect.Max.X-x0
	}
	return image.Rect(x0, y0, max(x0, x1), y1)
}

// placeIcon places the icon at the start of the row. It returns the x coordinate of the next part.
func (r *listRow) placeIcon(name string, in image.Rectangle) int {
	k := r.look
	if name == "" {
		r.mark.Set("")
		return in.Min.X
	}
	top := in.Min.Y + (min(in.Dy(), k.height)-k.icon)/2
	r.mark.Place(r.at(in.Min.X, top, in.Min.X+k.icon, top+k.icon))
	r.mark.Set(name)
	return in.Min.X + k.icon + k.gap
}

// placeBadge places the badge at the start of the free room. It returns the x coordinate of the next part.
func (r *listRow) placeBadge(s string, in image.Rectangle) int {
	k := r.look
	r.plate = image.Rectangle{}
	r.buf = append(r.buf[:0], s...)
	r.badge.Set(r.buf)
	if s == "" {
		return in.Min.X
	}
	want := r.badge.Want()
	w := max(min(max(k.badgeWidth, want+k.gap), in.Dx()/3), min(want+k.gap/2, in.Dx()/2))
	top := in.Min.Y + (min(in.Dy(), k.height)-k.badgeHeight)/2
	r.plate = r.at(in.Min.X, top, in.Min.X+w, top+k.badgeHeight)
	if r.plateCorner == nil {
		r.plateCorner = render.NewCorner(k.b.Px(badgeRound), r.plate.Size())
	}
	r.badge.Place(r.plate)
	return in.Min.X + w + k.gap
}

// placeValue places the value and the unit at the end of the row. `text` is the width of the row's text in px. It returns the x coordinate
// at which the room for the text ends.
func (r *listRow) placeValue(in image.Rectangle, text int) int {
	k := r.look
	if len(r.value.Raw) == 0 {
		return in.Max.X
	}
	bottom := in.Min.Y + min(in.Dy(), k.height)
	end := in.Max.X
	if len(r.tail.Raw) > 0 {
		w := r.tail.Want()
		r.tail.Place(r.at(end-w, in.Min.Y, end, bottom))
		end -= w + k.body.Size/4
	}
	w, room := r.value.Want(), end-in.Min.X-k.gap
	if w > k.body.Size*valueWhole || w > room-k.textLeast {
		w = min(w, max(int(float64(in.Dx())*valueShare), room-text))
	}
	r.value.Place(r.at(end-w, in.Min.Y, end, bottom))
	if len(r.tail.Raw) > 0 && !r.tail.Ink.Empty() {
		r.tail.Ink = r.tail.Ink.Sub(image.Pt(0, r.tail.At.Y-r.value.At.Y))
		r.tail.At.Y = r.value.At.Y
	}
	return end - w - k.gap
}

// placeWhole gives the value all the room, because the row shows no text.
func (r *listRow) placeWhole(in image.Rectangle) {
	bottom := in.Min.Y + min(in.Dy(), r.look.height)
	r.tail.Set(nil)
	if r.value.Want() > in.Dx() || r.small() { // small text, if the value would be cut or if other rows also have small text
		r.value.Face = r.smallValue()
		r.value.Layout()
	}
	r.value.Place(r.at(max(in.Min.X, in.Max.X-r.value.Want()), in.Min.Y, in.Max.X, bottom))
}

// placeSmall places the text and the value next to each other in small text. It returns false if the row cannot use small text, or if
// there is no room for two letters and the complete value.
func (r *listRow) placeSmall(v *rowValues, in image.Rectangle) bool {
	k := r.look
	if !r.track.Empty() && !k.under || v.raw(partText) == "" || !r.small() {
		return false
	}
	f := k.of(v)
	r.value.Face = r.smallValue()
	room := in.Dx()
	if want := r.value.Want(); want > 0 {
		room -= want + k.gap/2
	}
	if room < k.smallLeast {
		r.value.Face = f.strong
		return false
	}
	bottom := in.Min.Y + min(in.Dy(), k.height)
	if unit := r.tail.Want() + k.small.Size/4; len(r.tail.Raw) > 0 && room-unit >= k.b.TextWidth(f.small, k.seen(v, partText, 1)) {
		r.tail.Place(r.at(in.Max.X-r.tail.Want(), in.Min.Y, in.Max.X, bottom))
		in.Max.X, room = in.Max.X-unit, room-unit
	} else {
		r.tail.Set(nil)
	}
	r.value.Box = image.Rectangle{}
	r.value.Place(r.at(in.Max.X-r.value.Want(), in.Min.Y, in.Max.X, bottom))
	in.Max.X = in.Min.X + room
	r.text.Dress(k.fitting(f.small, k.seen(v, partText, 1), room))
	r.placeText(v, in)
	return true
}

// placeSign places the icon of the value instead of its word, if the small text would otherwise be cut. It returns false if the text has
// enough room next to the word, or not enough room next to the icon.
func (r *listRow) placeSign(v *rowValues, said *format.Shown) bool {
	k, small := r.look, r.look.of(v).small
	wide, in := k.b.TextWidth(small, k.seen(v, partText, 1)), r.rect
	cut := wide+r.valueWidth(r.smallValue())+k.gap/2 > in.Dx()
	if said.Icon == "" || !said.Told || !cut || wide+k.icon+k.gap > in.Dx() || !r.small() || !r.track.Empty() && !k.under || !r.plate.Empty() {
		return false
	}
	r.value.Set(nil)
	r.tail.Set(nil)
	in.Min.Y += r.above(v)
	in.Min.X = r.placeIcon(said.Icon, in)
	r.text.Dress(small)
	r.placeText(v, in)
	return true
}

// small() reports whether the row may use small text.
func (r *listRow) small() bool {
	return r.most <= 1 && r.look.small.Size < r.look.body.Size
}

// placeBar places the bar before the value, or below the text. It returns the x coordinate at which the room for the text ends.
func (r *listRow) placeBar(v *rowValues, said *format.Shown, in image.Rectangle) int {
	k := r.look
	r.track, r.bar = image.Rectangle{}, image.Rectangle{}
	w := k.barWidth
	if !r.item.Bar || w == 0 && !k.under {
		return in.Max.X
	}
	text := in.Max.X
	top := in.Min.Y + (min(in.Dy(), k.height)-k.bar)/2
	if in.Max.X = min(in.Max.X, r.rect.Max.X-k.barEnd-r.tail.Want()); k.under { // the bars of all rows end at the same x
		in.Max.X, w = r.rect.Max.X, r.rect.Max.X-in.Min.X
		top = in.Min.Y + max(0, (min(in.Dy(), k.height)-k.body.Line)/2) + r.content(v) - k.bar
	}
	from, to := v.number(partMin, 0), v.number(partMax, 100)
	r.track = r.at(in.Max.X-w, top, in.Max.X, top+k.bar)
	if r.barCorner == nil {
		r.barCorner = render.NewCorner(k.bar/2, r.track.Size())
	}
	if said.IsNum && to != from {
		share := min(max((said.Num-from)/(to-from), 0), 1)
		if n := int(share*float64(w) + 0.5); n > 0 {
			r.bar = r.at(in.Max.X-w, top, in.Max.X-w+max(n, k.bar), top+k.bar)
		}
	}
	if k.under {
		return text
	}
	return in.Max.X - w - k.gap
}

// placeText places the text and, below it, the note.
func (r *listRow) placeText(v *rowValues, in image.Rectangle) {
	k := r.look
	r.buf = append(r.buf[:0], k.seen(v, partText, r.most)...)
	note := ""
	if k.noteOf(v, r.item) != "" {
		note = k.seen(v, partNote, 1)
	}
	lines := r.most
	top := in.Min.Y + max(0, (min(in.Dy(), k.height)-k.body.Line)/2) // the first line is aligned with the icon and the value
	if lines > 1 {
		high := k.high(lines) + k.body.Size/4
		r.text.Box = r.at(in.Min.X, top, in.Max.X, top+k.high(lines))
		r.text.Raw, r.text.Ink = r.text.Raw[:0], image.Rectangle{}
		r.wrapText(string(r.buf), image.Pt(r.text.Box.Dx(), high), lines)
		if r.alone() { // smaller text has more lines, and the last line must not leave the row
			r.text.Box.Max.Y = top + high
			r.text.Box = r.text.Box.Sub(image.Pt(0, max(0, top+k.drop+r.block.Block.Ink().Max.Y-r.rect.Max.Y)))
		}
		r.lines = max(1, min(lines, r.block.Block.Lines()))
	} else {
		r.block = nil
		r.text.Place(r.at(in.Min.X, top, in.Max.X, top+k.body.Line))
		r.text.Set(r.buf)
	}
	if k.beside && lines == 1 {
		r.placeBeside(v, in, top)
		return
	}
	top += k.high(r.lines)
	top -= k.near(r.lines)
	r.buf = append(r.buf[:0], note...)
	if r.noteMost > 1 && len(r.buf) > 0 {
		r.note.Raw, r.note.Ink = r.note.Raw[:0], image.Rectangle{}
		r.note.Box = r.at(in.Min.X, top, in.Max.X, top+2*k.note.Line+k.note.Size/4) // with room for the descenders of the last line
		r.noteBlock = wrap(r.noteBlock, k.b, k.note, note, r.note.Box.Size(), 2)
		return
	}
	r.noteMost = 1
	r.note.Place(r.at(in.Min.X, top, in.Max.X, top+k.note.Line))
	r.note.Set(r.buf)
}

// placeBeside places the note after the text, on its baseline.
func (r *listRow) placeBeside(v *rowValues, in image.Rectangle, top int) {
	k := r.look
	from := in.Min.X + r.text.Want() + k.gap
	r.buf = append(r.buf[:0], k.seen(v, partNote, 1)...)
	r.note.Place(r.at(from, top, in.Max.X, top+k.body.Line))
	r.note.Set(r.buf)
	r.note.Ink = r.note.Ink.Add(image.Pt(0, r.text.At.Y-r.note.At.Y))
	r.note.At.Y = r.text.At.Y
}

// beside() reports whether the note of the shown row fits after its text.
func (r *listRow) beside() bool {
	k, note := r.look, r.look.seen(&r.from, partNote, 1)
	return note == "" || r.most <= 1 && r.text.Face.Size == k.body.Size && r.text.Want()+k.gap+k.b.TextWidth(k.note, note) <= r.text.Box.Dx()
}

// wrap shows a text in several lines. It returns p, or a new paragraph if p or its text has another size.
func wrap(p *piece.Paragraph, b *kit.Builder, f kit.Face, s string, size image.Point, lines int) *piece.Paragraph {
	if p == nil || p.Size != size || p.Lines != lines || p.Face != f {
		p = piece.NewParagraph(b, f, size, b.EdgeOf("start"), text.Top, lines)
	}
	p.Set(s)
	return p
}

// strike returns the rectangle of a line through a text.
func (r *listRow) strike(c *piece.Snippet) image.Rectangle {
	if c.Ink.Empty() {
		return image.Rectangle{}
	}
	thick := max(1, r.look.body.Size/14)
	y := c.At.Y - int(float64(c.Face.Size)*0.27) - thick/2
	return image.Rect(c.At.X, y, c.At.X+c.Width(), y+thick)
}
