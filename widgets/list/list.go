package list

import (
	"image"
	"image/color"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// ListParams are the parameters of the list widget.
type ListParams struct {
	kit.Framed
	kit.Typed
	// Rows, or a program that returns a list of values.
	Items *config.Live[[]RowItem] `yaml:"items" required:"true"`
	// Template for the row of each value. Default: each value is a text, or a mapping with the keys of a row. The template may be a widget
	// whose programs use .item.
	Item *RowItem `yaml:"item"`
	// Maximum number of rows. Hidden entries do not count. A last line such as "+3 more" does not count entries beyond this maximum.
	// Default: as many as fit, at most 50 on a page.
	Limit int `yaml:"limit" min:"1" max:"50"`
	// Time until the next rows are shown, if not all fit. All pages together show the first 300 entries, or 50 if item is a widget. The last
	// page shows the number of further entries.
	Dwell value.Duration `yaml:"dwell"`
	// Line between rows of values.
	Divider bool `yaml:"divider" default:"true"`
	// Gap between rows. Default: 0, or the theme's gap if item is a widget.
	Gap *value.Length `yaml:"gap"`
}

// List shows rows one below the other.
type List struct {
	b       *kit.Builder
	size    image.Point
	src     *rowSource
	look    *rowLook
	slots   []*listRow
	rules   []image.Rectangle
	more    piece.Snippet // text such as "+3 more", or, if there are no rows, the text for an empty list
	none    *piece.Empty
	left    int    // number of rows that the text in `more` counts
	alarms  alarms // number of hidden rows with an alarm
	empty   string
	gap     int
	limited bool // true if the file sets a limit
	growth  growth

	divider, divided bool
	relative         bool      // true if a text depends on the clock
	minute           time.Time // minute for which the texts that depend on the clock are shown
	rule             color.RGBA
	thick            int
	pager            pager
	buf              []byte
}

// pager selects the rows for the current page of a list.
type pager struct {
	dwell time.Duration
	since time.Time
	from  int  // index of the first row on the page
	shown int  // number of rows on the page
	rest  bool // true if the list has entries that no page shows
	told  bool // true if the page shows how many entries remain
}

// turn moves to the next page when the time of the key `dwell` has passed. It reports whether the page changed, and calls t.Wake for the
// next change.
func (p *pager) turn(t render.Tick, rows int) bool {
	if p.from >= rows {
		p.from, p.since = 0, t.Now()
	}
	if p.dwell <= 0 || rows <= p.shown && p.from == 0 || p.shown == 0 {
		return false
	}
	if p.since.IsZero() || t.Now().Before(p.since) {
		p.since = t.Now()
	}
	turned := !t.Now().Before(p.since.Add(p.dwell))
	if turned {
		p.since = t.Now()
		p.from = p.next(rows)
	}
	t.Wake(p.since.Add(p.dwell))
	return turned
}

// leaves() reports whether the number of remaining rows is shown on a page with n rows. A list without pages shows this number if rows
// remain. A list with pages shows it only on the last page.
func (p *pager) leaves(n, rows, all int) bool {
	if p.dwell <= 0 {
		return n < all
	}
	return p.from+n >= rows && rows < all
}

// next() returns the index of the first row on the next page. `rows` is the number of all rows.
func (p *pager) next(rows int) int {
	at := p.from + p.shown
	switch {
	case at >= rows && p.rest && !p.told && p.shown > 1:
		return rows - p.shown + 1 // the line with the number of remaining entries takes the room of one row
	case at >= rows:
		return 0
	}
	return min(at, rows-p.shown) // the last page starts early enough to have as many rows as the current page
}

func buildList(b *kit.Builder, s *kit.Spec, p *ListParams, size image.Point) render.Widget {
	if s.Item != nil {
		return buildWidgetList(b, s, p, size)
	}
	limit := piece.Looked(p.Limit, p.Dwell > 0)
	w := &List{
		b: b, size: size, src: rows(b, s, p.Items, p.Item, limit), look: newRowLook(b, 0, 0), empty: p.Empty, divider: p.Divider,
		rule: b.Role("line"), thick: piece.Hairline(b), limited: p.Limit > 0, pager: pager{dwell: time.Duration(p.Dwell)},
	}
	if p.Gap != nil {
		w.gap = b.Written(*p.Gap)
	}
	w.look.typed(b, s, &p.Typed)
	w.look.see(size.X)
	w.grows(p)
	n := min(limit, piece.MaxListed, max(1, (size.Y+w.gap)/max(1, w.look.least()+w.gap)))
	if w.src.written != nil {
		n = min(n, len(w.src.written))
	}
	for range n {
		w.slots = append(w.slots, w.look.newRow())
	}
	w.rules = make([]image.Rectangle, 0, n)
	w.more = piece.NewSnippet(b, w.look.note, b.EdgeOf("start"))
	w.none = piece.NewEmpty(b, image.Rectangle{Max: size})
	w.relative = p.Item != nil && p.Item.Format == "relative"
	for _, r := range w.src.written {
		w.relative = w.relative || r.item.Format == "relative"
	}
	return w
}

// Natural implements kit.Sized.
func (w *List) Natural(width int) image.Point {
	h, k := 0, w.look
	if len(w.growth.looks) > 0 {
		k = &w.growth.looks[0]
	}
	for i := range w.src.rows {
		if h += k.heightOf(&w.src.rows[i], w.src.items[i]) + w.gap; w.src.tall[i] {
			h += max(0, k.tall()-k.height)
		}
	}
	return image.Pt(width, max(k.height, h-w.gap))
}

// Update implements render.Widget.
func (w *List) Update(t render.Tick) {
	changed := w.src.update(t)
	if minute := t.Now().Truncate(time.Minute); w.relative {
		t.Wake(minute.Add(time.Minute))
		if !minute.Equal(w.minute) {
			w.minute, changed = minute, true
			w.forget()
		}
	}
	w.pager.rest = w.unseen() > 0
	if w.pager.turn(t, len(w.src.rows)) || changed {
		w.fill(t)
		w.pager.turn(t, len(w.src.rows)) // calls t.Wake if there are several pages now
	}
}

// forget() makes the next call of fill() set all rows again.
func (w *List) forget() {
	for _, s := range w.slots {
		s.rect = image.Rectangle{}
	}
}

// fill shows the rows of the current page and damages the rows that changed.
func (w *List) fill(t render.Tick) {
	rows := w.src.rows
	before, left, places := len(w.rules), w.left, w.look.places
	w.alarms.rate(w.b, len(rows), w.alarm)
	w.divided = w.divider && w.values()
	w.spread()
	if w.pager.dwell > 0 {
		w.raiseToFirst()
	}
	y, n := w.set(t)
	if w.grow(t, n) {
		w.forget()
		y, n = w.set(t)
	} else if w.aside(n) {
		y, n = w.set(t)
	}
	for _, s := range w.slots[n:] {
		s.hide()
	}
	w.tell(len(rows)+w.unseen(), n, y)
	if visible := len(rows) + w.unseen() - w.left; w.left > 0 && w.pager.dwell <= 0 {
		if raise(visible, len(rows), w.alarm, w.src.swap) {
			w.forget()
			y, n = w.set(t)
			w.tell(len(rows)+w.unseen(), n, y)
		}
		w.alarms.count(&w.more, w.size.X, visible, len(rows), w.alarm)
	} else {
		w.alarms.n = 0
	}
	if n != w.pager.shown || before != len(w.rules) || left != w.left || n == 0 || places != w.look.places {
		t.DamageAll()
	}
	w.pager.shown = n
}

// set() shows the rows with the current rowLook. It returns the y coordinate at which the last row ends and the number of shown rows.
func (w *List) set(t render.Tick) (y, n int) {
	w.look.stack = w.stacks()
	y, n = w.showAll(t)
	if brief := w.lengthy(n); brief != w.look.brief {
		w.look.brief = brief
		w.forget()
		y, n = w.showAll(t)
	}
	if _, _, tight := w.needs(n); tight != w.look.tight {
		w.look.tight = tight
		w.forget()
		y, n = w.showAll(t)
	}
	if _, bare, _ := w.needs(n); bare != w.look.bare {
		w.look.bare = bare
		w.forget()
		y, n = w.showAll(t)
	}
	if crowded, _, _ := w.needs(n); crowded != w.look.crowded {
		w.look.crowded = crowded
		w.forget()
		y, n = w.showAll(t)
	}
	return w.stacked(t, y, n)
}

// fitBars chooses the place and the width of the bars for the current free height.
func (w *List) fitBars() {
	free := w.size.Y - w.total()
	for _, item := range w.src.items {
		free += w.look.below(item)
	}
	w.look.fitBars(w.src.rows, w.src.items, w.size.X, free)
}

// unseen() returns the number of entries for which the list has no row. If the key `limit` is set, it returns 0.
func (w *List) unseen() int {
	if w.limited {
		return 0
	}
	return max(0, w.src.all-len(w.src.rows))
}

// showAll fills `slots` with the rows that fit. It returns the y coordinate at which the last row ends and the number of shown rows.
func (w *List) showAll(t render.Tick) (y, n int) {
	rows := w.src.rows
	w.rules = w.rules[:0]
	y = w.growth.start
	end := w.size.Y
	if w.growth.more < 0 {
		end += w.slack()
	}
	for i := w.pager.from; i < len(rows) && n < len(w.slots); i++ {
		h := w.heightOf(i)
		if y+h > end && (n > 0 || w.size.Y < w.look.body.Line) {
			break
		}
		w.show(t, n, i, image.Rect(0, y, w.size.X, min(y+h, w.size.Y)))
		y += h + w.gap
		n++
	}
	return y, n
}

// needs() checks the rows in the first slots. `crowded` is true if a row needs small text. `bare` is true if a row has no room for its
// icon. `tight` is true if a value only fits in the smallest text.
func (w *List) needs(rows int) (crowded, bare, tight bool) {
	for _, s := range w.slots[:rows] {
		crowded, bare, tight = crowded || s.needs, bare || s.ousts, tight || s.tight
	}
	return crowded, bare, tight
}

// lengthy() reports whether a row in the first slots has no room for the long form of its relative time.
func (w *List) lengthy(rows int) bool {
	return slices.ContainsFunc(w.slots[:rows], func(s *listRow) bool { return s.lengthy })
}

// show sets the row of a slot.
func (w *List) show(t render.Tick, slot, row int, r image.Rectangle) {
	s, v, item := w.slots[slot], &w.src.rows[row], w.src.items[row]
	if !s.shows(v, item, r) {
		t.Damage(s.rect)
		s.fill(v, item, w.src.words[row], r, t.Now())
		t.Damage(r)
	}
	if slot > 0 && w.divided {
		top := r.Min.Y - (w.gap+w.thick)/2
		w.rules = append(w.rules, image.Rect(0, top, w.size.X, top+w.thick))
	}
}

// values() reports whether any row has more parts than a text and an icon.
func (w *List) values() bool {
	for i := range w.src.rows {
		r := &w.src.rows[i]
		if r.has[partValue] || w.src.items[i].Value != nil || r.raw(partNote) != "" || r.raw(partBadge) != "" {
			return true
		}
	}
	return false
}

// tell shows the number of remaining rows or, if there are no rows, the text for an empty list.
func (w *List) tell(rows, n, y int) {
	w.left, w.buf = 0, w.buf[:0]
	box := image.Rect(0, y, w.size.X, min(w.size.Y, y+w.look.height))
	switch {
	case rows == 0:
		w.more.Face = w.look.body
		w.buf = append(w.buf, "—"...)
		if w.src.came && w.empty != "" {
			w.buf = append(w.buf[:0], w.empty...)
		}
	case w.pager.leaves(n, len(w.src.rows), rows):
		w.more.Face = w.look.note
		if w.crowdsMore(y, n) { // the line needs the room of the last row
			n--
			box.Min.Y = w.slots[n].rect.Min.Y
			box.Max.Y = min(w.size.Y, box.Min.Y+w.look.height)
			w.slots[n].hide()
			if w.divided {
				w.rules = w.rules[:n-1]
			}
		}
		w.left = rows - w.pager.from - n
		w.buf = piece.AppendLeft(w.b, w.buf, w.left, w.more.Face, box.Dx())
	}
	if box.Dy() < w.more.Face.Size {
		w.buf = w.buf[:0] // no room for the line
	}
	w.none.Say("", "", "")
	if rows == 0 && w.src.came && w.empty != "" && w.none.Roomy() {
		w.none.Say("mdi:check-circle-outline", w.empty, "")
		w.buf = w.buf[:0]
	}
	w.pager.told = w.left > 0 && len(w.buf) > 0
	w.more.Place(box)
	w.more.Raw = w.more.Raw[:0]
	w.more.Set(w.buf)
	if len(w.buf) == 0 {
		w.more.Layout()
	}
}

// Paint implements render.Widget.
func (w *List) Paint(c render.Canvas) {
	for _, s := range w.slots {
		s.paint(c)
	}
	for _, r := range w.rules {
		c.Fill(r, w.rule)
	}
	w.more.Paint(c, w.look.muted)
	w.none.Paint(c)
	w.alarms.paint(c, w.b)
}

// FromEntity implements kit.Entitled.
func (p *ListParams) FromEntity() {
	if p.Items == nil {
		return
	}
	for i := range p.Items.Plain {
		r := &p.Items.Plain[i]
		if r.Entity == nil {
			continue
		}
		r.FillValue(&r.Value, &r.Wording)
		kit.Fill(&r.Thing, &r.Text, kit.NameCode)
		kit.Fill(&r.Thing, &r.Icon, kit.IconCode(r.Entity.Domain()))
	}
}
