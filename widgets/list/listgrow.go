package list

import (
	"slices"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Limits for the growth of rows into free room.
const (
	growBelow = 0.55 // rows get larger text if they fill less than this share of the height
	rowTight  = 8    // divisor of the text size. The result is the minimum room around the text of a row
	growPitch = 0.5  // maximum additional height of a row, as a share of its height
)

// growth lets rows use free room. First their text grows, then the room around each row.
type growth struct {
	looks []rowLook // one for each text size, the usual size first. Only one if the file sets the text size, style or gap
	rows  int       // number of rows at the last choice of the text size
	cut   int       // number of rows that were cut after the last choice of the text size
	from  int       // index of the first row on the page at the last choice of the text size
	start int       // height of the free room above the first row, in px
	more  int       // additional height of each row in px. Negative if rows are closer together
}

// grows() prepares the looks of a list that may use larger text.
func (w *List) grows(p *ListParams) {
	if p.Style != "" || p.TextSize > 0 || p.Gap != nil {
		w.growth.looks = []rowLook{*w.look}
		return
	}
	weight := 0
	if p.Weight != nil {
		weight = int(*p.Weight)
	}
	for step := range kit.MostSteps + 1 {
		k := newRowLook(w.b, step, weight)
		k.see(w.size.X)
		w.growth.looks = append(w.growth.looks, *k)
	}
}

// grow chooses the text size after the rows were shown in the current size. The text becomes larger while the rows leave much of the height
// empty and no additional row is cut or broken by larger text. If most rows are cut even in the usual size, the text does not become
// larger. If more rows are cut than before, the text becomes smaller. On a new page, grow chooses the lines of texts again if texts are cut
// or take all lines of the page. grow reports whether it chose the text size.
func (w *List) grow(t render.Tick, n int) bool {
	g, before := &w.growth, *w.look
	fresh := w.look.page > 0 || w.pager.from != g.from && w.cutTexts(n) > 0 // each page has its own lines and its own size of small text
	if n == 0 || !fresh && g.rows == len(w.src.rows) && w.cutRows(n) == g.cut {
		return false
	}
	g.rows, g.from = len(w.src.rows), w.pager.from
	step := 0
	n, long := w.try(t, 0)
	cut := w.cutRows(n)
	for 2*cut < g.rows && step+1 < len(g.looks) && float64(w.total()) < growBelow*float64(w.size.Y) {
		more := 0
		if n, more = w.try(t, step+1); w.total() > w.size.Y || w.cutRows(n) > cut || more > long {
			break
		}
		step++
	}
	if w.look.step != step {
		n, _ = w.try(t, step)
	}
	if w.aside(n) {
		_, n = w.set(t.Hidden())
	}
	g.cut = w.cutRows(n)
	if step != before.step || w.look.wrapping != before.wrapping || w.look.values != before.values {
		t.DamageAll()
	}
	return true
}

// try() shows the rows in the text size of a step. If texts are cut although there is free height, these texts take a second line. try()
// returns the number n of shown rows. `long` is the number of rows that were hidden or cut before texts took a second line.
func (w *List) try(t render.Tick, step int) (n, long int) {
	w.dress(step)
	n = w.again(t)
	long = w.cutRows(n)
	if w.pager.dwell > 0 && long > len(w.src.rows)-n && w.look.high(2) <= w.size.Y {
		return w.breakPage(t, n)
	}
	if w.pager.dwell > 0 || n < len(w.src.rows) || long == 0 {
		return n, long
	}
	k := w.look
	w.widest(n)
	for k.spare = spareNotes; k.spare > spareNone && w.total() > w.size.Y; {
		k.spare--
	}
	if k.spare > spareNone {
		if n = w.again(t); k.crowded || w.cutRows(n) > long {
			k.spare = spareNone
			n = w.again(t)
		}
	}
	return n, long
}

// breakPage gives cut texts of a list with pages a second line, because hidden rows are on other pages. Cut notes also take a second line
// if the page then shows as many rows as before. `shown` is the number of rows before the change. breakPage returns the same results as
// try().
func (w *List) breakPage(t render.Tick, shown int) (n, long int) {
	w.widest(shown)
	w.look.spare = spareTexts
	n = w.again(t)
	w.look.spare = spareNotes
	if w.again(t) < n || w.tooHigh() {
		w.look.spare = spareTexts
		w.again(t)
	}
	w.lengthen(t, n)
	return n, w.cutRows(n)
}

// lengthen gives texts that are cut on two lines a third line, if the page then still shows n rows and cuts fewer texts. If there is not
// enough room, notes have one line, or the third line replaces the note of its row. Finally, the only text on a page may take all lines of
// the page, and texts may be smaller.
func (w *List) lengthen(t render.Tick, n int) {
	k, cut, page := w.look, w.cutTexts(n), longLines
	if n == 1 {
		page = max(page, 1+(w.size.Y-k.body.Line-k.b.Px(rowAround)+k.body.Size/4)/k.pitch)
	}
	best := wrapping{k.spare, thirdNone, 0, false}
	for _, plan := range []wrapping{{k.spare, thirdMore, 0, false}, {spareTexts, thirdMore, 0, false}, {spareTexts, thirdInstead, 0, false},
		{spareTexts, thirdInstead, page, n == 1}, {k.spare, thirdNone, page, false}} {
		if cut == 0 || best.alone {
			break
		}
		k.wrapping, k.shrunk = plan, 0
		if w.again(t) >= n && !w.tooHigh() && (w.slots[0].alone() || w.cutTexts(n) < cut) {
			best, cut = plan, w.cutTexts(n)
		}
	}
	if k.wrapping != best || best.page > 0 {
		k.wrapping, k.shrunk = best, 0
		w.again(t)
	}
	if best.page > 0 {
		w.again(t) // so that all rows have the size of the smallest text
	}
}

// tooHigh reports whether the first row of the page is higher than the list.
func (w *List) tooHigh() bool { return w.heightOf(w.pager.from) > w.size.Y }

// cutTexts returns the number of cut texts in the n shown rows.
func (w *List) cutTexts(n int) (cut int) {
	for _, s := range w.slots[:n] {
		if s.block != nil && s.block.Block.Shortened() || s.block == nil && s.text.Want() > s.text.Box.Dx() {
			cut++
		}
	}
	return cut
}

// widest() sets the room for values to the width of the widest value in the n shown rows.
func (w *List) widest(n int) {
	k := w.look
	for _, s := range w.slots[:n] {
		if wide := s.value.Want() + s.tail.Want(); wide > 0 {
			k.values = max(k.values, wide+k.body.Size/4)
		}
	}
}

// again() shows all rows again. It returns the number of shown rows.
func (w *List) again(t render.Tick) int {
	w.forget()
	w.spread()
	_, n := w.set(t.Hidden())
	return n
}

// total() returns the height of all rows in px, including the gaps.
func (w *List) total() (h int) {
	for i := range w.src.rows {
		if h += w.look.heightOf(&w.src.rows[i], w.src.items[i]); w.src.tall[i] {
			h += max(0, w.look.tall()-w.look.height)
		}
	}
	return h + w.gap*max(0, len(w.src.rows)-1)
}

// dress() gives all rows the text size of a step.
func (w *List) dress(step int) {
	*w.look = w.growth.looks[step]
	w.more.Face = w.look.note
	for _, s := range w.slots {
		s.dress()
	}
}

// cutRows returns the number of rows that are hidden or cut. n is the number of visible rows.
func (w *List) cutRows(n int) int {
	cut := len(w.src.rows) - n
	for _, s := range w.slots[:n] {
		if !s.whole() {
			cut++
		}
	}
	return cut
}

// spread divides free room between the rows, unless the file sets the text size, the style or the gap. The remainder is above the first
// and below the last row. If the rows are too high, spread moves them closer together.
func (w *List) spread() {
	w.growth.start, w.growth.more = 0, 0
	w.note()
	n := len(w.src.rows)
	free := w.size.Y - w.total()
	if len(w.growth.looks) < 2 || n == 0 || n > len(w.slots) && w.pager.dwell <= 0 || w.unseen() > 0 {
		return
	}
	if free < 0 || n > len(w.slots) {
		w.squeeze(n, -free)
		return
	}
	w.growth.more = min(free/n, int(growPitch*float64(w.total()/n)))
	w.growth.start = (free - n*w.growth.more) / 2
}

// squeeze moves n rows closer together if they then fit. `over` is the height in px by which the rows are too high. In a list with pages,
// squeeze changes only the first page, and only if texts with a second line would move a row to the next page. It does nothing if notes
// also have a second line.
func (w *List) squeeze(n, over int) {
	if w.pager.dwell > 0 {
		if w.look.spare != spareTexts {
			return
		}
		n, over = w.overPage()
	}
	if over <= 0 {
		return
	}
	if less := w.closer(n, over); less > 0 {
		w.growth.more = -less
	}
}

// closer() returns how much each of n rows must become lower, in px, if they are `over` px too high. If the rows would be too low, it
// returns 0.
func (w *List) closer(n, over int) int {
	if less := max(1, (over-w.slack()+n-1)/n); w.look.height-less >= w.look.least() {
		return less
	}
	return 0
}

// slack() returns the height in px by which the last row on a page may extend beyond the list. This is possible because the last row does
// not need the room below its text.
func (w *List) slack() int {
	if w.pager.dwell > 0 {
		return w.look.body.Size / rowTight
	}
	return 0
}

// overPage returns the number n of rows that fit on the first page if no text has a second line. `over` is the height in px by which
// these rows are too high with second lines.
func (w *List) overPage() (n, over int) {
	unbroken, plain, broken := *w.look, 0, 0
	unbroken.spare = spareNone
	for i := range w.src.rows {
		r, item := &w.src.rows[i], w.src.items[i]
		if plain += unbroken.heightOf(r, item); plain > w.size.Y {
			break
		}
		plain, broken, n = plain+w.gap, broken+w.look.heightOf(r, item)+w.gap, n+1
	}
	return n, broken - w.gap - w.size.Y
}

// note() chooses the place of the bars. It hides the notes of all rows, if all rows fit only without notes. The rows may have to move
// closer together. In a list with pages, it hides no notes. A bar below its text never hides a note.
func (w *List) note() {
	before := w.look.places
	w.look.noteless = false
	w.fitBars()
	if w.pager.dwell <= 0 && w.unseen() == 0 && len(w.src.rows) <= len(w.slots) && w.total() > w.size.Y {
		w.look.noteless = true
		over := w.total() - w.size.Y
		w.look.noteless = over <= 0 || len(w.growth.looks) > 1 && w.closer(len(w.src.rows), over) > 0
	}
	if w.look.noteless {
		w.fitBars() // again, because the free height is larger without notes
	}
	w.look.beside = w.look.beside && w.look.noteless
	if w.look.places != before {
		w.forget()
	}
}

// aside() moves every note from below its text to the end of its text. It moves the notes if the n rows have no room for notes below the
// texts, and if all notes fit after their texts. It reports whether it moved or hid the notes.
func (w *List) aside(n int) bool {
	cut := func(s *listRow) bool { return !s.beside() }
	before := w.look.beside
	w.look.beside = w.look.noteless && n == len(w.src.rows) && !slices.ContainsFunc(w.slots[:n], cut)
	if w.look.beside == before {
		return false
	}
	w.forget()
	return true
}

// dress() removes the content of the row and uses the faces of its look.
func (r *listRow) dress() {
	k := r.look
	r.rect, r.used = r.rect.Sub(r.rect.Min), false
	r.text.Face, r.note.Face, r.tail.Face, r.badge.Face, r.value.Face = k.body, k.note, k.note, k.badge, k.strong
	for _, s := range []*piece.Snippet{&r.text, &r.note, &r.tail, &r.badge, &r.value} {
		s.Raw = s.Raw[:0]
	}
	r.plateCorner, r.barCorner, r.block, r.noteBlock = nil, nil, nil, nil
}

// whole() reports whether all parts of the row are complete.
func (r *listRow) whole() bool {
	if r.needs || r.ousts || r.lost || r.text.Face.Size != r.look.body.Size {
		return false
	}
	if r.block != nil {
		return !r.block.Block.Shortened() && r.block.Face.Size == r.look.body.Size && r.wholeNote()
	}
	return r.text.Want() <= r.text.Box.Dx() && r.wholeNote() && r.value.Want() <= r.value.Box.Dx()
}

// wholeNote reports whether the note of the row is complete.
func (r *listRow) wholeNote() bool {
	if r.noteMost > 1 {
		return !r.noteBlock.Block.Shortened()
	}
	return r.note.Want() <= r.note.Box.Dx()
}
