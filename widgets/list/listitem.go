package list

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
	"dashboard/widgets/arrange"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// forEntry returns a copy of a widget's spec for another entry. The copy reports no errors, because the widget of the first entry has
// already reported them.
func forEntry(s *kit.Spec) *kit.Spec {
	c := *s
	quiet := func(string, string, ...any) {}
	c.Parent, c.Scope, c.Errorf, c.Warnf, c.Tolerate = nil, nil, quiet, quiet, quiet
	c.Children = nil
	for _, k := range s.Children {
		c.Children = append(c.Children, forEntry(k))
	}
	if s.Item != nil {
		c.Item = forEntry(s.Item)
	}
	return &c
}

// widgetList shows one widget for each entry of a list, one below the other. All widgets are built once.
type widgetList struct {
	b        *kit.Builder
	size     image.Point
	kids     []*kit.Child
	count    kit.Input // number of entries in the list
	high     int       // height of each widget, in px
	gap      int
	divider  bool
	rules    []image.Rectangle
	rule     color.RGBA
	thick    int
	more     piece.Snippet
	note     kit.Face
	muted    color.RGBA
	empty    string
	pager    pager
	at       []int // indexes of the entries that are shown now
	limit    int   // maximum number of entries
	chosen   bool  // true if the entry's widget has a condition in the key `when`
	arranged bool
	buf      []byte
}

// defaultEntries is the number of entries that share the list's height, if the entry's widget has no height and the key `limit` is missing.
const defaultEntries = 4

// maxNested is the maximum nesting depth of lists with widgets. Each list may have MaxListed widgets, so deeper nesting would create too
// many widgets.
const maxNested = 2

func buildWidgetList(b *kit.Builder, s *kit.Spec, p *ListParams, size image.Point) render.Widget {
	if p.Items == nil || !p.Items.IsLive() {
		s.Errorf("item", "a widget is the form of the entries of a list of values: it needs items: !data PROGRAM")
		return nil
	}
	scope := s.ItemScope()
	if len(scope.In) >= maxNested {
		s.Errorf("item", "lists whose entries are widgets go %d deep; write the keys of a row here", maxNested)
		return nil
	}
	w := &widgetList{
		b: b, size: size, gap: b.Px(b.Look.Sizes.Gap), divider: p.Divider && b.Look.Ink, rule: b.Role("line"), thick: piece.Hairline(b),
		note: b.Face("caption"), muted: b.Role("muted"), empty: p.Empty, pager: pager{dwell: time.Duration(p.Dwell)},
	}
	if p.Gap != nil {
		w.gap = b.Written(*p.Gap)
	}
	items := p.Items.Program.Text()
	if b.Programs != nil && !b.Running {
		key := kit.LiveKey{At: p.Items.Program, Scope: scope.Key}
		if cell, ok := b.Cells[key]; ok {
			w.count.Cell = cell
		} else if cell, ok := b.Ask(s.AskerAt(p.Items.Program.Pos()), "items", "("+items+") | length", scope); ok {
			w.count.Cell, b.Cells[key] = cell, cell
		}
	}
	b.Asks(w.count.Cell)
	w.make(s, p, items)
	w.more = piece.NewSnippet(b, w.note, b.EdgeOf("start"))
	return w
}

// make builds the widgets. It builds as many widgets as fit or, for a list with pages, as many as all pages show. If a condition selects
// the entries, it builds MaxListed widgets.
func (w *widgetList) make(s *kit.Spec, p *ListParams, items string) {
	first := w.entry(s, s.Item, items, 0, w.size)
	w.high = w.height(first, p)
	w.limit, w.chosen = piece.MaxListed, first.Common.When != nil
	if p.Limit > 0 {
		w.limit = min(w.limit, p.Limit)
	}
	n := min(w.limit, max(1, (w.size.Y+w.gap)/(w.high+w.gap)))
	if w.pager.dwell > 0 {
		n = w.limit
	}
	if w.chosen {
		n = piece.MaxListed
	}
	each := image.Pt(w.size.X, w.high)
	w.b.Move(first, image.Rectangle{Max: each})
	w.kids = append(w.kids, first)
	for i := 1; i < n; i++ {
		w.kids = append(w.kids, w.entry(s, forEntry(s.Item), items, i, each))
	}
	w.at, w.rules = make([]int, 0, n), make([]image.Rectangle, 0, n)
}

// entry() builds the widget for the entry with an index.
func (w *widgetList) entry(s, spec *kit.Spec, items string, index int, size image.Point) *kit.Child {
	spec.Parent = s
	if spec.Scope == nil {
		spec.Scope = s.ItemScope().Within(items, index)
	}
	k := &kit.Child{Spec: spec, Within: w.b.Within, Size: size, Shown: true}
	k.Widget = w.b.Build(spec, size)
	k.Common = w.b.Common(spec)
	return k
}

// height() returns the height of each widget in px. This is the configured size, otherwise the height of its content, otherwise an equal
// share of the list's height.
func (w *widgetList) height(k *kit.Child, p *ListParams) int {
	high := 0
	if s := k.Common.Size; s != nil {
		switch t := arrange.Track(w.b, s.Width); {
		case t.Percent > 0:
			high = int(float64(w.size.Y) * t.Percent / 100)
		case t.Length > 0:
			high = t.Length
		}
	}
	if high == 0 {
		high = k.Natural(w.size.X).Y
	}
	if high == 0 {
		n := defaultEntries
		if p.Limit > 0 {
			n = p.Limit
		}
		high = (w.size.Y - (n-1)*w.gap) / n
	}
	return max(1, min(high, w.size.Y))
}

// Natural implements kit.Sized.
func (w *widgetList) Natural(width int) image.Point {
	n := max(1, w.entries())
	return image.Pt(width, n*(w.high+w.gap)-w.gap)
}

// entries() returns the index after the last list entry that pages may show. Without conditions, this is the number of entries, up to the
// limit. With conditions, hidden entries do not count towards the limit.
func (w *widgetList) entries() int {
	if !w.chosen {
		return min(w.all(), w.limit)
	}
	last, n := 0, 0
	for i, k := range w.kids[:min(w.all(), len(w.kids))] {
		if k.Shown && n < w.limit {
			last, n = i+1, n+1
		}
	}
	return last
}

// all() returns the number of entries in the list.
func (w *widgetList) all() int {
	n, _ := w.count.Number()
	return int(min(n, maxEntries))
}

// maxEntries is the largest number of entries that is reported. A list with more entries counts as this number.
const maxEntries = 1e9

// Update implements render.Widget.
func (w *widgetList) Update(t render.Tick) {
	changed := w.count.Update(t) || !w.arranged
	changed = kit.RefreshAll(t, w.kids) || changed
	rows := w.entries()
	w.pager.rest = w.beyond(rows, rows) > 0
	if w.pager.turn(t, rows) || changed {
		w.arrange(t, rows)
		w.pager.turn(t, rows) // calls t.Wake if there are several pages now
	}
	kit.UpdateAll(t, w.kids)
}

// arrange places the widgets of the current page.
func (w *widgetList) arrange(t render.Tick, rows int) {
	before := len(w.at)
	w.arranged, w.at, w.rules = true, w.at[:0], w.rules[:0]
	y, same, last := 0, true, w.pager.from
	for i, k := range w.kids {
		r := image.Rect(0, y, w.size.X, y+w.high)
		if i < w.pager.from || i >= rows || !k.Shown || r.Max.Y > w.size.Y && y > 0 {
			r = image.Rectangle{}
		}
		same = same && r == k.Rect
		if k.Rect = r; r.Empty() {
			continue
		}
		if w.divider && len(w.at) > 0 {
			w.rules = append(w.rules, image.Rect(0, y-(w.gap+w.thick)/2, w.size.X, y-(w.gap+w.thick)/2+w.thick))
		}
		w.at, y, last = append(w.at, i), y+w.high+w.gap, i+1
	}
	same = w.tell(rows, last, y) && same
	w.pager.shown = last - w.pager.from
	if !same || before != len(w.at) {
		t.DamageAll()
	}
}

// tell shows the number of remaining entries or, if there are no entries, the text for an empty list. It reports whether the text stayed
// the same.
func (w *widgetList) tell(rows, last, y int) bool {
	w.buf = w.buf[:0]
	switch {
	case rows == 0:
		w.buf = append(w.buf, "—"...)
		if _, came := w.count.Value(); came && w.empty != "" {
			w.buf = append(w.buf[:0], w.empty...)
		}
	case w.pager.dwell > 0 && (last < rows || w.limit < piece.MaxListed): // no text, because there is another page or a limit
	case w.beyond(last, rows) > 0:
		if w.pager.dwell <= 0 && w.size.Y-y < w.note.Line && len(w.at) > 1 { // the line needs the room of the last widget
			last = w.at[len(w.at)-1]
			y = w.kids[last].Rect.Min.Y
			w.kids[last].Rect = image.Rectangle{}
			w.at = w.at[:len(w.at)-1]
			w.rules = w.rules[:min(len(w.rules), max(0, len(w.at)-1))]
		}
		w.buf = piece.AppendLeft(w.b, w.buf, w.beyond(last, rows), w.note, w.size.X)
	}
	if w.size.Y-y < w.note.Size {
		w.buf = w.buf[:0]
	}
	w.pager.told = rows > 0 && len(w.buf) > 0
	w.more.Place(image.Rect(0, y, w.size.X, min(w.size.Y, y+w.note.Line)))
	same := string(w.more.Raw) == string(w.buf)
	w.more.Raw = w.more.Raw[:0]
	w.more.Set(w.buf)
	if len(w.buf) == 0 {
		w.more.Layout()
	}
	return same
}

// beyond() returns the number of entries that do not fit. The parameter `from` is the index of the first such entry, and `rows` is the end
// index. Entries that a condition hides do not count. Without a limit and without conditions, entries after the end index also count.
func (w *widgetList) beyond(from, rows int) (n int) {
	for i := from; i < rows; i++ {
		if i >= len(w.kids) || w.kids[i].Shown {
			n++
		}
	}
	if w.limit < piece.MaxListed || w.chosen {
		return n
	}
	return n + max(0, w.all()-max(from, rows))
}

// Paint implements render.Widget.
func (w *widgetList) Paint(c render.Canvas) {
	kit.PaintAll(c, w.kids)
	for _, r := range w.rules {
		c.Fill(r, w.rule)
	}
	w.more.Paint(c, w.muted)
}

// Reach implements kit.Holder.
func (w *widgetList) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return kit.ReachAll(p, w.kids, each)
}
