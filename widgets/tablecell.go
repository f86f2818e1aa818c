package widgets

import (
	"image"
	"image/color"
	"time"

	"dashboard/config"
	"dashboard/provider/live"
	"dashboard/render"
)

// tableColumn is what the cells of a column have in common.
type tableColumn struct {
	word  *wording
	value cellPart
	unit  cellPart
	color cellPart
	align string
	edge  edge
	head  snippet
	box   image.Rectangle
	bare  bool // without units and icons: they leave before values are cut
}

// cellPart is a part of a cell: plain, or what a program gives for an entry.
type cellPart struct {
	field int // of the row; -1 for a plain one
	plain any
}

// of is the part's value in a row.
func (p cellPart) of(row live.Row) (v any, ok bool) {
	if p.field < 0 || p.field >= len(row) {
		return p.plain, p.plain != nil
	}
	return row[p.field].Value, row[p.field].Err == nil
}

// partOf takes over a part: its program is added to the others.
func partOf[T any](l *config.Live[T], programs *[]string, plain func(T) any) cellPart {
	switch {
	case l == nil:
		return cellPart{field: -1}
	case l.IsLive():
		*programs = append(*programs, l.Program.Text())
		return cellPart{field: len(*programs) - 1}
	}
	return cellPart{field: -1, plain: plain(l.Plain)}
}

// tableColumn makes a column.
func (b *Builder) tableColumn(s *Spec, p *TableColumn, programs *[]string) tableColumn {
	c := tableColumn{
		word: b.wording(s, &p.Wording), align: p.Align, head: b.snippet(b.face("caption"), edgeStart),
		value: partOf(p.Value, programs, plainOf), unit: partOf(p.Unit, programs, anyOf[string]), color: partOf(p.Color, programs, colorOf),
	}
	c.head.set([]byte(p.Title))
	return c
}

// tableCell is one value of a table.
type tableCell struct {
	column *tableColumn
	text   snippet
	tail   snippet // the unit
	mark   *mark
	ink    color.RGBA
	number bool
	none   bool
	stale  bool
}

func (k *rowLook) newCell(c *tableColumn) tableCell {
	b := k.b
	return tableCell{column: c, text: b.snippet(k.body, edgeStart), tail: b.snippet(k.note, edgeStart), mark: b.mark(image.Rectangle{})}
}

// fill shows an entry.
func (r *tableRow) fill(w *table, row live.Row, now time.Time) {
	r.changed = false
	for i := range r.cells {
		if r.cells[i].fill(w, row, now) {
			r.changed = true
		}
	}
}

// fill shows an entry's value and reports whether anything is another.
func (c *tableCell) fill(w *table, row live.Row, now time.Time) bool {
	v, ok := c.column.value.of(row)
	said, told := c.column.word.entry(v, ok)
	unit := ""
	w.buf = w.buf[:0]
	switch {
	case said.none:
		w.buf = append(w.buf, "—"...)
	case told:
		w.buf = append(w.buf, said.text...)
	default:
		w.buf = c.column.word.append(w.buf, v, &said, now)
		if u, ok := c.column.unit.of(row); ok && said.isNum {
			unit, _ = u.(string)
		}
	}
	if hugs(unit) {
		w.buf = append(w.buf, unit...)
		unit = ""
	}
	w.buf = w.look.cut(w.buf)
	c.number, c.none = said.isNum && !told, said.none
	face := w.look.body
	if c.number {
		face = w.look.strong
	}
	if face != c.text.face {
		c.text.face, c.text.raw = face, c.text.raw[:0]
	}
	changed := c.text.set(w.buf)
	w.buf = w.look.cut(append(w.buf[:0], unit...))
	changed = c.tail.set(w.buf) || changed
	changed = c.mark.set(said.icon) || changed
	ink, stale := c.inkOf(w, row, &said), w.stale
	changed = changed || ink != c.ink || stale != c.stale
	c.ink, c.stale = ink, stale
	return changed
}

// inkOf is the color of the value.
func (c *tableCell) inkOf(w *table, row live.Row, said *shown) color.RGBA {
	switch {
	case said.none:
		return w.look.muted
	case said.color != nil:
		return render.Premultiply(*said.color)
	}
	own, ok := c.column.color.of(row)
	if !ok || own == nil {
		return w.look.text
	}
	in := input{plain: own}
	return in.color(w.b, w.look.text)
}

// want is how wide the cell's content is, px.
func (c *tableCell) want() int {
	n := c.text.want()
	if len(c.tail.raw) > 0 && !c.column.bare {
		n += c.tail.want() + c.text.face.size/4
	}
	if c.mark.name != "" && !c.column.bare {
		n += c.text.face.size * 3 / 2
	}
	return n
}

// place puts the row's cells into their columns.
func (r *tableRow) place(w *table, i int) {
	y := w.top() + i*w.look.height
	rect := image.Rect(0, y, w.size.X, y+w.look.height)
	r.changed = r.changed || rect != r.rect
	r.rect = rect
	for k := range r.cells {
		c := &r.cells[k]
		c.place(w, image.Rect(c.column.box.Min.X, y, c.column.box.Max.X, y+w.look.height))
	}
}

// place puts icon, value and unit into a box, side by side.
func (c *tableCell) place(w *table, box image.Rectangle) {
	wide, gap := c.want(), c.text.face.size/4
	x := box.Min.X
	switch c.column.edge {
	case edgeEnd:
		x = max(x, box.Max.X-wide)
	case edgeCenter:
		x = max(x, x+(box.Dx()-wide)/2)
	}
	end := min(box.Max.X, x+wide)
	if box.Empty() || c.column.bare { // the column has left, or its icons
		c.mark.place(image.Rectangle{})
	} else if c.mark.name != "" {
		side := c.text.face.size * 5 / 4
		top := box.Min.Y + (box.Dy()-side)/2
		c.mark.place(image.Rect(x, top, x+side, top+side))
		x += c.text.face.size * 3 / 2
	}
	tail := 0
	last := image.Rect(end, box.Min.Y, end, box.Max.Y)
	if len(c.tail.raw) > 0 && !c.column.bare {
		tail = c.tail.want() + gap
		last.Min.X = max(x, end-tail+gap)
	}
	c.text.place(image.Rect(x, box.Min.Y, max(x, end-tail), box.Max.Y))
	c.tail.place(last)
	if tail > 0 && !c.tail.ink.Empty() { // on one baseline
		c.tail.ink = c.tail.ink.Sub(image.Pt(0, c.tail.at.Y-c.text.at.Y))
		c.tail.at.Y = c.text.at.Y
	}
}

func (c *tableCell) paint(cv render.Canvas, w *table) {
	ink, muted := c.ink, w.look.muted
	if c.stale {
		ink, muted = faint(ink), faint(muted)
	}
	c.mark.paint(cv, ink)
	c.text.paint(cv, ink)
	c.tail.paint(cv, muted)
}
