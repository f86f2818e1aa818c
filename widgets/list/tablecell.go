package list

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/provider/live"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// tableColumn holds the parts that all cells of a column share.
type tableColumn struct {
	word  *format.Formatter
	value cellPart
	unit  cellPart
	color cellPart
	align string
	edge  kit.Edge
	head  piece.Snippet
	box   image.Rectangle
	bare  bool // true if units and icons are hidden, so that values are not cut
}

// cellPart is a part of a cell. It is a constant or the result of a program, which runs for each entry.
type cellPart struct {
	field int // index of the result, -1 for a constant
	plain any
}

// of() returns the value of the part for an entry.
func (p cellPart) of(row live.Row) (v any, ok bool) {
	if p.field < 0 || p.field >= len(row) {
		return p.plain, p.plain != nil
	}
	return row[p.field].Value, row[p.field].Err == nil
}

// programs are programs that run for each entry of a list. The program codes[i] is at the path paths[i] in the file. Programs at the end
// of `codes` may have no path, because they are not in the file.
type programs struct{ codes, paths []string }

// add appends a program of the file and returns its index.
func (p *programs) add(n *config.Node) int {
	p.codes, p.paths = append(p.codes, n.Text()), append(p.paths, n.Path())
	return len(p.codes) - 1
}

// partOf returns the part for a parameter. If the parameter is a program, partOf appends the program to `all`.
func partOf[T any](l *config.Live[T], all *programs, plain func(T) any) cellPart {
	switch {
	case l == nil:
		return cellPart{field: -1}
	case l.IsLive():
		return cellPart{field: all.add(l.Program)}
	}
	return cellPart{field: -1, plain: plain(l.Plain)}
}

// newTableColumn creates a column.
func newTableColumn(b *kit.Builder, s *kit.Spec, p *TableColumn, all *programs) tableColumn {
	c := tableColumn{
		word: b.Formatter(s, &p.Wording), align: p.Align, head: piece.NewSnippet(b, b.Face("caption"), kit.EdgeStart),
		value: partOf(p.Value, all, kit.PlainOf), unit: partOf(p.Unit, all, kit.AnyOf[string]), color: partOf(p.Color, all, kit.ColorOf),
	}
	c.head.Set([]byte(p.Title))
	return c
}

// tableCell is a cell of a table.
type tableCell struct {
	column *tableColumn
	text   piece.Snippet
	tail   piece.Snippet // text of the unit
	mark   *kit.Mark
	ink    color.RGBA
	said   format.Shown
	whole  []byte // value in its longest form
	number bool
	none   bool
	stale  bool
}

func (k *rowLook) newCell(c *tableColumn) tableCell {
	b := k.b
	return tableCell{column: c, text: piece.NewSnippet(b, k.body, kit.EdgeStart), tail: piece.NewSnippet(b, k.note, kit.EdgeStart), mark: b.Mark(image.Rectangle{})}
}

// fill shows an entry in the row.
func (r *tableRow) fill(w *table, row live.Row, now time.Time) {
	r.changed = false
	for i := range r.cells {
		if r.cells[i].fill(w, row, now) {
			r.changed = true
		}
	}
}

// fill shows the value of an entry and reports whether the cell changed.
func (c *tableCell) fill(w *table, row live.Row, now time.Time) bool {
	v, ok := c.column.value.of(row)
	said, told := c.column.word.Entry(v, ok)
	unit := ""
	w.buf = w.buf[:0]
	switch {
	case said.None:
		w.buf = append(w.buf, "—"...)
	case told:
		w.buf = append(w.buf, said.Text...)
	default:
		w.buf = c.column.word.Append(w.buf, v, &said, now)
		if u, ok := c.column.unit.of(row); ok && said.IsNum {
			unit, _ = u.(string)
		}
	}
	if piece.Hugs(unit) {
		w.buf = append(w.buf, unit...)
		unit = ""
	}
	w.buf = w.look.cut(w.buf)
	said.Told = told
	c.said, c.number, c.none = said, said.IsNum && !told, said.None
	face := w.look.body
	if c.number {
		face = w.look.strong
	}
	if face != c.text.Face {
		c.text.Face, c.text.Raw = face, c.text.Raw[:0]
	}
	changed := string(c.whole) != string(w.buf)
	c.whole = append(c.whole[:0], w.buf...)
	c.text.Set(w.buf)
	w.buf = w.look.cut(append(w.buf[:0], unit...))
	changed = c.tail.Set(w.buf) || changed
	icon := said.Icon
	if icon == "" && said.IsNum && !told {
		icon = c.column.sign(w.b, row, &said)
	}
	changed = c.mark.Set(icon) || changed
	ink, stale := c.inkOf(w, row, &said), w.stale
	changed = changed || ink != c.ink || stale != c.stale
	c.ink, c.stale = ink, stale
	return changed
}

// inkOf returns the text color for the value.
func (c *tableCell) inkOf(w *table, row live.Row, said *format.Shown) color.RGBA {
	switch {
	case said.None:
		return w.look.muted
	case said.Color != nil:
		return render.Premultiply(*said.Color)
	}
	own, ok := c.column.color.of(row)
	if !ok || own == nil {
		return w.look.text
	}
	in := kit.Input{Plain: own}
	return in.Color(w.b, w.look.text)
}

// want() returns the width in px that the content of the cell needs.
func (c *tableCell) want() int {
	n := c.text.Want()
	if len(c.tail.Raw) > 0 && !c.column.bare {
		n += c.tail.Want() + c.text.Face.Size/4
	}
	if c.mark.Name != "" && !c.column.bare {
		n += c.text.Face.Size * 3 / 2
	}
	return n
}

// place() places the row's cells in their columns.
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

// place() places the icon, the value and the unit next to each other in a box.
func (c *tableCell) place(w *table, box image.Rectangle) {
	wide, gap := c.want(), c.text.Face.Size/4
	x := box.Min.X
	switch c.column.edge {
	case kit.EdgeEnd:
		x = max(x, box.Max.X-wide)
	case kit.EdgeCenter:
		x = max(x, x+(box.Dx()-wide)/2)
	}
	end := min(box.Max.X, x+wide)
	if box.Empty() || c.column.bare { // the column is hidden, or all columns hide their icons
		c.mark.Place(image.Rectangle{})
	} else if c.mark.Name != "" {
		side := c.text.Face.Size * 5 / 4
		top := box.Min.Y + (box.Dy()-side)/2
		c.mark.Place(image.Rect(x, top, x+side, top+side))
		x += c.text.Face.Size * 3 / 2
	}
	tail := 0
	last := image.Rect(end, box.Min.Y, end, box.Max.Y)
	if len(c.tail.Raw) > 0 && !c.column.bare {
		tail = c.tail.Want() + gap
		last.Min.X = max(x, end-tail+gap)
	}
	c.text.Place(image.Rect(x, box.Min.Y, max(x, end-tail), box.Max.Y))
	c.fit(w)
	c.tail.Place(last)
	if tail > 0 && !c.tail.Ink.Empty() { // the unit is on the baseline of the value
		c.tail.Ink = c.tail.Ink.Sub(image.Pt(0, c.tail.At.Y-c.text.At.Y))
		c.tail.At.Y = c.text.At.Y
	}
}

// fit() replaces a number that has no room by a shorter form of the number.
func (c *tableCell) fit(w *table) {
	if room := c.text.Box.Dx(); room <= 0 || !c.column.word.IsNumber(&c.said) || c.text.Want() <= room {
		return
	}
	number, hug, _ := strings.Cut(string(c.whole), "°")
	if hug != "" || strings.HasSuffix(string(c.whole), "°") {
		hug = "°"
	}
	c.said.Text = number
	text, _ := c.column.word.Fitting(nil, &c.said, func(text []byte) bool {
		return w.b.TextWidth(c.text.Face, string(text)+hug) <= c.text.Box.Dx()
	})
	c.text.Set(append(text, hug...))
}

func (c *tableCell) paint(cv render.Canvas, w *table) {
	ink, muted := c.ink, w.look.muted
	if c.stale {
		ink, muted = w.b.Old(ink), w.b.Old(muted)
	}
	c.mark.Paint(cv, ink)
	c.text.Paint(cv, ink)
	c.tail.Paint(cv, muted)
}
