package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/render"
)

// forEntry is the widget as it is built for one more entry: what is wrong with it has been told of the first.
func (s *Spec) forEntry() *Spec {
	c := *s
	quiet := func(string, string, ...any) {}
	c.parent, c.scope, c.Errorf, c.Warnf, c.Tolerate = nil, nil, quiet, quiet, quiet
	c.Children = nil
	for _, k := range s.Children {
		c.Children = append(c.Children, k.forEntry())
	}
	if s.Item != nil {
		c.Item = s.Item.forEntry()
	}
	return &c
}

// widgetList is one widget below another, each made of the same and showing its entry of a list. All are built once.
type widgetList struct {
	b        *Builder
	size     image.Point
	kids     []*child
	count    input // entries of the list
	high     int   // px, of one
	gap      int
	divider  bool
	rules    []image.Rectangle
	rule     color.RGBA
	thick    int
	more     snippet
	note     face
	muted    color.RGBA
	empty    string
	pager    pager
	at       []int // of the entries that are shown, at the last arrangement
	limit    int   // most entries
	chosen   bool  // by their conditions
	arranged bool
	buf      []byte
}

// defaultEntries is how many entries share the height where a widget has none of its own.
const defaultEntries = 4

// maxNested is how many lists of widgets may lie in each other: each may have MaxListed widgets.
const maxNested = 2

func buildWidgetList(b *Builder, s *Spec, p *ListParams, size image.Point) render.Widget {
	if p.Items == nil || !p.Items.IsLive() {
		s.Errorf("item", "a widget says what each entry of a list of values is shown as: it needs items: !data PROGRAM")
		return nil
	}
	scope := s.itemScope()
	if len(scope.in) >= maxNested {
		s.Errorf("item", "lists whose entries are widgets go %d deep; write the keys of a row here", maxNested)
		return nil
	}
	w := &widgetList{
		b: b, size: size, gap: b.px(b.Look.Sizes.Gap), divider: p.Divider && b.Look.Ink, rule: b.role("line"), thick: max(1, b.px(b.Look.Sizes.Line)),
		note: b.face("caption"), muted: b.role("muted"), empty: p.Empty, pager: pager{dwell: time.Duration(p.Dwell)},
	}
	if p.Gap != nil {
		w.gap = b.written(*p.Gap)
	}
	items := p.Items.Program.Text()
	if b.Programs != nil && !b.running {
		key := liveKey{p.Items.Program, scope.key}
		if cell, ok := b.cells[key]; ok {
			w.count.cell = cell
		} else if cell, ok := b.ask(s.askerAt(p.Items.Program.Pos()), "items", "("+items+") | length", scope); ok {
			w.count.cell, b.cells[key] = cell, cell
		}
	}
	b.asks(w.count.cell)
	w.make(s, p, items)
	w.more = b.snippet(w.note, b.edgeOf("start"))
	return w
}

// make builds the widgets: as many as fit, or may come in turn.
func (w *widgetList) make(s *Spec, p *ListParams, items string) {
	first := w.entry(s, s.Item, items, 0, w.size)
	w.high = w.height(first, p)
	w.limit, w.chosen = MaxListed, first.common.When != nil
	if p.Limit > 0 {
		w.limit = min(w.limit, p.Limit)
	}
	n := min(w.limit, max(1, (w.size.Y+w.gap)/(w.high+w.gap)))
	if w.pager.dwell > 0 {
		n = w.limit
	}
	if w.chosen {
		n = MaxListed
	}
	each := image.Pt(w.size.X, w.high)
	w.b.move(first, image.Rectangle{Max: each})
	w.kids = append(w.kids, first)
	for i := 1; i < n; i++ {
		w.kids = append(w.kids, w.entry(s, s.Item.forEntry(), items, i, each))
	}
	w.at, w.rules = make([]int, 0, n), make([]image.Rectangle, 0, n)
}

// entry builds the widget of one entry.
func (w *widgetList) entry(s, spec *Spec, items string, index int, size image.Point) *child {
	spec.parent = s
	if spec.scope == nil {
		spec.scope = s.itemScope().within(items, index)
	}
	k := &child{spec: spec, within: w.b.within, size: size, shown: true}
	k.widget = w.b.Build(spec, size)
	k.common = w.b.common(spec)
	return k
}

// height is how high each widget is: as it says, as its content is, or a share of the room.
func (w *widgetList) height(k *child, p *ListParams) int {
	high := 0
	if s := k.common.Size; s != nil {
		switch t := w.b.track(s.Width); {
		case t.Percent > 0:
			high = int(float64(w.size.Y) * t.Percent / 100)
		case t.Length > 0:
			high = t.Length
		}
	}
	if high == 0 {
		high = k.natural(w.size.X).Y
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

// natural implements sized.
func (w *widgetList) natural(width int) image.Point {
	n := max(1, w.entries())
	return image.Pt(width, n*(w.high+w.gap)-w.gap)
}

// entries is how many of the list are looked at: where conditions choose, up to the last one that is wanted.
func (w *widgetList) entries() int {
	if !w.chosen {
		return min(w.all(), w.limit)
	}
	last, n := 0, 0
	for i, k := range w.kids[:min(w.all(), len(w.kids))] {
		if k.shown && n < w.limit {
			last, n = i+1, n+1
		}
	}
	return last
}

// all is how many entries the list has.
func (w *widgetList) all() int {
	n, _ := w.count.number()
	return int(min(n, maxEntries))
}

// maxEntries bounds how many entries a list is said to have.
const maxEntries = 1e9

// Update implements render.Widget.
func (w *widgetList) Update(t render.Tick) {
	changed := w.count.update(t) || !w.arranged
	changed = refreshAll(t, w.kids) || changed
	rows := w.entries()
	if w.pager.turn(t, rows) || changed {
		w.arrange(t, rows)
		w.pager.turn(t, rows) // asks to be woken where there are pages now
	}
	updateAll(t, w.kids)
}

// arrange places the widgets of the present page.
func (w *widgetList) arrange(t render.Tick, rows int) {
	before := len(w.at)
	w.arranged, w.at, w.rules = true, w.at[:0], w.rules[:0]
	y, same, last := 0, true, w.pager.from
	for i, k := range w.kids {
		r := image.Rect(0, y, w.size.X, y+w.high)
		if i < w.pager.from || i >= rows || !k.shown || r.Max.Y > w.size.Y && y > 0 {
			r = image.Rectangle{}
		}
		same = same && r == k.rect
		if k.rect = r; r.Empty() {
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

// tell shows how many entries are left, or what stands for none, and reports whether that is as before.
func (w *widgetList) tell(rows, last, y int) bool {
	w.buf = w.buf[:0]
	switch {
	case rows == 0:
		w.buf = append(w.buf, "—"...)
		if _, came := w.count.value(); came && w.empty != "" {
			w.buf = append(w.buf[:0], w.empty...)
		}
	case w.pager.dwell <= 0 && w.beyond(last, rows) > 0:
		if w.size.Y-y < w.note.line && len(w.at) > 1 { // the last one gives way
			last = w.at[len(w.at)-1]
			y = w.kids[last].rect.Min.Y
			w.kids[last].rect = image.Rectangle{}
			w.at = w.at[:len(w.at)-1]
			w.rules = w.rules[:min(len(w.rules), max(0, len(w.at)-1))]
		}
		w.buf = w.b.appendLeft(w.buf, w.beyond(last, rows), w.note, w.size.X)
	}
	if w.size.Y-y < w.note.size {
		w.buf = w.buf[:0]
	}
	w.more.place(image.Rect(0, y, w.size.X, min(w.size.Y, y+w.note.line)))
	same := string(w.more.raw) == string(w.buf)
	w.more.raw = w.more.raw[:0]
	w.more.set(w.buf)
	if len(w.buf) == 0 {
		w.more.layout()
	}
	return same
}

// beyond is how many entries from one on are wanted but have no room; without a limit or a condition those, too, that are not looked at.
func (w *widgetList) beyond(from, rows int) (n int) {
	for i := from; i < rows; i++ {
		if i >= len(w.kids) || w.kids[i].shown {
			n++
		}
	}
	if w.limit < MaxListed || w.chosen {
		return n
	}
	return n + max(0, w.all()-max(from, rows))
}

// Paint implements render.Widget.
func (w *widgetList) Paint(c render.Canvas) {
	paintAll(c, w.kids)
	for _, r := range w.rules {
		c.Fill(r, w.rule)
	}
	w.more.paint(c, w.muted)
}

func (w *widgetList) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return reachAll(p, w.kids, each)
}
