package widgets

import (
	"image"
	"image/color"
	"unicode/utf8"
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
	smallLeast                         int  // px, below which a small text leaves
	most                               int  // bytes of a text that can be seen in one line
	mirrored                           bool
	crowded                            bool // a row needs small type, so that all have it
	bare                               bool // a row has no room for its icon, so that none has one
	text, muted, faint, track, accent  color.RGBA
	dark, bright                       color.RGBA // text on plates
}

// Lengths of a row, px at a shorter side of 720 px, and the share of its width that a bar has.
const (
	rowHeight   = 40
	rowGap      = 12
	rowAround   = 18 // above and below the texts of higher rows, together
	badgeLeast  = 46
	badgeHeight = 28
	badgeRound  = 7
	rowBarShare = 0.35
	rowBarLeast = 0.15
	valueShare  = 0.6 // most of a row's width that its value takes
	valueWhole  = 8   // em: values up to this width stand whole where the text beside them has room for two letters
)

// How much of a text of a row is drawn, bytes: what is beyond it cannot be seen. An em has two letters of two bytes each in it, and
// two marks on them.
const (
	maxRowText   = 1024
	leastRowText = 128
	emText       = 8
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
	k.textLeast = 5 * k.body.size / 2
	k.smallLeast = k.small.size * 7 / 4
	k.most = maxRowText
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

// see bounds texts by what can be seen of them in a row so wide, px.
func (k *rowLook) see(wide int) {
	k.most = min(max(leastRowText, emText*wide/max(1, k.small.size)), maxRowText)
}

// seen is what can be seen of a part of a row in so many lines.
func (k *rowLook) seen(v *rowValues, part, lines int) string {
	return shortTo(v.raw(part), k.most*max(1, lines))
}

// cut takes off a text what cannot be seen of it.
func (k *rowLook) cut(text []byte) []byte {
	if len(text) <= k.most {
		return text
	}
	n := k.most
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return append(text[:n], ellipsis...)
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
	if lines == 1 && r.raw(partNote) == "" {
		return k.height
	}
	h := k.high(lines) + k.b.px(rowAround) - k.body.size/4
	if r.raw(partNote) != "" {
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

// newRow makes an empty row.
func (k *rowLook) newRow() *listRow {
	b := k.b
	r := &listRow{look: k, mark: b.mark(image.Rectangle{})}
	start, end := b.edgeOf("start"), b.edgeOf("end")
	r.text, r.note = b.snippet(k.body, start), b.snippet(k.note, start)
	r.value, r.tail, r.badge = b.snippet(k.strong, end), b.snippet(k.note, end), b.snippet(k.badge, edgeCenter)
	return r
}

// fitBars finds how long the bars of rows are, the same for all, and reports whether that is another length than before.
func (k *rowLook) fitBars(rows []rowValues, items []*RowItem, wide int) bool {
	w := int(float64(wide) * rowBarShare)
	for i := range rows {
		if v := &rows[i]; items[i].Bar {
			room := wide - k.barEnd - k.gap - k.textWidth(k.seen(v, partText, items[i].Lines), items[i].Lines)
			if v.raw(partIcon) != "" {
				room -= k.icon + k.gap
			}
			if unit := k.seen(v, partUnit, 1); unit != "" {
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
