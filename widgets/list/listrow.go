package list

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// listRow is a row of a list. The rows are created once and then reused.
type listRow struct {
	look *rowLook
	rect image.Rectangle
	item *RowItem
	from rowValues // values that the row shows

	mark                    *kit.Mark
	text, note, value, tail piece.Snippet
	badge                   piece.Snippet
	block, noteBlock        *piece.Paragraph // paragraphs for a text and a note of several lines. They replace the snippets
	most, noteMost          int              // maximum number of lines of the text and of the note
	plate, bar, track       image.Rectangle
	line, over              image.Rectangle // lines through the text and the value of a row that is struck out
	plateCorner, barCorner  *render.Corner
	ink, textInk, iconInk   color.RGBA
	plateInk                color.RGBA
	faded, used             bool
	stacks                  bool   // true if the row needs two lines, because its text would be cut to a few letters
	lost                    bool   // true if the unit has no room
	tight                   bool   // true if the value would only fit in the smallest text
	needs                   bool   // true if the row only fits in small text
	ousts                   bool   // true if the text is only cut because the row has an icon
	lengthy                 bool   // true if the text is cut because of a time such as "in 6 min"
	own                     string // icon for an alarm, shown if the row has no other icon
	lines                   int    // number of lines of the text
	long                    int    // width in px of a relative time that is shown in its brief form
	buf                     []byte
}

// hide marks the row as empty.
func (r *listRow) hide() { r.used = false }

// fit() replaces a number that has no room by a shorter form, because a number that is cut would look like another number.
func (r *listRow) fit(word *format.Formatter, said *format.Shown) {
	c := &r.value
	if room := c.Box.Dx(); room <= 0 || !word.IsNumber(said) || c.Want() <= room {
		return
	}
	number, hug, _ := strings.Cut(string(c.Raw), "°")
	if hug != "" || strings.HasSuffix(string(c.Raw), "°") {
		hug = "°"
	}
	short := *said
	short.Text = number
	text, _ := word.Fitting(nil, &short, func(text []byte) bool {
		return r.look.b.TextWidth(c.Face, string(text)+hug) <= c.Box.Dx()
	})
	c.Set(append(text, hug...))
}

// shows() reports whether the row already shows these values in this rectangle.
func (r *listRow) shows(v *rowValues, item *RowItem, rect image.Rectangle) bool {
	return r.used && r.rect == rect && r.item == item && r.from.same(v)
}

// fill shows values in a rectangle of the list.
func (r *listRow) fill(v *rowValues, item *RowItem, word *format.Formatter, rect image.Rectangle, now time.Time) {
	k := r.look
	r.used, r.rect, r.item, r.faded = true, rect, item, v.stale
	r.from = *v
	said, _ := r.words(v, word, now)
	r.text.Dress(k.of(v).body)
	r.colors(v, &said)
	r.most, r.noteMost = k.mostLines(v, item), k.noteLines(v, item)
	r.lines = r.most
	r.abridge(v, now)
	if before := r.lines; r.lay(v, &said) && r.lines != before {
		r.lay(v, &said) // again, because the number of lines has changed and determines the vertical position
	}
	if r.calm() {
		r.ink = k.text
	}
	r.fit(word, &said)
	r.line, r.over = image.Rectangle{}, image.Rectangle{}
	if v.has[partStrike] && kit.Truth(v.v[partStrike]) {
		r.textInk, r.ink, r.iconInk = k.faint, k.faint, k.faint
		r.line, r.over = r.strike(&r.text), r.strike(&r.value)
	}
}

// lay places the parts of the row, for a text of r.lines lines, and then counts the lines. It reports whether the text may have several
// lines.
func (r *listRow) lay(v *rowValues, said *format.Shown) bool {
	k, rect := r.look, r.rect
	if r.stacks = r.stackable(v); r.stacks {
		r.needs, r.ousts = true, false
		r.placeStack(v)
		return false
	}
	icon := v.text(partIcon)
	if said.Icon != "" {
		icon = said.Icon
	} else if icon == "" {
		icon = r.own
	}
	inner, text := rect, k.textWidth(v, r.most)
	r.ousts = icon != "" && r.crowds(v, text)
	if k.bare || text > 0 && rect.Dx()-k.icon-2*k.gap-r.value.Want() < min(3*k.body.Size, text) {
		icon = "" // the icon is removed before the text is cut to one letter
	}
	inner.Min.Y += r.above(v)
	inner.Min.X = r.placeIcon(icon, inner)
	inner.Min.X = r.placeBadge(k.seen(v, partBadge, 1), inner)
	all := inner
	r.lengthy = r.item.Format == "relative" && text > inner.Dx()-k.gap-max(r.long, r.value.Want())
	if r.item.Format == "duration" && said.IsNum && r.value.Want() > inner.Dx()-k.gap-text {
		r.buf = k.b.Locale.AppendRoughDuration(r.buf[:0], format.LengthOfTime(said.Num))
		r.value.Set(r.buf)
	}
	if inner.Max.X = r.placeValue(inner, text); len(r.tail.Raw) > 0 && text > inner.Dx() {
		r.tail.Set(nil) // the unit is removed before the text is cut
		r.lost = true
		inner.Max.X = r.placeValue(all, text)
	}
	inner.Max.X = r.placeBar(v, said, inner)
	r.needs = !r.tells(inner.Dx(), text) || r.cutsValue() || r.squeezes(inner.Dx(), all.Dx(), text)
	all.Min.X = min(all.Min.X, all.Max.X)
	switch {
	case r.needs && r.placeSign(v, said):
	case (r.needs || k.crowded) && r.placeSmall(v, all):
	case !r.needs:
		r.placeText(v, inner)
	default:
		r.placeText(&rowValues{}, inner)
		r.placeWhole(all)
	}
	return r.most > 1
}

// abridge shows only the duration of a relative time, such as "6 min", if the field `brief` of the look is true. It stores the width of
// the long form, in px.
func (r *listRow) abridge(v *rowValues, now time.Time) {
	k := r.look
	at, ok := k.b.TimeOf(v.v[partValue])
	if r.long = 0; r.item.Format != "relative" || !k.brief || !ok {
		return
	}
	if away := at.Sub(now).Abs(); away >= time.Minute {
		r.long = r.value.Want()
		r.buf = k.b.Locale.AppendRoughDuration(r.buf[:0], away)
		r.value.Set(r.buf)
	}
}

// crowds() reports whether the text is only cut because the row has an icon. `text` is the width of the complete text in px.
func (r *listRow) crowds(v *rowValues, text int) bool {
	k := r.look
	room := r.rect.Dx()
	if value := r.value.Want(); value > 0 {
		room -= value + k.gap
	}
	if unit := r.tail.Want(); unit > 0 {
		room -= unit + k.body.Size/4
	}
	return v.raw(partBadge) == "" && !r.item.Bar && text <= room && text > room-k.icon-k.gap
}

// squeezes() reports whether, in a narrow list, the text would be cut but fits next to the value in small text. `room` is the width for the
// text, `all` is the width for the text and the value, and `text` is the width of the complete text. All widths are in px.
func (r *listRow) squeezes(room, all, text int) bool {
	k, value := r.look, r.value.Face
	narrow := narrowList
	if !r.plate.Empty() {
		narrow = narrowBoard // the badge takes a part of the width
	}
	if text <= room || r.most > 1 || k.barWidth > 0 || !r.small() || k.wide > narrow*k.body.Size {
		return false
	}
	r.value.Face = r.smallValue()
	all -= k.b.TextWidth(k.of(&r.from).small, k.seen(&r.from, partText, 1))
	if r.value.Want() > 0 {
		all -= r.value.Want() + k.gap/2
	}
	r.value.Face = value
	return all >= 0
}

// cutsValue reports whether the value does not fit, although it is short and must not be cut.
func (r *listRow) cutsValue() bool {
	want := r.value.Want()
	return want > r.value.Box.Dx() && want <= r.look.body.Size*valueWhole
}

// tells() reports whether a width is enough to show the text in a useful way. `room` is this width, and `text` is the width of the complete
// text, both in px. If a text must be cut to a few letters, it is useful only in a row without a badge and without a value.
func (r *listRow) tells(room, text int) bool {
	switch {
	case room >= r.look.textLeast:
		return true
	case !r.plate.Empty():
		return false
	}
	return len(r.value.Raw) == 0 || room >= text
}

// above() returns the distance of the first line from the top of the row in px. The content of the row is vertically centered.
func (r *listRow) above(v *rowValues) int {
	k := r.look
	return max(0, (r.rect.Dy()-r.content(v))/2-max(0, (min(r.rect.Dy(), k.height)-k.body.Line)/2))
}

// content returns the height of the text, the note and a bar below them, in px.
func (r *listRow) content(v *rowValues) int {
	k := r.look
	all := k.high(r.lines)
	if k.below(r.item) > 0 {
		all += k.bar + k.gap/3
	}
	if k.noteOf(v, r.item) != "" {
		all += max(1, r.noteMost)*k.note.Line - k.near(r.lines)
	}
	return all
}

// words() formats the value and sets the texts of the value and the unit.
func (r *listRow) words(v *rowValues, word *format.Formatter, now time.Time) (said format.Shown, told bool) {
	said, told = word.Entry(v.v[partValue], v.has[partValue])
	said.Told = told
	unit := ""
	r.buf = r.buf[:0]
	switch {
	case said.None:
		if r.wantsValue() || v.has[partValue] && v.v[partValue] != nil {
			r.buf = append(r.buf, "—"...)
		}
	case told:
		r.buf = append(r.buf, said.Text...)
	default:
		r.buf = word.Append(r.buf, v.v[partValue], &said, now)
		if said.IsNum {
			unit = r.look.seen(v, partUnit, 1)
		}
	}
	if piece.Hugs(unit) {
		r.buf = append(r.buf, unit...)
		unit = ""
	}
	r.lost = false
	r.value.Box, r.tail.Box, r.value.Face = image.Rectangle{}, image.Rectangle{}, r.look.of(v).strong
	r.buf = r.look.cut(r.buf)
	r.value.Set(r.buf)
	r.buf = append(r.buf[:0], unit...)
	r.tail.Set(r.buf)
	return said, told
}

// wantsValue reports whether the file sets a value for the row.
func (r *listRow) wantsValue() bool { return r.item.Value != nil || r.item.Entity != nil }

// colors() sets the colors of the parts.
func (r *listRow) colors(v *rowValues, said *format.Shown) {
	k := r.look
	r.ink, r.textInk, r.iconInk, r.own = k.text, k.text, k.muted, ""
	own := v.color(k.b, color.RGBA{})
	if v.bold() && (own == k.muted || own == k.faint) {
		own = color.RGBA{} // bold text stands out
	}
	r.plateInk = k.accent
	switch {
	case own.A == 0:
	case v.raw(partBadge) != "":
		r.plateInk = own
	case len(r.value.Raw) > 0 || v.raw(partIcon) != "":
		r.ink, r.iconInk = own, own
		if own == k.muted || own == k.faint || len(r.value.Raw) == 0 && k.state(own) {
			r.textInk = own
		}
	default:
		r.textInk = own
	}
	if own.A > 0 && v.raw(partBadge) == "" && (said.IsNum || len(r.value.Raw) == 0) {
		r.own = k.b.SignIn(v.v[partColor])
	}
	if said.Color != nil {
		r.ink = render.Premultiply(*said.Color)
		r.iconInk = r.ink
		if r.own = k.b.Sign(said); r.own == "" || said.Icon != "" || !said.IsNum {
			r.own = ""
		}
	}
	if said.None {
		r.ink = k.muted
	}
}

// calm reports whether only the icon has the color of the value: a color that needs no attention. Otherwise, good values would distract
// from bad values.
func (r *listRow) calm() bool {
	k := r.look
	return r.mark.Name != "" && r.iconInk == r.ink && r.track.Empty() && (r.ink == k.b.Role("good") || r.ink == k.accent) && !k.b.Look.Ink
}

func (r *listRow) paint(c render.Canvas) {
	if !r.used || !c.Sees(r.rect) {
		return
	}
	k := r.look
	ink := func(col color.RGBA) color.RGBA {
		if r.faded {
			return k.b.Old(col)
		}
		return col
	}
	shape := func(col color.RGBA) color.RGBA {
		if r.faded {
			return kit.Faint(col)
		}
		return col
	}
	r.mark.Paint(c, ink(r.iconInk))
	if !r.plate.Empty() {
		c.FillRound(r.plate, r.plateCorner, ink(r.plateInk))
		r.badge.Paint(c, k.onPlate(ink(r.plateInk)))
	}
	if !r.track.Empty() {
		c.FillRound(r.track, r.barCorner, k.track)
		c.FillRound(r.bar, r.barCorner, shape(r.barInk()))
	}
	if r.block != nil {
		r.block.Paint(c.In(r.text.Box.Add(image.Pt(0, k.drop))), ink(r.textInk))
	} else {
		r.text.Paint(c, ink(r.textInk))
	}
	c.Fill(r.line, ink(r.textInk))
	c.Fill(r.over, ink(r.textInk))
	if r.noteMost > 1 {
		r.noteBlock.Paint(c.In(r.note.Box.Add(image.Pt(0, k.noteDrop))), ink(k.muted))
	} else {
		r.note.Paint(c, ink(k.muted))
	}
	r.value.Paint(c, ink(r.ink))
	r.tail.Paint(c, ink(k.muted))
}

// barInk returns the color of the bar: the color of the value or, if the value has no color, the accent color.
func (r *listRow) barInk() color.RGBA {
	if r.ink == r.look.text {
		return r.look.accent
	}
	return r.ink
}
