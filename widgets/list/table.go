package list

import (
	"encoding/json"
	"image"
	"image/color"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/provider"
	"dashboard/provider/live"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/geometry"
	"dashboard/widgets/kit/piece"
)

// TableParams are the parameters of the table widget.
type TableParams struct {
	kit.Framed
	kit.Typed
	// Entries, one for each row: a list, or a program that returns a list.
	Items *config.Live[[]any] `yaml:"items" required:"true"`
	// Columns. Each column shows one value of an entry.
	Columns []TableColumn `yaml:"columns" required:"true" minlen:"1" maxlen:"12"`
	// Titles above the columns.
	Header bool `yaml:"header" default:"true"`
	// Maximum number of rows. Default: as many as fit, at most 50 on a page.
	Limit int `yaml:"limit" min:"1" max:"50"`
	// Time until the next rows are shown, if not all fit, as in the widget list.
	Dwell value.Duration `yaml:"dwell"`
	// Line between rows.
	Divider bool `yaml:"divider" default:"true"`
}

// TableColumn is one column of a table.
type TableColumn struct {
	// Title of the column.
	Title string `yaml:"title"`
	// Value from the entry, such as !data .item.NAME.
	Value *config.Live[value.Plain] `yaml:"value" required:"true"`
	// Position of the values. Default: numbers at the end, texts at the start.
	Align string `yaml:"align" enum:"start,center,end,left,right"`
	// Share of the remaining width, a length, a percentage, or fit. Default: 1.
	Width *value.Track `yaml:"width"`
	// Color of the values.
	Color *config.Live[theme.RoleColor] `yaml:"color"`
	format.Wording
}

// table shows the entries of a list as rows of cells. The rows are created once and then reused.
type table struct {
	b       *kit.Builder
	size    image.Point
	look    *rowLook
	items   provider.Typed[live.Rows]
	columns []tableColumn
	tracks  []geometry.Track
	spans   []geometry.Span
	before  []geometry.Span // spans at the last call of divide
	content func(i int) int

	header       bool
	slots        []tableRow
	limit        int
	limited      bool // true if the file sets a limit
	empty        string
	divider      bool
	rule         color.RGBA
	thick        int
	gap          int // gap between columns, in px
	more         piece.Snippet
	none         *piece.Empty
	left         int
	order        []int  // indexes of the entries, in the order of the rows
	alarms       alarms // number of alarms in the hidden rows
	looked, all  int    // number of entries that the pages show, and number of all entries
	pager        pager
	buf          []byte
	relative     bool
	minute       time.Time
	seen         *provider.Sample
	stale, fresh bool
}

// tableRow is a row of cells.
type tableRow struct {
	cells   []tableCell
	rect    image.Rectangle
	used    bool
	changed bool
}

func buildTable(b *kit.Builder, s *kit.Spec, p *TableParams, size image.Point) render.Widget {
	w := &table{
		b: b, size: size, look: newRowLook(b, 0, 0), empty: p.Empty, divider: p.Divider, rule: b.Role("line"), thick: piece.Hairline(b),
		limit: piece.Looked(p.Limit, p.Dwell > 0), limited: p.Limit > 0, pager: pager{dwell: time.Duration(p.Dwell)}, gap: b.Px(tableGap), fresh: true,
	}
	w.look.typed(b, s, &p.Typed)
	w.look.see(size.X)
	w.ask(s, p)
	for i := range p.Columns {
		w.header = w.header || p.Header && p.Columns[i].Title != ""
	}
	w.header = w.header && w.top()+w.look.height <= size.Y // the header is removed before the only row is cut
	w.content = w.widest
	n := min(w.limit, max(1, (size.Y-w.top())/max(1, w.look.height)))
	w.slots = make([]tableRow, n)
	for i := range w.slots {
		w.slots[i].cells = make([]tableCell, len(w.columns))
		for c := range w.slots[i].cells {
			w.slots[i].cells[c] = w.look.newCell(&w.columns[c])
		}
	}
	w.more = piece.NewSnippet(b, w.look.note, b.EdgeOf("start"))
	w.none = piece.NewEmpty(b, image.Rectangle{Max: size})
	return w
}

// tableGap is the gap between columns, in px on a screen whose shorter side has 720 px.
const tableGap = 16

// ask() requests the rows. For each entry, it runs the programs of all columns.
func (w *table) ask(s *kit.Spec, p *TableParams) {
	var all programs
	w.columns = make([]tableColumn, len(p.Columns))
	for i := range p.Columns {
		c := &p.Columns[i]
		w.columns[i] = newTableColumn(w.b, s, c, &all)
		w.relative = w.relative || c.Format == "relative"
		t := geometry.Track{Share: 1}
		if c.Width != nil {
			if t = arrange.Track(w.b, c.Width.Size); c.Width.Weight > 0 {
				t = geometry.Track{Share: c.Width.Weight}
			}
		}
		w.tracks = append(w.tracks, t)
	}
	w.spans, w.before = make([]geometry.Span, len(w.tracks)), make([]geometry.Span, len(w.tracks))
	w.items = entries(w.b, s, p, all)
	w.b.Asks(w.items.Cell)
}

// entries() requests the rows of a table. It requests them once, even if the table is built several times.
func entries(b *kit.Builder, s *kit.Spec, p *TableParams, all programs) provider.Typed[live.Rows] {
	return rowsOf(b, s, p, p.Items, piece.Looked(p.Limit, p.Dwell > 0), all)
}

// rowsOf requests the results of programs for the entries of a list. It requests at most the first `most` entries. The parameter `of`
// points to the parameters of the widget. For the same pointer, rowsOf requests the results only once.
func rowsOf(b *kit.Builder, s *kit.Spec, of any, items *config.Live[[]any], most int, all programs) provider.Typed[live.Rows] {
	scope := s.ItemScope()
	key := kit.TableKey{Of: of, Scope: scope.Key}
	if c, ok := b.Listed[key]; ok {
		return c
	}
	list := provider.Typed[live.Rows]{Cell: provider.NewCell(nil)}
	code, at := "", s.Pos
	if items.IsLive() {
		code, at = items.Program.Text(), items.Program.Pos()
	} else if data, err := json.Marshal(items.Plain); err == nil { // a constant list in JSON is also a jq program that returns this list
		code = string(data)
	} else {
		s.Errorf("items", "%v", err)
	}
	if b.Sources != nil && !b.Running && code != "" {
		a := s.AskerAt(at)
		a.Fields = all.paths
		if asked, ok := b.Sources.Rows(a, "items", code, most, all.codes, scope.In); ok {
			list = asked
		}
	}
	b.Listed[key] = list
	return list
}

// top() returns the y coordinate at which the rows start.
func (w *table) top() int {
	if !w.header {
		return 0
	}
	return w.look.note.Line + w.look.note.Size/2
}

// Natural implements kit.Sized.
func (w *table) Natural(width int) image.Point {
	rows, _ := w.items.Value(w.seen)
	return image.Pt(width, w.top()+max(1, min(len(rows.List), w.limit))*w.look.height)
}

// Update implements render.Widget.
func (w *table) Update(t render.Tick) {
	s := kit.SampleOf(t, w.items.Cell)
	stale := kit.IsStale(t, s)
	changed := s != w.seen || stale != w.stale || w.fresh
	w.seen, w.stale, w.fresh = s, stale, false
	if minute := t.Now().Truncate(time.Minute); w.relative {
		t.Wake(minute.Add(time.Minute))
		changed = changed || !minute.Equal(w.minute)
		w.minute = minute
	}
	list, _ := w.items.Value(s)
	rows := list.List[:min(len(list.List), w.limit)]
	w.looked = len(rows)
	if w.all = len(rows); !w.limited {
		w.all = max(w.all, list.All)
	}
	w.pager.rest = w.all > len(rows)
	if w.pager.turn(t, len(rows)) || changed {
		w.fill(t, rows)
		w.pager.turn(t, len(rows)) // calls t.Wake if there are several pages now
	}
}

// fill shows the rows of the current page, and damages the changed rows.
func (w *table) fill(t render.Tick, rows []live.Row) {
	n := min(len(rows)-w.pager.from, len(w.slots))
	if w.pager.dwell <= 0 && n < w.all && w.top()+n*w.look.height+w.look.note.Line > w.size.Y && n > 1 {
		n-- // the line with the number of other rows needs the room of the last row
	}
	w.sort(rows, n)
	for i := range w.slots {
		w.slots[i].used = i < n
		if i < n {
			w.slots[i].fill(w, rows[w.order[w.pager.from+i]], t.Now())
		}
	}
	left, shown, hidden := w.left, w.pager.shown, w.alarms.n
	w.pager.shown = n
	w.divide(t)
	for i := range w.slots[:n] {
		r := &w.slots[i]
		r.place(w, i)
		if r.changed {
			t.Damage(r.rect)
		}
	}
	w.tell(w.all, n)
	w.countHidden(rows, n)
	if n != shown || hidden != w.alarms.n || left != w.left || n == 0 {
		t.DamageAll()
	}
}

// divide computes the widths of the columns. If a width changes, it damages the whole table.
func (w *table) divide(t render.Tick) {
	w.share(len(w.columns), false)
	for n := len(w.columns); n > 1 && w.cramped(n); n-- { // first hide units and icons. If this is not enough, also hide the last columns
		if w.share(n, true); w.cramped(n) {
			w.share(n-1, true)
		}
	}
	for i := range w.columns {
		c := &w.columns[i]
		c.box = w.at(w.spans[i], 0, w.top())
		if w.spans[i] != w.before[i] {
			t.DamageAll()
		}
		edge := w.b.EdgeOf("start")
		if c.align != "" {
			edge = w.b.EdgeOf(c.align)
		} else if w.numeric(i) {
			edge = w.b.EdgeOf("end")
		}
		if edge != c.edge {
			c.edge = edge
			t.DamageAll()
		}
		if w.header {
			c.head.Edge = edge
			c.head.Place(image.Rect(c.box.Min.X, 0, c.box.Max.X, w.look.note.Line))
			c.head.Arrange()
		}
	}
	copy(w.before, w.spans)
}

// share() divides the width between the first n columns and hides the other columns. If `bare` is true, cells have no units and no icons.
func (w *table) share(n int, bare bool) {
	for i := range w.columns {
		w.columns[i].bare = bare
	}
	clear(w.spans[n:])
	geometry.DivideInto(w.spans[:n], w.size.X, w.gap, w.tracks[:n], w.content)
}

// cramped() reports whether one of the first n columns is too narrow. A column is too narrow if its content is cut to less than two and a
// half letters. A column whose width is `fit` is too narrow if its content is cut at all.
func (w *table) cramped(n int) bool {
	for i := range n {
		least := w.widest(i)
		if !w.tracks[i].Fit {
			least = min(least, w.look.body.Size*5/2)
		}
		if w.spans[i].Size < least {
			return true
		}
	}
	return false
}

// at() returns the rectangle of a column between y0 and y1. In languages that are written from right to left, the first column is on the
// right.
func (w *table) at(s geometry.Span, y0, y1 int) image.Rectangle {
	x0, x1 := s.At, s.End()
	if w.look.mirrored {
		x0, x1 = w.size.X-x1, w.size.X-x0
	}
	return image.Rect(x0, y0, x1, y1)
}

// numeric() reports whether the first shown value of a column is a number.
func (w *table) numeric(column int) bool {
	for i := range w.slots {
		if c := &w.slots[i].cells[column]; w.slots[i].used && len(c.text.Raw) > 0 && !c.none {
			return c.number
		}
	}
	return false
}

// widest() returns the width in px that the content of a column needs.
func (w *table) widest(column int) int {
	n := 0
	if w.header {
		n = w.columns[column].head.Want()
	}
	for i := range w.slots {
		if w.slots[i].used {
			n = max(n, w.slots[i].cells[column].want())
		}
	}
	return n
}

// tell shows the number of remaining rows or, if there are no rows, the text for an empty table.
func (w *table) tell(rows, n int) {
	w.left, w.buf = 0, w.buf[:0]
	y := w.top() + n*w.look.height
	if rows == 0 {
		y = 0 // without rows, the header is hidden
	}
	box := image.Rect(0, y, w.size.X, min(w.size.Y, y+w.look.height))
	sentence := ""
	switch {
	case rows == 0:
		w.buf = append(w.buf, "—"...)
		if w.seen.Has() && w.seen.Err == nil && w.empty != "" {
			w.buf = append(w.buf[:0], w.empty...)
			if w.none.Roomy() {
				sentence, w.buf = w.empty, w.buf[:0]
			}
		}
	case w.pager.leaves(n, w.looked, rows):
		w.left = rows - w.pager.from - n
		w.buf = piece.AppendLeft(w.b, w.buf, w.left, w.more.Face, box.Dx())
	}
	if box.Dy() < w.more.Face.Size {
		w.buf = w.buf[:0] // no room for the line
	}
	w.none.Say("mdi:check-circle-outline", sentence, "")
	w.more.Set(w.buf)
	w.pager.told = w.left > 0 && len(w.buf) > 0
	w.more.Place(box)
	if len(w.buf) == 0 {
		w.more.Layout()
	}
}

// Paint implements render.Widget.
func (w *table) Paint(c render.Canvas) {
	for i := range w.columns {
		if w.header && w.pager.shown > 0 {
			w.columns[i].head.Paint(c, w.look.muted)
		}
	}
	for i := range w.slots {
		r := &w.slots[i]
		if !r.used || !c.Sees(r.rect) {
			continue
		}
		if w.divider && (i > 0 || w.header) {
			c.Fill(image.Rect(0, r.rect.Min.Y, w.size.X, r.rect.Min.Y+w.thick), w.rule)
		}
		for k := range r.cells {
			r.cells[k].paint(c, w)
		}
	}
	w.more.Paint(c, w.look.muted)
	w.none.Paint(c)
	w.alarms.paint(c, w.b)
}
