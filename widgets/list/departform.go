package list

import (
	"bytes"
	"image"

	"dashboard/widgets/kit"
)

// A boardForm is the form of all rows of a board.
type boardForm struct {
	below bool // true if the destinations are below the badges, and not next to them
	lines int  // maximum number of lines of a destination
	style int  // smallest face that a destination may have: 0 (the usual face), 1 (the face of notes) or `smallest`
}

// smallest is the value of boardForm.style for the smallest readable text.
const smallest = 2

// boardForms are the forms of a board, the preferred form first. pick() tries each of them with each style.
var boardForms = [...]boardForm{{lines: 1}, {lines: 2}, {below: true, lines: 1}, {below: true, lines: 2}}

// face() returns the face of destinations for a value of the field `style` of boardForm.
func (w *departures) face(style int) kit.Face {
	least := kit.Face{Font: w.look.note.Font, Size: w.look.small.Size, Line: w.look.small.Line}
	if w.b.Shorter() < kit.Small {
		least.Size = w.b.Least()
	}
	return [...]kit.Face{w.look.body, w.look.note, least}[style]
}

// line() returns the distance between two lines of text in a face, in px.
func (w *departures) line(f kit.Face) int { return w.b.Text.Metrics(f.Font, f.Size).LineHeight }

// band() returns the height in px of the lines that a destination has in a form.
func (w *departures) band(f boardForm) int {
	return f.lines * w.line(w.face(f.style))
}

// heightOf returns the height of a row in a form, in px.
func (w *departures) heightOf(f boardForm) int {
	k := w.look
	switch {
	case f.below && w.tight && f.style == smallest:
		return max(k.badgeHeight, k.body.Size) + w.band(f) + k.body.Size/8
	case f.below:
		return k.high(1) + w.band(f) + k.body.Size/4
	case f.lines > 1:
		return max(k.height, w.band(f)+k.body.Size/4)
	}
	return k.height
}

// fit() chooses the form of the first n rows and the width of their badges. If destinations are cut, it tries smaller gaps and badges
// that are as narrow as their texts. It keeps these sizes if less is then cut. The results are the results of shape().
func (w *departures) fit(n int, alert bool) (shown, ideal int) {
	var least int
	w.badge, least = w.measure(n)
	wide := w.badge
	w.gap = w.look.gap
	shown, ideal = w.shape(n, alert)
	cut, lost := w.cuts(shown)
	if cut == 0 || w.styles() == 1 {
		return shown, ideal
	}
	w.badge, w.gap = least, w.look.gap/2
	rows, high := w.shape(n, alert)
	if slim, less := w.cuts(rows); slim == 0 || rows >= shown && (slim < cut || slim == cut && 2*less <= lost) {
		return rows, high
	}
	w.badge, w.gap = wide, w.look.gap
	return w.shape(n, alert)
}

// shape() chooses the form of the first n rows. If several forms fit, it chooses the form that cuts the fewest destinations. If one row has
// no room for its destination next to the badge, all destinations are below the badges. In this case, fewer rows may fit. If the board is
// narrow, fewer() may drop rows. shape() returns the number of shown rows, and the height in px that a row would have on a board with more
// room.
func (w *departures) shape(n int, alert bool) (shown, ideal int) {
	all := n
	fits := func(f boardForm, n int) bool {
		w.high = w.heightOf(f)
		return w.room(alert) >= n && w.high <= w.size.Y
	}
	below := boardForm{below: true, lines: 1}
	w.form, w.tight = boardForms[0], false
	w.cuts(n)
	hides := w.hides(n) && fits(below, 1)
	if hides {
		if n = min(n, w.room(alert)); n == 1 && w.tighten(all, fits) {
			n = 2
		}
	}
	w.pick(n, w.styles(), func(f boardForm) bool { return (f.below || !hides) && fits(f, n) })
	if shown = n; !hides {
		shown = w.fewer(n, fits)
	}
	form := w.form
	w.pick(n, 1, func(f boardForm) bool { return f.below || !hides })
	ideal = w.heightOf(w.form)
	w.form = form
	w.high = min(w.size.Y, w.heightOf(form))
	return shown, ideal
}

// tighten moves the rows of a small board closer together, if the board can then show two departures without cutting a destination. `all`
// is the number of departures. tighten reports whether it moved the rows.
func (w *departures) tighten(all int, fits func(boardForm, int) bool) bool {
	if all < 2 || w.styles() <= smallest {
		return false
	}
	w.tight, w.form = true, boardForm{below: true, lines: 1, style: smallest}
	cut, _ := w.cuts(2)
	w.tight = cut == 0 && fits(w.form, 2)
	return w.tight
}

// leastRows is the number of rows that a board keeps, even if fewer rows would show more of the destinations.
const leastRows = 3

// fewer() drops the last rows on narrow boards. It selects a form for fewer than n rows if this form more than halves the hidden width of
// the destinations. At least two thirds of the n rows remain. fewer() returns the number of remaining rows.
func (w *departures) fewer(n int, fits func(boardForm, int) bool) int {
	form := w.form
	_, lost := w.cuts(n)
	for m := n - 1; m >= max(leastRows, (2*n+2)/3) && w.styles() > 1 && w.size.X < narrowBoard*w.look.body.Size; m-- {
		w.pick(n, w.styles(), func(f boardForm) bool { return fits(f, m) })
		if _, less := w.cuts(n); 2*less < lost {
			return m
		}
	}
	w.form = form
	return n
}

// styles() returns the number of styles from which shape() may choose. Destinations have a smaller style only if the file does not set the
// style or the text size.
func (w *departures) styles() int {
	if w.p.Style == "" && w.p.TextSize == 0 {
		return smallest + 1
	}
	return 1
}

// pick selects the best of the allowed forms for the first n rows, with each of the first `styles` styles. It tries the preferred forms
// first. A later form is better if it cuts fewer destinations. It is also better if it cuts equally many destinations but hides at most
// half as much of their widths.
func (w *departures) pick(n, styles int, allowed func(boardForm) bool) {
	best, least, hidden := w.form, n+1, 0
	for i := range styles * len(boardForms) {
		f := boardForms[i%len(boardForms)]
		f.style = i / len(boardForms)
		if least == 0 || !allowed(f) {
			continue
		}
		w.form = f
		if cut, lost := w.cuts(n); cut < least || cut == least && 2*lost <= hidden {
			best, least, hidden = f, cut, lost
		}
	}
	w.form = best
}

// cuts() returns the number of destinations that are cut in the current form, among the first n rows. It also returns the sum of the hidden
// widths. Each hidden width is in hundredths of the destination's complete width.
func (w *departures) cuts(n int) (cut, lost int) {
	for i := range w.rows[:n] {
		r := &w.rows[i]
		x, end := 0, w.size.X
		if !w.form.below {
			x, end, _ = r.beside(w)
		}
		if over := r.dress(w, max(0, end-x)); over > 0 {
			cut, lost = cut+1, lost+over
		}
	}
	return cut, lost
}

// dress() sets the form's largest face in which the destination fits, or the form's smallest face. The parameter `room` is the width of a
// line in px. dress also chooses the start of the second line. It returns the hidden width in hundredths of the complete width.
func (r *departRow) dress(w *departures, room int) (lost int) {
	for style := range w.form.style + 1 {
		r.at = 0
		r.to.Dress(w.face(style))
		if w.form.below && style < w.form.style && w.line(r.to.Face) > w.band(w.form) {
			continue
		}
		want := r.to.Want()
		over := want - room
		if over > 0 && w.form.lines*w.line(r.to.Face) <= w.band(w.form) {
			if w.form.lines > 1 {
				r.at, over = r.to.Break(r.to.Raw, room)
			}
		}
		if over <= 0 {
			return 0
		}
		lost = max(1, 100*over/want)
	}
	return lost
}

// breaks() places the two lines of a destination between two x coordinates. If the destination has only one line, breaks empties both
// lines, and r.to shows the destination.
func (r *departRow) breaks(w *departures, from, to int) {
	r.broken[0].Set(bytes.TrimRight(r.to.Raw[:r.at], " "))
	if r.at == 0 {
		r.broken[1].Set(nil)
		return
	}
	r.broken[1].Set(r.to.Raw[r.at:])
	high := w.line(r.to.Face)
	line := image.Rect(0, 0, 0, high).Add(image.Pt(0, (r.bottom.Min.Y+r.bottom.Max.Y)/2-high))
	for i := range r.broken {
		r.broken[i].Dress(r.to.Face)
		r.put(w, &r.broken[i], line.Add(image.Pt(0, i*high)), from, to)
	}
	r.to.Ink = image.Rectangle{}
}
