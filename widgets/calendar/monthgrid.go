package calendar

import (
	"image"
	"image/color"
	"time"

	"dashboard/render/path"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// cell() returns the rectangle of the day in the given row and column.
func (w *month) cell(row, column int) image.Rectangle {
	wide, high := w.size.X-w.left, w.size.Y-w.top
	r := image.Rect(w.left+column*wide/piece.DaysOfWeek, w.top+row*high/w.rows, w.left+(column+1)*wide/piece.DaysOfWeek, w.top+(row+1)*high/w.rows)
	return w.mirrored(r)
}

// mirrored() mirrors a rectangle if the language is written from right to left.
func (w *month) mirrored(r image.Rectangle) image.Rectangle {
	if w.b.Locale.RightToLeft {
		r.Min.X, r.Max.X = w.size.X-r.Max.X, w.size.X-r.Min.X
	}
	return r
}

// lay creates the captions of the grid. It computes their size for the maximum number of weeks, so that the texts have the same size in
// all months.
func (w *month) lay(numbers bool) {
	b := w.b
	w.rows = mostWeeks
	if w.weeks > 0 {
		w.rows = w.weeks
	}
	w.label = b.Face("label")
	if numbers && w.size.X > (piece.DaysOfWeek+2)*b.TextWidth(w.label, "000") {
		w.left = b.TextWidth(w.label, "00") + b.Px(12)
	}
	ok := w.faces()
	for ; !ok && w.rows > leastWeeks; ok = w.faces() { // the weeks from this week are more useful than today alone
		w.rows--
		w.weeks = w.rows
	}
	if !ok {
		w.layToday()
	} else {
		w.layDays()
		w.grid()
		w.layDisc()
	}
	w.inks = make([]color.RGBA, len(w.days))
}

// leastWeeks is the minimum number of weeks that are shown if there is no room for the complete month.
const leastWeeks = 2

// faces chooses the faces of the days for the current number of rows and reports whether the numbers fit into their cells.
func (w *month) faces() bool {
	b := w.b
	w.large = w.events.Asked() && w.roomy(w.under, w.label)
	w.setTop()
	cell := w.cell(0, 0).Size()
	st := b.Look.Styles["caption"]
	size := min(b.Face("caption").Size, cell.Y*3/4, cell.X*2/3)
	w.number = b.FaceAt(st, size)
	st.Weight = max(st.Weight, 600)
	w.strong = b.FaceAt(st, size)
	wide := b.TextWidth(w.strong, "28")
	return min(cell.X, cell.Y) >= b.Least()*5/4 && wide*max(b.Least(), size*3/4) <= cell.X*size // a caption may shrink to 3/4 of its size
}

// setTop computes the y coordinate at which the rows of days start, below the names of the days.
func (w *month) setTop() {
	w.top = w.under + (w.size.Y-w.under)/(w.rows+1)
	if w.large {
		w.top = w.under + w.label.Line + w.b.Px(6)
	}
}

// layToday creates the caption of today, or of the next days, because the widget is too small for a grid.
func (w *month) layToday() {
	b, box := w.b, image.Rect(0, w.under, w.size.X, w.size.Y)
	w.tiny, w.large, w.left = true, false, 0
	w.layDays()
	if w.layNear(box) {
		return
	}
	w.names = nil
	w.today = b.Caption(b.FaceAt(b.Look.Styles["figure"], min(box.Dy(), b.Face("figure").Size)), box, kit.EdgeCenter)
}

// Numbers of days that are shown from today on if weeks have no room.
const (
	nearLeast = 3
	nearMost  = 5
)

// layNear places the next days in a box, if there is room for enough days, and reports whether it did.
func (w *month) layNear(box image.Rectangle) bool {
	b := w.b
	w.number = b.Face("caption")
	w.strong = w.number
	high := w.label.Line + w.number.Size*2
	n := min(nearMost, box.Dx()/(b.TextWidth(w.number, "28")+max(2, w.number.Size/6)))
	if n < nearLeast || box.Dy() < high {
		return false
	}
	w.near, w.names = n, w.names[:n]
	top := box.Min.Y + (box.Dy()-high)/2
	for i, c := range w.names {
		r := image.Rect(i*w.size.X/n, top, (i+1)*w.size.X/n, top+high)
		c.Place(w.mirrored(image.Rect(r.Min.X, top, r.Max.X, top+w.label.Line)))
		w.days[i].Face = w.number
		w.days[i].Place(w.mirrored(image.Rect(r.Min.X, top+w.label.Line, r.Max.X, r.Max.Y)))
	}
	w.layDisc()
	return true
}

// layDays creates the captions of all days. The method grid() places them.
func (w *month) layDays() {
	b, none := w.b, image.Rectangle{}
	for range piece.DaysOfWeek {
		w.names = append(w.names, b.Caption(w.label, none, kit.EdgeCenter))
	}
	for range w.rows {
		if w.left > 0 {
			w.numbers = append(w.numbers, b.Caption(w.label, none, b.EdgeOf("start")))
		}
		for range piece.DaysOfWeek {
			w.days = append(w.days, b.Caption(w.number, none, kit.EdgeCenter))
		}
	}
}

// layDisc creates the disc behind today.
func (w *month) layDisc() {
	var p path.Path
	var raster path.Raster
	box := w.days[0].Box
	r := float64(min(box.Dy(), box.Dx(), int(float64(w.number.Size)*2.3))) / 2
	if w.events.Asked() {
		r = max(r, float64(w.number.Size)*0.8)
	}
	if w.b.Look.Ink { // a rounded rectangle has more room for the number than a disc has
		p.RoundRect(0, 0, 2*r, 1.7*r, 0.4*r)
	} else {
		p.Circle(r, r, r)
	}
	raster.Fill(&w.disc, &p, image.Rect(0, 0, int(2*r)+1, int(2*r)+1))
}

// grid() places the week numbers, the names and the days of the shown weeks.
func (w *month) grid() {
	if w.tiny {
		return
	}
	w.setTop()
	for i, c := range w.names {
		cell := w.cell(0, i)
		if w.large {
			cell = w.dayBox(cell, w.number)
		}
		c.Place(image.Rect(cell.Min.X, w.under, cell.Max.X, w.top))
	}
	for row := range w.rows {
		if w.left > 0 {
			cell := w.cell(row, 0)
			w.numbers[row].Place(w.mirrored(image.Rect(0, cell.Min.Y, w.left, cell.Min.Y+w.numberHeight(cell, w.number))))
		}
		for i := range piece.DaysOfWeek {
			w.days[row*piece.DaysOfWeek+i].Place(w.dayBox(w.cell(row, i), w.number))
		}
	}
}

// weeksOf returns the number of weeks that a month needs. `before` is the number of days of the previous month in the first week.
func weeksOf(first time.Time, before int) int {
	days := first.AddDate(0, 1, -1).Day()
	return (before + days + piece.DaysOfWeek - 1) / piece.DaysOfWeek
}
