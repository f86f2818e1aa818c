package list

import (
	"image/color"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/control"
	"dashboard/provider"
	"dashboard/provider/live"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// RowItem is a row of a list: a configured row, or the form of all entries of a list of values.
type RowItem struct {
	// Icon before the text.
	Icon *config.Live[value.Icon] `yaml:"icon"`
	// Text.
	Text *config.Live[string] `yaml:"text"`
	// Smaller text below the text.
	Note *config.Live[string] `yaml:"note"`
	// Short text on a colored plate before the text, such as a bus number.
	Badge *config.Live[string] `yaml:"badge"`
	// Value at the end of the row.
	Value *config.Live[value.Plain] `yaml:"value"`
	kit.Thing
	format.Wording
	// Color of the badge. Without a badge: color of the value and the icon, or of a text without both. muted and faint also color the text,
	// and good, warn and bad color a text without a value. Next to a good or accent icon, values have the color of texts.
	Color *config.Live[theme.RoleColor] `yaml:"color"`
	// Also shows the value as a bar.
	Bar bool `yaml:"bar" default:"false"`
	// Value of an empty bar. Default: 0.
	Min *config.Live[float64] `yaml:"min"`
	// Value of a full bar. Default: 100.
	Max *config.Live[float64] `yaml:"max"`
	// Strikes the text out: true or false.
	Strike *config.Live[value.Plain] `yaml:"strike"`
	// Condition for bold text, which is never muted or faint. In item, a program that uses .item.
	Strong *value.Condition `yaml:"strong"`
	// Maximum number of lines of the text. Default: up to 3, if there is room.
	Lines int `yaml:"lines" min:"1" max:"4"`
	// Condition for showing the row. In item, a program that uses .item.
	When *value.Condition `yaml:"when"`
	// Action of a tap. 'done' completes or reopens the entry's task, and the row shows the new state.
	OnTap *control.Action `yaml:"on_tap"`
}

// ShortKey implements config.Short. A row that has only a text may be written as a plain text, without the key.
func (*RowItem) ShortKey() string { return "text" }

// Parts of a row that a program can set.
const (
	partIcon = iota
	partText
	partNote
	partBadge
	partValue
	partUnit
	partColor
	partStrike
	partMin
	partMax
	partWhen
	partStrong
	partTask    // id of a task
	partDone    // true if the task is completed
	partWaiting // true if the last change of the task has not reached its source yet
	partProblem // reason why the source rejected the last change of the task
	parts
)

// partNames are the keys of the parts in an entry that has the form of a row.
var partNames = [parts]string{
	"icon", "text", "note", "badge", "value", "unit", "color", "strike", "min", "max", "when", "strong",
	"task", "done", "waiting", "problem",
}

// rowValues holds the current value of each part of a row.
type rowValues struct {
	v     [parts]any
	has   [parts]bool
	stale bool
}

// text() returns the value of a part as text, cut to format.MaxShown bytes.
func (r *rowValues) text(part int) string { return format.Short(r.raw(part)) }

// raw() returns the value of a part as text, which may have any length.
func (r *rowValues) raw(part int) string {
	if !r.has[part] || r.v[part] == nil {
		return ""
	}
	if s, ok := r.v[part].(string); ok {
		return s
	}
	return format.PlainText(r.v[part])
}

// same() reports whether two rows have the same values. It returns false for rows that contain a list or a mapping.
func (r *rowValues) same(other *rowValues) bool {
	if r.has != other.has || r.stale != other.stale {
		return false
	}
	for i := range r.v {
		if !sameValue(r.v[i], other.v[i]) {
			return false
		}
	}
	return true
}

func sameValue(a, b any) bool {
	switch a.(type) {
	case nil, string, bool, int, float64, color.NRGBA, theme.RoleColor:
		return a == b
	}
	return false
}

// color() returns the color of the row. If the row has no color, it returns `otherwise`.
func (r *rowValues) color(b *kit.Builder, otherwise color.RGBA) color.RGBA {
	if !r.has[partColor] || r.v[partColor] == nil {
		return otherwise
	}
	in := kit.Input{Plain: r.v[partColor]}
	return in.Color(b, otherwise)
}

// number() returns the value of a part as a number. If the value is not a number, it returns `otherwise`.
func (r *rowValues) number(part int, otherwise float64) float64 {
	if n, ok := format.NumberOf(r.v[part]); ok && r.has[part] {
		return n
	}
	return otherwise
}

// rowSource provides the rows of a list. They come from the file, or from the entries of a list that a program returns.
type rowSource struct {
	written []writtenRow
	item    *RowItem          // form of all entries
	word    *format.Formatter // formatter for the values of entries
	list    provider.Typed[live.Rows]
	field   [parts]int // for each part, the index of its program, or -1 if the part has no program
	plain   [parts]any // for each part, the value that is the same in all entries, or nil
	seen    *provider.Sample
	stale   bool

	rows  []rowValues         // shown rows, as of the last update
	words []*format.Formatter // formatter of each row
	items []*RowItem          // form of each row
	tall  []bool              // true for each row that has two lines of small text. It has the capacity of `rows`
	came  bool                // true if the list of a program has arrived
	all   int                 // number of all entries, including entries that were not read. 0 if conditions select entries
	own   bool                // true if the entries have the form of a row
}

// writtenRow is a row that the file defines.
type writtenRow struct {
	item *RowItem
	word *format.Formatter
	in   [parts]kit.Input

	when, strong *kit.When
	shown, bold  bool // results of the conditions
}

// rows() creates the source for the parameters `items` and `item`. `most` is the maximum number of rows.
func rows(b *kit.Builder, s *kit.Spec, items *config.Live[[]RowItem], item *RowItem, most int) *rowSource {
	src := &rowSource{}
	if items != nil && items.IsLive() {
		src.follow(b, s, items.Program, item, most)
	} else {
		if item != nil {
			s.Errorf("item", "item is the form of the entries of a list of values: it needs items: !data PROGRAM")
		}
		if items != nil {
			for i := range items.Plain {
				src.written = append(src.written, newWrittenRow(b, s, &items.Plain[i]))
			}
		}
		src.came = true
		most = min(most, len(src.written))
	}
	src.rows, src.words, src.items = make([]rowValues, 0, most), make([]*format.Formatter, 0, most), make([]*RowItem, 0, most)
	src.tall = make([]bool, most)
	return src
}

func newWrittenRow(b *kit.Builder, s *kit.Spec, r *RowItem) writtenRow {
	checkTap(b, s, r, false)
	w := writtenRow{item: r, word: b.Formatter(s, &r.Wording), when: b.When(s, r.When), strong: b.When(s, r.Strong)}
	if r.Icon != nil && !r.Icon.IsLive() {
		b.CheckIcon(s, "icon", r.Icon.Plain)
	}
	w.in = [parts]kit.Input{
		partIcon: kit.InputOf(b, s, r.Icon, kit.IconOf), partText: kit.InputOf(b, s, r.Text, kit.AnyOf[string]), partNote: kit.InputOf(b, s, r.Note, kit.AnyOf[string]),
		partBadge: kit.InputOf(b, s, r.Badge, kit.AnyOf[string]), partValue: kit.InputOf(b, s, r.Value, kit.PlainOf), partUnit: kit.InputOf(b, s, r.Unit, kit.AnyOf[string]),
		partColor: kit.InputOf(b, s, r.Color, kit.ColorOf), partStrike: kit.InputOf(b, s, r.Strike, kit.PlainOf),
		partMin: kit.InputOf(b, s, r.Min, kit.AnyOf[float64]), partMax: kit.InputOf(b, s, r.Max, kit.AnyOf[float64]),
	}
	return w
}

// ownKeys returns the programs for entries that have the form of a row. Such an entry is a text or a mapping with the keys of a row.
func ownKeys() []string {
	all := make([]string, partTask)
	for i, name := range partNames[:partTask] {
		all[i] = ".item | objects | ." + name
	}
	all[partText] = `.item | if type == "object" then .text elif type == "array" then null else . end`
	return all
}

// follow requests the list of a program. Its entries become rows.
func (src *rowSource) follow(b *kit.Builder, s *kit.Spec, list *config.Node, item *RowItem, most int) {
	var all programs
	if item == nil {
		item, src.own = &RowItem{}, true
		all.codes = ownKeys()
		for i := range src.field {
			if src.field[i] = i; i >= partTask {
				src.field[i] = -1 // entries in the form of a row have no task
			}
		}
	} else {
		all = src.template(item)
	}
	checkEntry(s, item)
	src.item, src.word = item, b.Formatter(s, &item.Wording)
	checkTap(b, s, item, true)
	if item.Icon != nil && !item.Icon.IsLive() {
		b.CheckIcon(s, "icon", item.Icon.Plain)
	}
	if src.own || item.When != nil {
		most = max(most, piece.MaxListed) // read more entries than are shown, because conditions may hide some
	}
	scope := s.ItemScope()
	at := kit.LiveKey{At: list, Scope: scope.Key}
	src.list.Cell = b.Cells[at]
	if src.list.Cell == nil {
		src.list.Cell = provider.NewCell(nil)
		if b.Sources != nil && !b.Running {
			a := s.AskerAt(list.Pos())
			a.Fields = all.paths
			if asked, ok := b.Sources.Rows(a, "items", list.Text(), most, all.codes, scope.In); ok {
				src.list = asked
			}
		}
		b.Cells[at] = src.list.Cell
	}
	b.Asks(src.list.Cell)
}

// template() returns the programs of the parts that differ between entries. It stores the parts that are the same in all entries.
func (src *rowSource) template(r *RowItem) (all programs) {
	for i := range src.field {
		src.field[i] = -1
	}
	ask := func(part int, n *config.Node) {
		src.field[part] = all.add(n)
	}
	part(ask, src, partIcon, r.Icon, kit.IconOf)
	part(ask, src, partText, r.Text, kit.AnyOf[string])
	part(ask, src, partNote, r.Note, kit.AnyOf[string])
	part(ask, src, partBadge, r.Badge, kit.AnyOf[string])
	part(ask, src, partValue, r.Value, kit.PlainOf)
	part(ask, src, partUnit, r.Unit, kit.AnyOf[string])
	part(ask, src, partColor, r.Color, kit.ColorOf)
	part(ask, src, partStrike, r.Strike, kit.PlainOf)
	part(ask, src, partMin, r.Min, kit.AnyOf[float64])
	part(ask, src, partMax, r.Max, kit.AnyOf[float64])
	askCondition(ask, partWhen, r.When)
	askCondition(ask, partStrong, r.Strong)
	src.taskTemplate(r, &all)
	return all
}

// part() stores the constant value of part i of a row. If the part has a program, it calls the function `ask` instead.
func part[T any](ask func(int, *config.Node), src *rowSource, i int, l *config.Live[T], plain func(T) any) {
	switch {
	case l == nil:
	case l.IsLive():
		ask(i, l.Program)
	default:
		src.plain[i] = plain(l.Plain)
	}
}

// update updates the rows and reports whether they may have changed.
func (src *rowSource) update(t render.Tick) bool {
	if src.list.Cell == nil {
		return src.updateWritten(t)
	}
	s := kit.SampleOf(t, src.list.Cell)
	stale := kit.IsStale(t, s)
	if s == src.seen && stale == src.stale {
		return false
	}
	src.seen, src.stale = s, stale
	rows, _ := src.list.Value(s)
	list := rows.List
	src.came = s.Has() && (list != nil || s.Err == nil)
	src.clear()
	if src.all = rows.All; src.item.When != nil {
		src.all = 0
	}
	for i := range list {
		if src.hides(list[i]) {
			src.all = 0
		} else if len(src.rows) < cap(src.rows) {
			src.add(list[i], stale)
		}
	}
	return true
}

// hides() reports whether the condition of an entry hides the entry.
func (src *rowSource) hides(row live.Row) bool {
	f := src.field[partWhen]
	if f < 0 || f >= len(row) {
		return false
	}
	v := row[f]
	if src.own { // an entry without the key `when` is shown
		return v.Err == nil && v.Value != nil && !kit.Truth(v.Value)
	}
	return src.item.When != nil && !kit.Truth(v.Value)
}

func (src *rowSource) clear() {
	src.rows, src.words, src.items = src.rows[:0], src.words[:0], src.items[:0]
}

// add adds the row of one entry.
func (src *rowSource) add(row live.Row, stale bool) {
	n := len(src.rows)
	src.rows, src.words, src.items = src.rows[:n+1], append(src.words, src.word), append(src.items, src.item)
	r := &src.rows[n]
	r.stale = stale
	for part, f := range src.field {
		r.v[part], r.has[part] = src.plain[part], src.plain[part] != nil
		if f >= 0 && f < len(row) {
			r.v[part], r.has[part] = row[f].Value, row[f].Err == nil
		}
	}
	if ticks(src.item) {
		r.showTask()
	}
}

func (src *rowSource) updateWritten(t render.Tick) (changed bool) {
	for i := range src.written {
		w := &src.written[i]
		for part := range w.in {
			changed = w.in[part].Update(t) || changed
		}
		shown, bold := w.when.Holds(t), w.strong != nil && w.strong.Holds(t)
		changed = changed || shown != w.shown || bold != w.bold
		w.shown, w.bold = shown, bold
	}
	if !changed {
		return false
	}
	src.clear()
	for i := range src.written {
		if src.written[i].shown && len(src.rows) < cap(src.rows) {
			src.addWritten(&src.written[i])
		}
	}
	return true
}

func (src *rowSource) addWritten(w *writtenRow) {
	n := len(src.rows)
	src.rows, src.words, src.items = src.rows[:n+1], append(src.words, w.word), append(src.items, w.item)
	r := &src.rows[n]
	r.stale = false
	for part := range w.in {
		r.v[part], r.has[part] = w.in[part].Value()
		r.stale = r.stale || w.in[part].Stale
	}
	r.v[partStrong], r.has[partStrong] = w.bold, w.bold
}
