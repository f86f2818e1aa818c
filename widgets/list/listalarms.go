package list

import (
	"image"
	"strconv"
	"time"

	"dashboard/provider/live"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// alarms shows the number of hidden rows with an alarm, after the number of all hidden rows.
type alarms struct {
	n       int
	role    string // color of the hidden row with the worst alarm
	mark    *kit.Mark
	text    piece.Snippet
	buf     []byte
	urgency float64 // urgency of all rows, including visible rows
}

// alarm() returns the icon for row i if the color of its value or of the row itself is "bad" or "warn". Otherwise, it returns "".
func (w *List) alarm(i int) string {
	v := &w.src.rows[i]
	said, _ := w.src.words[i].Entry(v.v[partValue], v.has[partValue])
	if said.Color == nil && v.has[partColor] && v.v[partColor] != nil && v.raw(partBadge) == "" {
		return w.b.AlarmIn(v.v[partColor])
	}
	return w.b.Alarm(&said)
}

// raise() moves rows with an alarm into the first `visible` rows, where they replace the last rows without an alarm. The other rows keep
// their order. `alarm` returns the icon for a row with an alarm, and `swap` exchanges two rows. raise() reports whether it moved a row.
func raise(visible, all int, alarm func(i int) string, swap func(i, j int)) (moved bool) {
	j := visible - 1
	for i := visible; i < all; i++ {
		if alarm(i) == "" {
			continue
		}
		for j >= 0 && alarm(j) != "" {
			j--
		}
		if j < 0 {
			break
		}
		for k := j; k+1 < visible; k++ { // move row j first to the last visible place, then to the first hidden place
			swap(k, k+1)
		}
		for k := i; k >= visible; k-- {
			swap(k, k-1)
		}
		j, moved = j-1, true
	}
	return moved
}

// swap() exchanges two rows.
func (src *rowSource) swap(i, j int) {
	src.rows[i], src.rows[j] = src.rows[j], src.rows[i]
	src.words[i], src.words[j] = src.words[j], src.words[i]
	src.items[i], src.items[j] = src.items[j], src.items[i]
	src.tall[i], src.tall[j] = src.tall[j], src.tall[i]
}

// raiseToFirst moves rows with an alarm to the first page of a list with pages.
func (w *List) raiseToFirst() {
	rows := w.src.rows
	for from := len(rows) + 1; ; {
		n, y := 0, w.growth.start
		for ; n < len(rows) && n < len(w.slots); n++ {
			if y += w.heightOf(n); y > w.size.Y && n > 0 {
				break
			}
			y += w.gap
		}
		if n >= from || !raise(n, len(rows), w.alarm, w.src.swap) { // after a move, check again, because a raised row may be taller
			return
		}
		from = n
	}
}

// count() counts the rows with an alarm from index `visible` to index `all`-1. It places the number after the text with the number of all
// hidden rows.
func (a *alarms) count(more *piece.Snippet, wide, visible, all int, alarm func(i int) string) {
	b := more.B
	a.n, a.role = 0, "warn"
	icon, worst := "", b.AlarmIn("bad")
	for i := visible; i < all; i++ {
		if name := alarm(i); name != "" {
			a.n++
			if icon != worst {
				icon = name
			}
		}
	}
	if a.n == 0 || len(more.Raw) == 0 {
		a.n = 0
		return
	}
	if icon == worst {
		a.role = "bad"
	}
	side, gap := more.Face.Size*5/4, more.Face.Size/2
	a.buf = strconv.AppendInt(a.buf[:0], int64(a.n), 10)
	x, mid := more.Want()+2*gap, (more.Box.Min.Y+more.Box.Max.Y)/2
	if a.mark == nil {
		a.mark = b.Mark(image.Rectangle{})
	}
	a.text.B, a.text.Face, a.text.Edge = b, more.Face, b.EdgeOf("start")
	a.mark.Place(b.Mirrored(image.Rect(x, mid-side/2, x+side, mid-side/2+side), wide))
	a.mark.Set(icon)
	a.text.Place(b.Mirrored(image.Rect(x+side+gap/2, more.Box.Min.Y, wide, more.Box.Max.Y), wide))
	a.text.Set(a.buf)
}

// paint draws the number of alarms in the color of the worst alarm.
func (a *alarms) paint(c render.Canvas, b *kit.Builder) {
	if a.n > 0 {
		a.mark.Paint(c, b.Role(a.role))
		a.text.Paint(c, b.Role(a.role))
	}
}

// sort computes the order of the rows of a table. It moves rows with an alarm into the first n rows or, in a table with pages, to the
// first page.
func (w *table) sort(rows []live.Row, n int) {
	w.order = w.order[:0]
	for i := range rows {
		w.order = append(w.order, i)
	}
	if w.pager.dwell > 0 {
		n = min(len(rows), len(w.slots))
	}
	w.alarms.rate(w.b, len(rows), func(i int) string { return w.alarm(rows[i]) })
	raise(n, len(rows), func(i int) string { return w.alarm(rows[w.order[i]]) }, func(i, j int) {
		w.order[i], w.order[j] = w.order[j], w.order[i]
	})
}

// alarm() returns the icon for the worst alarm in an entry. Without an alarm, it returns "".
func (w *table) alarm(row live.Row) (icon string) {
	for i := range w.columns {
		if one := w.columns[i].alarm(w.b, row); one != "" && icon != w.b.AlarmIn("bad") {
			icon = one
		}
	}
	return icon
}

// alarm() returns the icon if the color of an entry's value is "bad" or "warn". Otherwise, it returns "". A constant color of the column
// is not an alarm.
func (c *tableColumn) alarm(b *kit.Builder, row live.Row) string {
	v, ok := c.value.of(row)
	said, _ := c.word.Entry(v, ok)
	if own, ok := c.color.of(row); c.color.field >= 0 && said.Color == nil && !said.None && ok && own != nil {
		return b.AlarmIn(own)
	}
	return b.Alarm(&said)
}

// sign() returns the icon that stands for the color of a number. The icon comes from SignIn if the column's key `color` sets the color,
// else from Sign.
func (c *tableColumn) sign(b *kit.Builder, row live.Row, said *format.Shown) string {
	if own, ok := c.color.of(row); ok && said.Color == nil {
		return b.SignIn(own)
	}
	return b.Sign(said)
}

// countHidden counts the rows with an alarm below the n visible rows of a table without pages.
func (w *table) countHidden(rows []live.Row, n int) {
	w.alarms.n = 0
	if w.left > 0 && w.pager.dwell <= 0 {
		w.alarms.count(&w.more, w.size.X, n, len(rows), func(i int) string { return w.alarm(rows[w.order[i]]) })
	}
}

// Urgency implements kit.Urgent. A list with a row in the color "bad" is urgent, even if the row is hidden.
func (w *List) Urgency(time.Time) float64 { return w.alarms.urgency }

// Urgency implements kit.Urgent. A table with a cell in the color "bad" is urgent, even if its row is hidden.
func (w *table) Urgency(time.Time) float64 { return w.alarms.urgency }

// rate() computes the urgency of all rows. `alarm` returns the icon for a row with an alarm.
func (a *alarms) rate(b *kit.Builder, all int, alarm func(i int) string) {
	a.urgency = 0
	for i := range all {
		if alarm(i) == b.AlarmIn("bad") {
			a.urgency = 1
			return
		}
	}
}
