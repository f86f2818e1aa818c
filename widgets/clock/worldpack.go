package clock

import (
	"image"
	"strconv"
	"time"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// pack places the rows in smaller text, so that more rows fit. If the width is too small, the times have no AM or PM. pack omits the last
// rows that do not fit. If fewer than `least` rows fit, it returns false.
func (w *world) pack(size image.Point, least int) bool {
	st, usual, all := w.b.Look.Styles["body"], w.time, len(w.rows)
	for n := all; n >= least; n-- {
		for _, w.time = range []string{usual, bareTime(usual)} {
			for px := w.b.Face("body").Size; px >= w.b.Least(); px-- {
				face := w.b.FaceAt(st, px)
				digits := 0
				for _, at := range []time.Time{piece.LongDay, piece.LongMorning} {
					digits = max(digits, w.b.TextWidth(face, string(w.b.Locale.AppendPattern(nil, at, w.time))))
				}
				names := size.X - digits - px/2
				if n*px*6/5 <= size.Y && w.longest(face, all-n) <= names {
					w.rows = w.rows[:n]
					w.placePacked(face, image.Pt(size.X, min(size.Y/n, 2*px)), names)
					w.count(all-n, face)
					return true
				}
			}
		}
	}
	w.time = usual
	return false
}

// placePacked places the rows. `size` is the size of a row, and `names` is the width of a name, both in px.
func (w *world) placePacked(f kit.Face, size image.Point, names int) {
	for i := range w.rows {
		r, row := &w.rows[i], image.Rectangle{Max: size}.Add(image.Pt(0, i*size.Y))
		left, right := row, row
		left.Max.X, right.Min.X = names, names+f.Size/2
		r.name, r.time = w.b.Caption(f, left, kit.EdgeStart), w.b.Caption(f, right, kit.EdgeEnd)
		r.name.Set(r.zone.Name)
	}
}

// bareTime returns a pattern without AM and PM.
func bareTime(pattern string) string {
	rest, _ := withoutHalf(pattern)
	return rest
}

// longest() returns the width in px of the longest name. If places are hidden, the width includes the room for their number.
func (w *world) longest(f kit.Face, hidden int) (wide int) {
	for i := range w.rows[:len(w.rows)-hidden] {
		wide = max(wide, w.b.TextWidth(f, w.rows[i].zone.Name))
	}
	if hidden > 0 {
		wide += w.b.TextWidth(f, "+"+strconv.Itoa(hidden)) + f.Size/2
	}
	return wide
}

// count() shows the number of hidden places at the end of the last name's line.
func (w *world) count(hidden int, f kit.Face) {
	if hidden <= 0 {
		return
	}
	name := w.rows[len(w.rows)-1].name
	words := "+" + strconv.Itoa(hidden)
	w.more = w.b.Caption(f, name.Box, kit.EdgeEnd)
	name.Box.Max.X = max(name.Box.Min.X+1, name.Box.Max.X-w.b.TextWidth(f, words)-f.Size/2)
	text := name.Raw
	name.Set("")
	name.Set(text)
	w.more.Set(words)
}
