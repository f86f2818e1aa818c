package list

import (
	"image"
	"image/color"
	"unicode/utf8"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// rowLook is what all rows of a list are drawn with.
type rowLook struct {
	b                                  *kit.Builder
	body, strong, note, badge, small   kit.Face // small is for values that have no room otherwise
	pitch, drop                        int      // px: between lines of a text, and between the first line and a snippet's
	height                             int      // px, of a row of one line
	icon, gap, badgeWidth, badgeHeight int      // px
	bar                                int      // px, high
	barEnd                             int      // px, from the end of a row, its unit not counted: the room of three digits
	barWidth                           int      // px, of the bars of all rows; 0 if one of them has no room
	textLeast                          int      // px, below which a text next to a badge leaves
	smallLeast                         int      // px, below which a small text leaves
	step                               int      // styles that it is larger than usual
	most                               int      // bytes of a text that can be seen in one line
	mirrored                           bool
	crowded                            bool // a row needs small type, so that all have it
	bare                               bool // a row has no room for its icon, so that no row has one
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
	valueWhole  = 8   // em: values up to this width are complete if the text next to them has room for two letters
)

// How much of a row's text is drawn, bytes: the rest is invisible. An em holds two letters of two bytes each, and two
// marks on them.
const (
	maxRowText   = 1024
	leastRowText = 128
	emText       = 8
)

// newRowLook makes the faces and colors of rows, some styles larger than usual.
func newRowLook(b *kit.Builder, step int) *rowLook {
	strong := b.Look.Styles["body"]
	strong.Weight = max(500, strong.Weight)
	plate := b.Look.Styles["caption"]
	plate.Weight = 600
	k := &rowLook{
		b: b, body: b.Risen("body", b.Look.Styles["body"], step), strong: b.Risen("body", strong, step),
		note: b.Risen("caption", b.Look.Styles["caption"], step), badge: b.Risen("caption", plate, step), step: step,
		mirrored: b.Locale.RightToLeft, text: b.Role("text"), muted: b.Role("muted"), faint: b.Role("faint"), track: b.Role("line"), accent: b.Role("accent"),
		dark: color.RGBA{11, 15, 22, 255}, bright: color.RGBA{255, 255, 255, 255},
	}
	small := b.Look.Styles["label"]
	small.Weight = strong.Weight
	k.small = b.Risen("label", small, step)
	by := float64(k.body.Size) / float64(b.Face("body").Size)
	k.icon, k.gap, k.bar = b.Px(piece.RowIcon*by), b.Px(rowGap*by), b.Px(piece.BarHeight*by)
	k.badgeWidth, k.badgeHeight = b.Px(badgeLeast*by), b.Px(badgeHeight*by)
	k.barEnd = b.TextWidth(k.strong, "100") + k.body.Size/4 + k.gap
	k.height = max(b.Px(rowHeight*by), k.body.Line+k.body.Size/4)
	k.textLeast = 5 * k.body.Size / 2
	k.smallLeast = k.small.Size * 7 / 4
	k.most = maxRowText
	k.badgeHeight = max(k.badgeHeight, k.badge.Line)
	k.measure()
	return k
}

// measure finds the places of lines of the body below each other.
func (k *rowLook) measure() {
	m := k.b.Text.Metrics(k.body.Font, k.body.Size)
	k.pitch = m.LineHeight
	k.drop = (k.body.Line-m.Ascent-m.Descent)/2 + m.Ascent - (k.body.Size - m.Descent)
}

// high is how high a text of this many lines is, px.
func (k *rowLook) high(lines int) int { return k.body.Line + (lines-1)*k.pitch }

// near is the distance by which a note rises to its text of this many lines, px: below several lines it would seem to
// be one more of them.
func (k *rowLook) near(lines int) int {
	if lines > 1 {
		return k.body.Size / 12
	}
	return k.body.Size / 4
}

// see bounds texts to the part visible in a row of that width, px.
func (k *rowLook) see(wide int) {
	k.most = min(max(leastRowText, emText*wide/max(1, k.small.Size)), maxRowText)
}

// seen is the visible part of a row's text in that many lines.
func (k *rowLook) seen(v *rowValues, part, lines int) string {
	return kit.ShortTo(v.raw(part), k.most*max(1, lines))
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
	return append(text[:n], kit.Ellipsis...)
}

// textWidth is the width that a text needs in this many lines, px.
func (k *rowLook) textWidth(s string, lines int) int {
	w := k.b.TextWidth(k.body, s)
	if lines < 2 {
		return w
	}
	return min(w, w/lines+2*k.body.Size) // lines end where words do
}

// typed takes over the file's parameters of the rows' type.
func (k *rowLook) typed(b *kit.Builder, s *kit.Spec, t *kit.Typed) {
	if t.Style == "" && t.Weight == nil && t.TextSize == 0 {
		return
	}
	k.body = b.Typed(s, t, "body")
	heavy := *t
	if heavy.Weight == nil {
		medium := kit.Weight(500)
		heavy.Weight = &medium
	}
	k.strong = b.Typed(s, &heavy, "body")
	k.height = max(k.height, k.body.Line+k.body.Size/4)
	k.measure()
}

// heightOf is how high a row is.
func (k *rowLook) heightOf(r *rowValues, item *RowItem) int {
	lines := max(1, item.Lines)
	if lines == 1 && r.raw(partNote) == "" {
		return k.height
	}
	h := k.high(lines) + k.b.Px(rowAround) - k.body.Size/4
	if r.raw(partNote) != "" {
		h += k.note.Line
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
	r := &listRow{look: k, mark: b.Mark(image.Rectangle{})}
	start, end := b.EdgeOf("start"), b.EdgeOf("end")
	r.text, r.note = piece.NewSnippet(b, k.body, start), piece.NewSnippet(b, k.note, start)
	r.value, r.tail, r.badge = piece.NewSnippet(b, k.strong, end), piece.NewSnippet(b, k.note, end), piece.NewSnippet(b, k.badge, kit.EdgeCenter)
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
				room -= k.b.TextWidth(k.note, unit)
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
