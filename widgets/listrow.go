package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/render/text"
)

// rowLook is what all rows of a list are drawn with.
type rowLook struct {
	b                                  *Builder
	body, strong, note, badge, small   face // small is for values that have no room otherwise
	pitch, drop                        int  // px: from line to line of a text of several, and from where its first one stands by itself to a snippet's
	height                             int  // px, of a row of one line
	icon, gap, badgeWidth, badgeHeight int  // px
	bar                                int  // px, high
	barEnd                             int  // px, from the end of a row, its unit not counted: the room of three digits
	barWidth                           int  // px, of the bars of all rows; 0 where one of them has no room
	textLeast                          int  // px, below which a text beside a badge leaves
	mirrored                           bool
	text, muted, faint, track, accent  color.RGBA
	dark, bright                       color.RGBA // text on plates
}

// Lengths of a row, px at a shorter side of 720 px, and the share of its width that a bar has.
const (
	rowHeight   = 40
	rowIcon     = 22
	rowGap      = 12
	rowAround   = 18 // above and below the texts of higher rows, together
	badgeLeast  = 46
	badgeHeight = 28
	badgeRound  = 7
	barHeight   = 8
	rowBarShare = 0.35
	rowBarLeast = 0.15
	valueShare  = 0.6 // most of a row's width that its value takes
)

// rowLook makes the faces and colors of rows.
func (b *Builder) rowLook() *rowLook {
	strong := b.Look.Styles["body"]
	strong.Weight = max(500, strong.Weight)
	plate := b.Look.Styles["caption"]
	plate.Weight = 600
	k := &rowLook{
		b: b, body: b.face("body"), strong: b.faceOf("body", strong), note: b.face("caption"), badge: b.faceOf("caption", plate),
		icon: b.px(rowIcon), gap: b.px(rowGap), badgeWidth: b.px(badgeLeast), badgeHeight: b.px(badgeHeight), bar: b.px(barHeight),
		mirrored: b.Locale.RightToLeft, text: b.role("text"), muted: b.role("muted"), faint: b.role("faint"), track: b.role("line"), accent: b.role("accent"),
		dark: color.RGBA{11, 15, 22, 255}, bright: color.RGBA{255, 255, 255, 255},
	}
	small := b.Look.Styles["label"]
	small.Weight = strong.Weight
	k.small = b.faceOf("label", small)
	k.barEnd = b.textWidth(k.strong, "100") + k.body.size/4 + k.gap
	k.height = max(b.px(rowHeight), k.body.line+k.body.size/4)
	k.textLeast = 2 * k.body.size
	k.badgeHeight = max(k.badgeHeight, k.badge.line)
	k.measure()
	return k
}

// measure finds how lines of the body stand below each other.
func (k *rowLook) measure() {
	m := k.b.Text.Metrics(k.body.font, k.body.size)
	k.pitch = m.LineHeight
	k.drop = (k.body.line-m.Ascent-m.Descent)/2 + m.Ascent - (k.body.size - m.Descent)
}

// high is how high a text of so many lines is, px.
func (k *rowLook) high(lines int) int { return k.body.line + (lines-1)*k.pitch }

// near is how far a note rises to its text of so many lines, px: below several it would seem to be one more of them.
func (k *rowLook) near(lines int) int {
	if lines > 1 {
		return k.body.size / 12
	}
	return k.body.size / 4
}

// textWidth is how wide a text has to be, px, in so many lines.
func (k *rowLook) textWidth(s string, lines int) int {
	w := k.b.textWidth(k.body, s)
	if lines < 2 {
		return w
	}
	return min(w, w/lines+2*k.body.size) // lines end where words do
}

// typed takes over what the file says of the rows' type.
func (k *rowLook) typed(b *Builder, s *Spec, t *Typed) {
	if t.Style == "" && t.Weight == nil && t.TextSize == 0 {
		return
	}
	k.body = b.typed(s, t, "body")
	heavy := *t
	if heavy.Weight == nil {
		medium := Weight(500)
		heavy.Weight = &medium
	}
	k.strong = b.typed(s, &heavy, "body")
	k.height = max(k.height, k.body.line+k.body.size/4)
	k.measure()
}

// heightOf is how high a row is.
func (k *rowLook) heightOf(r *rowValues, item *RowItem) int {
	lines := max(1, item.Lines)
	if lines == 1 && r.text(partNote) == "" {
		return k.height
	}
	h := k.high(lines) + k.b.px(rowAround) - k.body.size/4
	if r.text(partNote) != "" {
		h += k.note.line
	}
	return max(h, k.height)
}

// onPlate is the color of text on a plate of a color: the one with more contrast.
func (k *rowLook) onPlate(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 128*1000 {
		return k.dark
	}
	return k.bright
}

// listRow is one row of a list. It is made once and filled again.
type listRow struct {
	look *rowLook
	rect image.Rectangle
	item *RowItem
	from rowValues // what is shown

	mark                    *mark
	text, note, value, tail snippet
	badge                   snippet
	block                   *paragraph // a text of several lines, in place of text
	plate, bar, track, line image.Rectangle
	plateCorner, barCorner  *render.Corner
	ink, textInk, iconInk   color.RGBA
	plateInk, onPlate       color.RGBA
	faded, used             bool
	lines                   int // of the text
	buf                     []byte
}

// newRow makes an empty row.
func (k *rowLook) newRow() *listRow {
	b := k.b
	r := &listRow{look: k, mark: b.mark(image.Rectangle{})}
	start, end := b.edgeOf("start"), b.edgeOf("end")
	r.text, r.note = b.snippet(k.body, start), b.snippet(k.note, start)
	r.value, r.tail, r.badge = b.snippet(k.strong, end), b.snippet(k.note, end), b.snippet(k.badge, edgeCenter)
	return r
}

// hide empties the row.
func (r *listRow) hide() { r.used = false }

// shows reports whether the row shows just that.
func (r *listRow) shows(v *rowValues, item *RowItem, rect image.Rectangle) bool {
	return r.used && r.rect == rect && r.item == item && r.from.same(v)
}

// fill shows values in a rectangle of the list.
func (r *listRow) fill(v *rowValues, item *RowItem, word *wording, rect image.Rectangle, now time.Time) {
	k := r.look
	r.used, r.rect, r.item, r.faded = true, rect, item, v.stale
	r.from = *v
	said, _ := r.words(v, word, now)
	r.colors(v, &said)
	r.lines = max(1, item.Lines)
	if before := r.lines; r.lay(v, &said) && r.lines != before {
		r.lay(v, &said) // what is in the row is in its middle
	}
	r.line = image.Rectangle{}
	if v.has[partStrike] && truth(v.v[partStrike]) {
		r.textInk = k.faint
		r.strike()
	}
}

// lay places the parts, for a text of as many lines as were counted, counts them, and reports whether there may be several.
func (r *listRow) lay(v *rowValues, said *shown) bool {
	k, rect := r.look, r.rect
	icon := v.text(partIcon)
	if said.icon != "" {
		icon = said.icon
	}
	inner, text := rect, k.textWidth(v.text(partText), max(1, r.item.Lines))
	if text > 0 && rect.Dx()-k.icon-2*k.gap-r.value.want() < min(3*k.body.size, text) {
		icon = "" // it leaves before the text is cut to a letter
	}
	inner.Min.Y += r.above(v)
	inner.Min.X = r.placeIcon(icon, inner)
	inner.Min.X = r.placeBadge(v.text(partBadge), inner)
	all := inner
	if r.item.Format == "duration" && said.isNum && r.value.want() > inner.Dx()-k.gap-text {
		r.buf = k.b.Locale.AppendRoughDuration(r.buf[:0], lengthOfTime(said.num))
		r.value.set(r.buf)
	}
	if inner.Max.X = r.placeValue(inner, text); len(r.tail.raw) > 0 && text > inner.Dx() {
		r.tail.set(nil) // the unit leaves before the text is cut
		inner.Max.X = r.placeValue(all, text)
	}
	inner.Max.X = r.placeBar(v, said, inner)
	if r.tells(inner.Dx(), text) {
		r.placeText(v, inner)
	} else {
		r.placeText(&rowValues{}, inner)
		all.Min.X = min(all.Min.X, all.Max.X)
		r.placeWhole(all)
	}
	return r.item.Lines > 1
}

// tells reports whether a text that wants to be so wide tells anything in its room, px, or nothing else is there to tell: a plate and
// a value tell enough without it.
func (r *listRow) tells(room, text int) bool {
	switch {
	case room >= r.look.textLeast:
		return true
	case !r.plate.Empty():
		return false
	}
	return len(r.value.raw) == 0 || room >= text
}

// above is how far below the upper edge of the row the first line's part of it begins, px: what is in the row is in its middle.
func (r *listRow) above(v *rowValues) int {
	k := r.look
	all := k.high(r.lines)
	if v.text(partNote) != "" {
		all += k.note.line - k.near(r.lines)
	}
	return max(0, (r.rect.Dy()-all)/2-max(0, (min(r.rect.Dy(), k.height)-k.body.line)/2))
}

// words puts the value and its unit into words.
func (r *listRow) words(v *rowValues, word *wording, now time.Time) (said shown, told bool) {
	said, told = word.entry(v.v[partValue], v.has[partValue])
	unit := ""
	r.buf = r.buf[:0]
	switch {
	case said.none:
		if r.wantsValue() || v.has[partValue] && v.v[partValue] != nil {
			r.buf = append(r.buf, "—"...)
		}
	case told:
		r.buf = append(r.buf, said.text...)
	default:
		r.buf = word.append(r.buf, v.v[partValue], &said, now)
		if said.isNum {
			unit = v.text(partUnit)
		}
	}
	if hugs(unit) {
		r.buf = append(r.buf, unit...)
		unit = ""
	}
	r.value.box, r.tail.box, r.value.face = image.Rectangle{}, image.Rectangle{}, r.look.strong
	r.value.set(r.buf)
	r.buf = append(r.buf[:0], unit...)
	r.tail.set(r.buf)
	return said, told
}

// wantsValue reports whether the row has a value by its file.
func (r *listRow) wantsValue() bool { return r.item.Value != nil || r.item.Entity != nil }

// colors chooses the colors of the parts.
func (r *listRow) colors(v *rowValues, said *shown) {
	k := r.look
	r.ink, r.textInk, r.iconInk = k.text, k.text, k.muted
	own := v.color(k.b, color.RGBA{})
	r.plateInk = k.accent
	switch {
	case own.A == 0:
	case v.text(partBadge) != "":
		r.plateInk = own
	case len(r.value.raw) > 0 || v.text(partIcon) != "":
		r.ink, r.iconInk = own, own
	default:
		r.textInk = own
	}
	if said.color != nil {
		r.ink = render.Premultiply(*said.color)
		r.iconInk = r.ink
	}
	if said.none {
		r.ink = k.muted
	}
	r.onPlate = k.onPlate(r.plateInk)
}

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
	w := min(max(k.badgeWidth, r.badge.want()+k.gap), in.Dx()/3)
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
	w := min(r.value.want(), max(int(float64(in.Dx())*valueShare), end-in.Min.X-k.gap-text))
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
	if r.value.want() > in.Dx() { // smaller rather than cut
		r.value.face = r.look.small
		r.value.layout()
	}
	r.value.place(r.at(max(in.Min.X, in.Max.X-r.value.want()), in.Min.Y, in.Max.X, bottom))
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

// fitBars finds how long the bars of rows are, the same for all, and reports whether that is another length than before.
func (k *rowLook) fitBars(rows []rowValues, items []*RowItem, wide int) bool {
	w := int(float64(wide) * rowBarShare)
	for i := range rows {
		if v := &rows[i]; items[i].Bar {
			room := wide - k.barEnd - k.gap - k.textWidth(v.text(partText), items[i].Lines)
			if v.text(partIcon) != "" {
				room -= k.icon + k.gap
			}
			if unit := v.text(partUnit); unit != "" {
				room -= k.b.textWidth(k.note, unit)
			}
			w = min(w, room)
		}
	}
	if w < int(float64(wide)*rowBarLeast) {
		w = 0
	}
	before := k.barWidth
	k.barWidth = w
	return w != before
}

// placeText puts text and note into what is left.
func (r *listRow) placeText(v *rowValues, in image.Rectangle) {
	k := r.look
	r.buf = append(r.buf[:0], v.text(partText)...)
	note := v.text(partNote)
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

func (r *listRow) paint(c render.Canvas) {
	if !r.used || !c.Sees(r.rect) {
		return
	}
	k := r.look
	ink := func(col color.RGBA) color.RGBA {
		if r.faded {
			return faint(col)
		}
		return col
	}
	r.mark.paint(c, ink(r.iconInk))
	if !r.plate.Empty() {
		c.FillRound(r.plate, r.plateCorner, ink(r.plateInk))
		r.badge.paint(c, r.onPlate)
	}
	if !r.track.Empty() {
		c.FillRound(r.track, r.barCorner, k.track)
		c.FillRound(r.bar, r.barCorner, ink(r.barInk()))
	}
	if r.block != nil {
		r.block.paint(c.In(r.text.box.Add(image.Pt(0, k.drop))), ink(r.textInk))
	} else {
		r.text.paint(c, ink(r.textInk))
	}
	c.Fill(r.line, ink(r.textInk))
	r.note.paint(c, ink(k.muted))
	r.value.paint(c, ink(r.ink))
	r.tail.paint(c, ink(k.muted))
}

// barInk is the color of a bar: that of the value where it has one.
func (r *listRow) barInk() color.RGBA {
	if r.ink == r.look.text {
		return r.look.accent
	}
	return r.ink
}
