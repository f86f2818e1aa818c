package list

import (
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Growth of rows into free room, as shares.
const (
	growBelow = 0.55 // rows that fill less of their room grow by a style
	wrapLoss  = 1.15 // of its width that a text needs in several lines
	growPitch = 0.5  // of its height that a row gets at most, around its content
)

// growth is how rows take up room that they do not need: in larger type first, then with more room around each.
type growth struct {
	looks []rowLook // by step; none where the file gives the type or the gap
	rows  int       // for which the step was chosen
	sound bool      // they were complete then
	start int       // px above the first row
	more  int       // px around each row
}

// grows prepares the looks of a list that may grow.
func (w *List) grows(p *ListParams) {
	if p.Style != "" || p.TextSize > 0 || p.Weight != nil || p.Gap != nil {
		return
	}
	for step := range kit.MostSteps + 1 {
		k := newRowLook(w.b, step)
		k.see(w.size.X)
		w.growth.looks = append(w.growth.looks, *k)
	}
}

// grow chooses the type of the rows, after they were shown in the present one: larger while they fill too little of their room
// and are complete, smaller if one is cut. It reports whether the type changed.
func (w *List) grow(t render.Tick, n int) bool {
	g, before := &w.growth, w.look.step
	if len(g.looks) == 0 || n == 0 || g.rows == len(w.src.rows) && w.whole(n) == g.sound {
		return false
	}
	g.rows = len(w.src.rows)
	step := 0
	w.dress(0)
	for step < kit.MostSteps && float64(w.total()) < growBelow*float64(w.size.Y) {
		w.dress(step + 1)
		w.spread()
		if _, n = w.set(t.Hidden()); w.total() > w.size.Y || !w.whole(n) {
			break
		}
		step++
	}
	if w.look.step != step {
		w.dress(step)
	}
	w.spread()
	_, n = w.set(t.Hidden())
	g.sound = w.whole(n)
	if step != before {
		t.DamageAll()
	}
	return true
}

// total is how high all rows are, px.
func (w *List) total() (h int) {
	for i := range w.src.rows {
		h += w.look.heightOf(&w.src.rows[i], w.src.items[i])
	}
	return h + w.gap*max(0, len(w.src.rows)-1)
}

// dress gives all rows the type of a step.
func (w *List) dress(step int) {
	*w.look = w.growth.looks[step]
	w.more.Face = w.look.note
	for _, s := range w.slots {
		s.dress()
	}
}

// whole reports whether all rows are shown, and none is cut or misses a part.
func (w *List) whole(n int) bool {
	if n < len(w.src.rows) {
		return false
	}
	for _, s := range w.slots[:n] {
		if !s.whole() {
			return false
		}
	}
	return true
}

// spread shares the room below the rows between them, and puts the rest above and below.
func (w *List) spread() {
	w.growth.start, w.growth.more = 0, 0
	n := len(w.src.rows)
	free := w.size.Y - w.total()
	if len(w.growth.looks) == 0 || n == 0 || n > len(w.slots) || free <= 0 || w.unseen() > 0 {
		return
	}
	w.growth.more = min(free/n, int(growPitch*float64(w.total()/n)))
	w.growth.start = (free - n*w.growth.more) / 2
}

// dress gives an empty row the type of its look.
func (r *listRow) dress() {
	k := r.look
	r.rect, r.used = r.rect.Sub(r.rect.Min), false
	r.text.Face, r.note.Face, r.tail.Face, r.badge.Face, r.value.Face = k.body, k.note, k.note, k.badge, k.strong
	for _, s := range []*piece.Snippet{&r.text, &r.note, &r.tail, &r.badge, &r.value} {
		s.Raw = s.Raw[:0]
	}
	r.plateCorner, r.barCorner, r.block = nil, nil, nil
}

// whole reports whether no part of the row is cut or left out.
func (r *listRow) whole() bool {
	if r.needs || r.ousts || r.lost || r.text.Face != r.look.body {
		return false
	}
	if r.block != nil {
		lines := max(1, r.item.Lines)
		wide := wrapLoss * float64(r.look.b.TextWidth(r.look.body, r.from.raw(partText)))
		return int(wide) <= lines*r.text.Box.Dx() && r.note.Want() <= r.note.Box.Dx()
	}
	return r.text.Want() <= r.text.Box.Dx() && r.note.Want() <= r.note.Box.Dx() && r.value.Want() <= r.value.Box.Dx()
}
