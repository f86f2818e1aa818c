package list

import (
	"image"
	"strconv"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// alarms shows the number of hidden rows with an alarm, after the number of all hidden rows.
type alarms struct {
	n    int
	role string // color of the hidden row with the worst alarm
	mark *kit.Mark
	text piece.Snippet
}

// alarm returns the icon for row i if its value or its color is "bad" or "warn". Otherwise, it returns "".
func (w *List) alarm(i int) string {
	v := &w.src.rows[i]
	said, _ := w.src.words[i].Entry(v.v[partValue], v.has[partValue])
	if said.Color == nil && v.has[partColor] && v.v[partColor] != nil && v.raw(partBadge) == "" {
		in := kit.Input{Plain: v.v[partColor]}
		return w.b.AlarmIn(in.Color(w.b, w.look.text))
	}
	return w.b.Alarm(&said)
}

// raise makes rows with an alarm visible. They replace the last visible rows without an alarm. The other rows keep their order. raise
// reports whether it moved a row.
func (w *List) raise(visible int) (moved bool) {
	rows, j := w.src, visible-1
	for i := visible; i < len(rows.rows); i++ {
		if w.alarm(i) == "" {
			continue
		}
		for j >= 0 && w.alarm(j) != "" {
			j--
		}
		if j < 0 {
			break
		}
		rows.swap(i, j)
		for k := j; k+1 < visible; k++ {
			rows.swap(k, k+1)
		}
		j, moved = j-1, true
	}
	return moved
}

// swap exchanges two rows.
func (src *rowSource) swap(i, j int) {
	src.rows[i], src.rows[j] = src.rows[j], src.rows[i]
	src.words[i], src.words[j] = src.words[j], src.words[i]
	src.items[i], src.items[j] = src.items[j], src.items[i]
}

// count counts the hidden rows with an alarm. It places the result after the number of all hidden rows. visible is the number of visible
// rows.
func (w *List) count(visible int) {
	a := &w.alarms
	a.n, a.role = 0, "warn"
	icon, worst := "", w.b.AlarmIn(w.b.Role("bad"))
	for i := visible; w.left > 0 && i < len(w.src.rows); i++ {
		if name := w.alarm(i); name != "" {
			a.n++
			if icon != worst {
				icon = name
			}
		}
	}
	if a.n == 0 || len(w.more.Raw) == 0 {
		a.n = 0
		return
	}
	if icon == worst {
		a.role = "bad"
	}
	side, gap := w.more.Face.Size*5/4, w.more.Face.Size/2
	w.buf = strconv.AppendInt(w.buf[:0], int64(a.n), 10)
	x, mid := w.more.Want()+2*gap, (w.more.Box.Min.Y+w.more.Box.Max.Y)/2
	if a.mark == nil {
		a.mark = w.b.Mark(image.Rectangle{})
	}
	a.text.B, a.text.Face, a.text.Edge = w.b, w.more.Face, w.b.EdgeOf("start")
	a.mark.Place(w.b.Mirrored(image.Rect(x, mid-side/2, x+side, mid-side/2+side), w.size.X))
	a.mark.Set(icon)
	a.text.Place(w.b.Mirrored(image.Rect(x+side+gap/2, w.more.Box.Min.Y, w.size.X, w.more.Box.Max.Y), w.size.X))
	a.text.Set(w.buf)
}

// paint draws the number of alarms in the color of the worst alarm.
func (a *alarms) paint(c render.Canvas, b *kit.Builder) {
	if a.n > 0 {
		a.mark.Paint(c, b.Role(a.role))
		a.text.Paint(c, b.Role(a.role))
	}
}
