package list

import (
	"cmp"
	"image"
	"image/color"
	"strings"
	"unicode/utf8"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// places determines where rows have their notes and bars.
type places struct {
	barWidth int  // common width of all bars in px, 0 if a row has no room for its bar
	under    bool // true if bars are below their texts, because the list is narrow
	noteless bool // true if no row shows its note, because all rows fit only without notes
}

// rowLook holds the faces, colors and lengths that all rows of a list share.
type rowLook struct {
	places
	b                                  *kit.Builder
	faces                                       // faces of texts and values
	bold                               faces    // faces of rows with the key `strong`
	note, badge                        kit.Face // faces of the other parts
	pitch, drop, noteDrop              int      // in px: pitch is the line height, and drop and noteDrop are results of dropOf
	height                             int      // height of a row with one line, in px
	icon, gap, badgeWidth, badgeHeight int      // lengths in px
	bar                                int      // height of the bar, in px
	// distance in px from the end of the bar to the end of the row, without the unit. It leaves room for three digits
	barEnd     int
	textLeast  int // minimum width of a text next to a badge, in px
	smallLeast int // minimum width of a small text, in px
	step       int // number of styles by which the text is larger than usual
	most       int // maximum number of bytes of a text that can be visible on one line
	mirrored   bool
	crowded    bool // true if all rows use small text, because one row needs it
	tight      bool // true if all small values have the smallest text, because one value needs it
	brief      bool // true if all rows show relative times as durations, because one row has no room for the long form
	beside     bool // true if noteless is set and the notes are shown after the texts instead
	wide       int  // width of a row, in px
	stack      bool // true if rows may have two lines of small text. False if the file sets their style, text size or gap
	wrapping
	shrunk                            int  // difference in px between the usual size of texts of several lines and the current size
	values                            int  // widest value with its unit, in px. It is measured before the texts of rows take more lines
	bare                              bool // true if no row shows its icon, because one row has no room for it
	text, muted, faint, track, accent color.RGBA
	dark, bright                      color.RGBA // text colors on badges
}

// Lengths of a row, in px on a screen whose shorter side has 720 px, and shares of its width.
const (
	rowHeight   = 40
	rowGap      = 12
	rowAround   = 18 // sum of the room above and the room below the texts of a row with several lines
	badgeLeast  = 46
	badgeHeight = 28
	badgeRound  = 7
	rowBarShare = 0.35
	rowBarLeast = 0.15
	valueShare  = 0.6 // maximum width of the value, as a share of the row's width
	narrowList  = 10  // width of a list in em. Up to this width, all texts become smaller before one of them is cut
	longLines   = 3   // maximum number of lines of a text, if the file does not set this number
	valueWhole  = 8   // width of a value in em. Up to this width, the value is not cut if two letters of the text fit next to it
)

// Limits for the visible part of a text, in bytes. They assume that each em of width shows two letters. A letter has two bytes, and one
// combining mark of two bytes may follow it.
const (
	maxRowText   = 1024
	leastRowText = 128
	emText       = 8
)

// wrapping determines which parts of rows may take several lines.
type wrapping struct {
	spare spare
	third third
	page  int  // maximum number of lines of a text that may also be smaller, or 0
	alone bool // true if the page has one row, so that smaller text may have more lines
}

// spare selects the parts of rows that may take a second line. A part takes a second line if the list has free height and the part would
// be cut in one line.
type spare uint8

const (
	spareNone  spare = iota
	spareTexts       // texts for which the file does not set the number of lines
	spareNotes       // notes, in addition to spareTexts
)

// third determines whether texts that would be cut on two lines take a third line.
type third uint8

const (
	thirdNone    third = iota
	thirdMore          // in addition to their notes
	thirdInstead       // in place of their notes
)

// newRowLook creates the faces and colors of rows. The parameter `step` is the number of styles by which the text is larger than usual. A
// weight above 0 replaces the weights of texts and values.
func newRowLook(b *kit.Builder, step, weight int) *rowLook {
	plain := cmp.Or(weight, b.Look.Styles["body"].Weight)
	strong := cmp.Or(weight, max(500, plain))
	plate := b.Look.Styles["caption"]
	plate.Weight = 600
	k := &rowLook{
		b: b, note: b.Risen("caption", b.Look.Styles["caption"], step), badge: b.Risen("caption", plate, step), step: step,
		mirrored: b.Locale.RightToLeft, text: b.Role("text"), muted: b.Role("muted"), faint: b.Role("faint"), track: b.Role("line"), accent: b.Role("accent"),
		dark: color.RGBA{11, 15, 22, 255}, bright: color.RGBA{255, 255, 255, 255},
	}
	k.faces = newFaces(b, step, plain, strong)
	k.bold = newFaces(b, step, bolder(strong), bolder(strong))
	k.slim = kit.Face{Font: k.note.Font, Size: k.small.Size, Line: k.small.Line} // thin letters need less room
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

// measure computes the distances between the lines of a text.
func (k *rowLook) measure() {
	k.pitch = k.b.Text.Metrics(k.body.Font, k.body.Size).LineHeight
	k.drop, k.noteDrop = k.dropOf(k.body), k.dropOf(k.note)
}

// dropOf returns the distance in px by which a paragraph must be moved down. Its first baseline then matches the baseline of a snippet at
// the same y. The paragraph and the snippet use the face f.
func (k *rowLook) dropOf(f kit.Face) int {
	m := k.b.Text.Metrics(f.Font, f.Size)
	return (f.Line-m.Ascent-m.Descent)/2 + m.Ascent - (f.Size - m.Descent)
}

// high() returns the height of a text with the given number of lines, in px.
func (k *rowLook) high(lines int) int { return k.body.Line + (lines-1)*k.pitch }

// least() returns the minimum height in px of a row with one line. Rows have this height if they are as close together as possible.
func (k *rowLook) least() int { return min(k.height, k.body.Line+k.body.Size/rowTight) }

// near() returns the distance in px by which a note is moved up toward its text. Below a text of several lines, the distance is smaller, so
// that the note does not look like another line of the text.
func (k *rowLook) near(lines int) int {
	if lines > 1 {
		return k.body.Size / 12
	}
	return min(k.body.Size/4, (k.body.Line-k.body.Size)*5/8)
}

// see() computes how much of a text can be visible in a row of the given width in px.
func (k *rowLook) see(wide int) {
	k.wide = wide
	k.most = min(max(leastRowText, emText*wide/max(1, k.small.Size)), maxRowText)
}

// seen() returns the part of a text that can be visible in the given number of lines.
func (k *rowLook) seen(v *rowValues, part, lines int) string {
	return format.ShortTo(v.raw(part), k.most*max(1, lines))
}

// cut returns the part of a text that can be visible. If this is not the whole text, an ellipsis follows.
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

// textWidth returns the width in px that the text of a row needs if it is broken into the given number of lines.
func (k *rowLook) textWidth(r *rowValues, lines int) int {
	w := k.b.TextWidth(k.of(r).body, k.seen(r, partText, lines))
	if lines < 2 {
		return w
	}
	return min(w, w/lines+2*k.body.Size) // lines break only between words, so a reserve is necessary
}

// typed() applies the text parameters (style, weight and text size) of the file to the rows.
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
	bold := kit.Weight(bolder(int(*heavy.Weight)))
	heavy.Weight = &bold
	k.bold.body = b.Typed(s, &heavy, "body")
	k.bold.strong = k.bold.body
	k.height = max(k.height, k.body.Line+k.body.Size/4)
	k.measure()
}

// heightOf returns the height of a row in px.
func (k *rowLook) heightOf(r *rowValues, item *RowItem) int {
	lines := k.linesOf(r, item)
	if lines == 1 && k.noteOf(r, item) == "" {
		return k.height + k.below(item)
	}
	h := k.high(lines) + k.b.Px(rowAround) - k.body.Size/4
	return max(h+k.noteLines(r, item)*k.note.Line, k.height) + k.below(item)
}

// below returns the height in px of a bar below the texts of a row, with the gap above the bar and additional room below it.
func (k *rowLook) below(item *RowItem) int {
	if !k.under || !item.Bar {
		return 0
	}
	return k.underHigh()
}

func (k *rowLook) underHigh() int { return k.bar + k.gap/3 + k.gap/2 }

// noteOf returns the note of a row, or "" if the note is hidden.
func (k *rowLook) noteOf(r *rowValues, item *RowItem) string {
	if k.noteless || k.third == thirdInstead && item.Lines == 0 && k.mostLines(r, item) >= longLines {
		return ""
	}
	return r.raw(partNote)
}

// long reports whether a text takes a third line.
func (k *rowLook) long(r *rowValues, item *RowItem) bool {
	return k.third != thirdNone && k.textWidth(r, 2) > k.room(r, item)
}

// noteLines returns the number of lines of the note of a row.
func (k *rowLook) noteLines(r *rowValues, item *RowItem) int {
	switch note := k.noteOf(r, item); {
	case note == "":
		return 0
	case k.spare == spareNotes && item.Lines != 1 && k.breaks(k.note, k.seen(r, partNote, 1), r, item):
		return 2
	}
	return 1
}

// mostLines returns the maximum number of lines of the text of a row. If the file does not set this number, the result is usually 1. The
// result is 2 if the list has free height, and the text has several words and does not fit on one line. It is 3 if the text would be cut
// on two lines.
func (k *rowLook) mostLines(r *rowValues, item *RowItem) int {
	if item.Lines != 0 || k.spare == spareNone || item.Bar || !k.breaks(k.of(r).body, k.seen(r, partText, 1), r, item) {
		return max(1, item.Lines)
	}
	if k.long(r, item) {
		return max(longLines, k.page)
	}
	return 2
}

// breaks() reports whether a text of a row does not fit on one line and consists of several words.
func (k *rowLook) breaks(f kit.Face, s string, r *rowValues, item *RowItem) bool {
	return k.b.TextWidth(f, s) > k.room(r, item) && strings.Contains(piece.JoinRanges(s), " ")
}

// room() estimates the width that a row has for its text, in px.
func (k *rowLook) room(r *rowValues, item *RowItem) int {
	room := k.wide
	if r.raw(partIcon) != "" {
		room -= k.icon + k.gap
	}
	if badge := k.seen(r, partBadge, 1); badge != "" {
		room -= max(k.badgeWidth, k.b.TextWidth(k.badge, badge)+k.gap) + k.gap
	}
	if r.raw(partValue) != "" || item.Value != nil {
		room -= k.values + k.gap
	}
	return room
}

// linesOf estimates the number of lines that the text of a row needs. The result is at most the number of lines that the file allows.
func (k *rowLook) linesOf(r *rowValues, item *RowItem) int {
	if item.Lines < 2 || k.wide <= 0 {
		return k.mostLines(r, item)
	}
	if r.raw(partValue) != "" || item.Value != nil {
		return item.Lines // the room is unknown, because the width of the formatted value is unknown
	}
	if k.b.TextWidth(k.of(r).body, k.seen(r, partText, item.Lines)) <= k.room(r, item) {
		return 1
	}
	return item.Lines
}

// state() reports whether a color is the color of a state: good, warn or bad.
func (k *rowLook) state(c color.RGBA) bool {
	return c == k.b.Role("good") || c == k.b.Role("warn") || c == k.b.Role("bad")
}

// onPlate returns the dark or the bright text color for a badge with color c, whichever has more contrast.
func (k *rowLook) onPlate(c color.RGBA) color.RGBA {
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) > 128*1000 {
		return k.dark
	}
	return k.bright
}

// newRow creates a row without content.
func (k *rowLook) newRow() *listRow {
	b := k.b
	r := &listRow{look: k, mark: b.Mark(image.Rectangle{})}
	start, end := b.EdgeOf("start"), b.EdgeOf("end")
	r.text, r.note = piece.NewSnippet(b, k.body, start), piece.NewSnippet(b, k.note, start)
	r.value, r.tail, r.badge = piece.NewSnippet(b, k.strong, end), piece.NewSnippet(b, k.note, end), piece.NewSnippet(b, k.badge, kit.EdgeCenter)
	return r
}

// fitBars computes the common width of all bars. In a narrow list, bars are below their texts if the free height, in px, suffices.
func (k *rowLook) fitBars(rows []rowValues, items []*RowItem, wide, free int) {
	usual := int(float64(wide) * rowBarShare)
	w, bars := usual, 0
	for i := range rows {
		if v := &rows[i]; items[i].Bar {
			bars++
			room := wide - k.barEnd - k.gap - k.textWidth(v, items[i].Lines)
			if v.raw(partIcon) != "" {
				room -= k.icon + k.gap
			}
			if unit := k.seen(v, partUnit, 1); unit != "" {
				room -= k.b.TextWidth(k.note, unit)
			}
			w = min(w, room)
		}
	}
	k.under = bars > 0 && w < usual && bars*k.underHigh() <= free
	if k.barWidth = w; bars == 0 || k.under || w < int(float64(wide)*rowBarLeast) {
		k.barWidth = 0
	}
}
