package list

import (
	"bytes"
	"image"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/live"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// DeparturesParams are the parameters of the departures widget.
type DeparturesParams struct {
	kit.Framed
	kit.Typed
	// Departures: mappings with the keys line, destination and at (Unix seconds or ISO 8601), and optionally expected, platform, color and
	// cancelled. Such lists come from gtfs providers and transport.rest servers: !data .NAME.departures. Default color: line.color, or the
	// color of line.product.
	Items *config.Live[[]any] `yaml:"items" required:"true"`
	// Alert below the departures, such as !data .NAME.alerts[0].title.
	Alert *config.Live[string] `yaml:"alert"`
	// Lines to show, such as U4. Default: all lines.
	Lines []string `yaml:"lines" maxlen:"20"`
	// Form of the times: minutes left or the time of day. auto shows minutes for departures within an hour.
	Times string `yaml:"times" default:"auto" enum:"auto,minutes,clock"`
	// Platform after the destination, if there is room.
	Platform bool `yaml:"platform" default:"true"`
	// Walking time, shown in the title line. Departures within this time are hidden.
	Walk value.Duration `yaml:"walk" default:"0" max:"7200"`
	// Maximum number of rows. Default: as many as fit.
	Limit int `yaml:"limit" min:"1" max:"50"`
}

// maxDepartures is the maximum number of list entries that are read.
const maxDepartures = 100

// Indexes of the programs that run for each departure. Their results have the same indexes.
const (
	departLine = iota
	departTo
	departAt
	departExpected
	departPlatform
	departColor
	departCancelled
)

var departPrograms = [...]string{
	departLine:     `.item.line | if type == "object" then .name end | if . == null then "" else tostring end`,
	departTo:       ".item | .direction // .destination",
	departAt:       ".item | .at // .plannedWhen",
	departExpected: ".item | .expected // .when // .at // .plannedWhen",
	departPlatform: `.item.platform | if . == null then "" else tostring end`,
	departColor: `.item | .color // (.line | if type == "object" then (.color | if type == "object" then .bg else . end) // ` +
		`{subway: "series1", tram: "series2", suburban: "series3", bus: "series4"}[.product // "" | tostring] else null end)`,
	departCancelled: ".item.cancelled == true",
}

// departures shows rows of departures. The rows are created once and then reused.
type departures struct {
	b      *kit.Builder
	size   image.Point
	look   *rowLook
	figure kit.Face // face of the minutes
	items  provider.Typed[live.Rows]
	p      *DeparturesParams

	rows   []departRow
	shown  int
	pitch  int // distance between the tops of two rows, in px
	high   int // height of a row, in px
	form   boardForm
	tight  bool // true if the rows are closer together than usual, with small destinations below their badges
	want   int  // number of rows that a board with enough room would have
	ideal  int  // height in px that a row would have on a board with enough room
	rule   int  // thickness of the line between two rows, in px
	badge  int  // common width of the badges, in px
	gap    int  // gap between the parts of a row, in px
	alert  kit.Input
	mark   *kit.Mark
	notice piece.Snippet
	empty  piece.Snippet
	none   *piece.Empty
	walk   kit.State // time to walk to the stop, for the title line
	buf    []byte
	said   []byte // text of the alert
	seen   *provider.Sample
	minute time.Time
	stale  bool
}

func buildDepartures(b *kit.Builder, s *kit.Spec, p *DeparturesParams, size image.Point) render.Widget {
	w := &departures{
		b: b, size: size, look: newRowLook(b, 0, 0), p: p, alert: kit.InputOf(b, s, p.Alert, kit.AnyOf[string]),
		mark: b.Mark(image.Rectangle{}), rule: piece.Hairline(b), empty: piece.NewSnippet(b, b.Face("body"), kit.EdgeCenter),
	}
	w.look.typed(b, s, &p.Typed)
	w.look.see(size.X)
	w.figure = w.look.strong
	if p.Style == "" && p.TextSize == 0 && size.X >= bigBoard*w.look.body.Size {
		w.figure = b.Risen("body", b.Look.Styles["body"], 1)
	}
	w.notice = piece.NewSnippet(b, w.look.note, b.EdgeOf("start"))
	w.empty.Place(image.Rectangle{Max: size})
	w.none = piece.NewEmpty(b, image.Rectangle{Max: size})
	w.items = rowsOf(b, s, p, p.Items, maxDepartures, programs{codes: departPrograms[:]})
	b.Asks(w.items.Cell)
	w.high, w.ideal, w.form = w.look.height, w.look.height, boardForms[0]
	n := max(1, size.Y/max(1, w.high))
	if p.Limit > 0 {
		n = min(n, p.Limit)
	}
	w.rows = make([]departRow, n)
	for i := range w.rows {
		w.rows[i] = w.newRow()
	}
	return w
}

// Natural implements kit.Sized.
func (w *departures) Natural(width int) image.Point {
	high := max(1, w.want) * w.ideal
	if len(w.said) > 0 {
		high += w.look.height
	}
	return image.Pt(width, high)
}

// Update implements render.Widget.
func (w *departures) Update(t render.Tick) {
	s := kit.SampleOf(t, w.items.Cell)
	stale := kit.IsStale(t, s)
	minute := t.Now().Truncate(time.Minute)
	changed := w.alert.Update(t)
	changed = s != w.seen || stale != w.stale || !minute.Equal(w.minute) || changed
	t.Wake(minute.Add(time.Minute))
	if !changed {
		return
	}
	w.seen, w.stale, w.minute = s, stale, minute
	before := w.Natural(0)
	if w.fill(t); w.Natural(0) != before {
		t.Wake(t.Now()) // containers have already read the old height, so they must be updated again
	}
}

// fill shows the next departures and, below them, the alert.
func (w *departures) fill(t render.Tick) {
	list, _ := w.items.Value(w.seen)
	w.said = w.look.cut(append(w.said[:0], w.alert.Text()...))
	text := w.said
	w.high = w.look.height
	shown := w.choose(t, list.List, w.room(len(text) > 0))
	form, badge := w.form, w.badge
	shown, w.ideal = w.fit(shown, len(text) > 0)
	if pitch := w.spread(shown, len(text) > 0); shown != w.shown || pitch != w.pitch || form != w.form || badge != w.badge {
		w.shown, w.pitch = shown, pitch
		t.DamageAll()
	}
	for i := range w.rows[:shown] {
		if w.rows[i].place(w, i) {
			t.Damage(w.rows[i].rect)
		}
	}
	if w.tell(text) {
		t.DamageAll()
	}
}

// room() returns the number of rows that fit. If there is no free room for an alert, the alert replaces the last row.
func (w *departures) room(alert bool) int {
	n := min(len(w.rows), max(1, w.size.Y/max(1, w.high)))
	if alert && n > 1 && n*w.high+w.look.note.Line > w.size.Y {
		n--
	}
	return n
}

// hides() reports whether one of the first n rows has no room for its destination next to the badge.
func (w *departures) hides(n int) bool {
	for i := range w.rows[:n] {
		r := &w.rows[i]
		if x, end, _ := r.beside(w); r.hides(w, end-x) {
			return true
		}
	}
	return false
}

// spread returns the distance between the tops of n rows. Free room is divided between the rows, but each row gets at most half of its
// height. If the file sets the style or the text size, rows get no free room.
func (w *departures) spread(n int, alert bool) int {
	high := w.high
	free := w.size.Y - n*high
	if alert {
		free -= w.look.height
	}
	if n == 0 || free <= 0 || w.p.Style != "" || w.p.TextSize > 0 {
		return high
	}
	return high + min(free/n, int(growPitch*float64(high)))
}

// choose fills the rows with the departures that a person can still reach. The way to the stop takes the time in the key `walk`. choose
// sorts the departures by expected time and returns their number. It sets w.want to the number of rows that a board with enough room
// would have.
func (w *departures) choose(t render.Tick, list []live.Row, room int) int {
	n := 0
	soonest := t.Now().Add(time.Duration(w.p.Walk)).Truncate(time.Minute)
	w.want = 0
	for i, row := range list {
		if m, ok := w.momentOf(row, i); ok && !m.at.Before(soonest) && w.wants(row) {
			w.want++
		}
	}
	w.want = min(w.want, piece.Looked(w.p.Limit, false))
	var last moment
	for n < room {
		best, at := -1, moment{}
		for i, row := range list {
			m, ok := w.momentOf(row, i)
			if !ok || m.at.Before(soonest) || n > 0 && !last.before(m) || best >= 0 && !m.before(at) || !w.wants(row) {
				continue
			}
			best, at = i, m
		}
		if best < 0 {
			break
		}
		w.rows[n].set(w, list[best], at.at, t.Now())
		last, n = at, n+1
	}
	return n
}

// A moment is the sort key of a departure. It consists of the expected time and the index in the list.
type moment struct {
	at    time.Time
	index int
}

func (m moment) before(o moment) bool {
	return m.at.Before(o.at) || m.at.Equal(o.at) && m.index < o.index
}

// momentOf returns the sort key of departure i.
func (w *departures) momentOf(row live.Row, i int) (moment, bool) {
	at, ok := w.b.TimeOf(row[departExpected].Value)
	return moment{at, i}, ok && row[departExpected].Err == nil
}

// wants() reports whether the departure's line is selected in the file.
func (w *departures) wants(row live.Row) bool {
	line, _ := row[departLine].Value.(string)
	return len(w.p.Lines) == 0 || slices.Contains(w.p.Lines, line)
}

// measure computes a common width for the badges of the first n rows, so that the destinations start at the same x coordinate. `least` is
// the width at which the badges are as narrow as their texts. Both widths are in px.
func (w *departures) measure(n int) (wide, least int) {
	times := 0
	for i := range w.rows[:n] {
		times = max(times, w.rows[i].time.Want()+w.rows[i].unit.Want())
		if r := &w.rows[i]; len(r.line.Raw) > 0 {
			least = max(least, r.line.Want()+w.look.badge.Size/2)
			wide = max(wide, w.look.badgeWidth, least)
		}
	}
	// In a narrow card, the line is more important than the destination, and the time is more important than the line.
	most := max(0, w.size.X-times-w.look.gap/2)
	return min(max(min(wide, w.size.X/3), least), most), min(least, most)
}

// tell shows the alert or, if there are no departures, the text for an empty list. It reports whether a text or icon changed.
func (w *departures) tell(alert []byte) bool {
	k := w.look
	top := w.shown * w.pitch
	box := image.Rect(0, top, w.size.X, min(w.size.Y, top+k.height))
	icon := ""
	if box.Dy() < k.note.Line {
		alert = alert[:0]
	}
	if len(alert) > 0 {
		icon = "mdi:alert-outline"
	}
	changed := w.mark.Set(icon)
	side := k.note.Size * 5 / 4
	at := image.Rect(box.Min.X, box.Min.Y+(box.Dy()-side)/2, box.Min.X+side, box.Min.Y+(box.Dy()+side)/2)
	w.mark.Place(w.b.Mirrored(at, w.size.X))
	box.Min.X += side + k.note.Size/2
	changed = w.notice.Set(alert) || changed
	w.notice.Place(w.b.Mirrored(box, w.size.X))
	text, sentence := "", ""
	if w.shown == 0 && len(alert) == 0 {
		text = "—"
		if w.seen.Has() && w.seen.Err == nil && w.p.Empty != "" {
			text = w.p.Empty
			if w.none.Roomy() {
				text, sentence = "", text
			}
		}
	}
	changed = w.none.Say("mdi:bus-clock", sentence, "") || changed
	w.buf = append(w.buf[:0], text...)
	return w.empty.Set(w.buf) || changed
}

// Paint implements render.Widget.
func (w *departures) Paint(c render.Canvas) {
	for i := range w.rows[:w.shown] {
		w.rows[i].paint(c, w)
		if i > 0 {
			c.Fill(image.Rect(0, i*w.pitch, w.size.X, i*w.pitch+w.rule), w.look.track)
		}
	}
	w.mark.Paint(c, w.b.Role("warn"))
	w.notice.Paint(c, w.look.text)
	w.empty.Paint(c, w.look.muted)
	w.none.Paint(c)
}

// bigBoard is a width in em. From this width on, the unit after the minutes is smaller than the number.
const bigBoard = narrowBoard

// split divides the text for the remaining minutes into the number and the unit. The unit is drawn smaller. If the board is narrow, or if
// the text is not a number with one unit, split returns the whole text as the number.
func (w *departures) split(said []byte) (number, unit []byte) {
	n := 0
	for n < len(said) && said[n] >= '0' && said[n] <= '9' {
		n++
	}
	rest := bytes.TrimLeft(said[n:], " \u00a0\u202f")
	first, _ := utf8.DecodeRune(rest)
	word := n > 0 && unicode.IsLetter(first) && !bytes.ContainsFunc(rest, unicode.IsDigit)
	if word && w.size.X >= bigBoard*w.look.body.Size {
		return said[:n], rest
	}
	return said, nil
}

// narrowBoard is a width in em. Below this width, minutes are written in a short form.
const narrowBoard = 14

// appendTime appends the time of a departure: the remaining minutes or the time of day.
func (w *departures) appendTime(dst []byte, at, now time.Time) []byte {
	left := at.Truncate(time.Minute).Sub(now.Truncate(time.Minute))
	minutes := w.p.Times == "minutes" || w.p.Times == "auto" && left < time.Hour
	switch {
	case minutes && w.size.X < narrowBoard*w.look.body.Size: // the short form 7′ needs less room than 7 min
		return append(w.b.Locale.AppendNumber(dst, max(0, left.Minutes()), 0, false), "′"...)
	case minutes && left <= 0:
		return append(dst, w.b.Locale.Say(locale.Now)...)
	case minutes:
		return w.b.Locale.AppendDuration(dst, left)
	}
	return w.b.Locale.Append(dst, at.In(now.Location()), locale.Time)
}
