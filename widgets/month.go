package widgets

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/theme/look"
)

// MonthParams are the parameters of the month widget.
type MonthParams struct {
	Framed
	Picking
	Weeks       int  `yaml:"weeks" default:"0" min:"0" max:"8" doc:"Number of weeks from this one on; without it those of the month."`
	WeekNumbers bool `yaml:"week_numbers" default:"false" doc:"The numbers of the weeks on the left."`
}

// month shows the days of a month, this one marked.
type month struct {
	b     *Builder
	size  image.Point
	weeks int
	rows  int   // of days
	left  int   // px, for the numbers of the weeks
	top   int   // px, below the names of the days
	head  *head // its own, where no title is written

	names     []*caption
	numbers   []*caption
	days      []*caption
	inks      []color.RGBA
	disc      path.Shape
	discAt    image.Point
	discColor color.RGBA

	tiny  bool     // there is room for today alone
	today *caption // then

	shown time.Time // midnight of the day that is marked
	first time.Time // noon of the first day shown

	events *events
	large  bool // events stand in the days
	bars   []monthBar
	more   []snippet // of the days, "+3 more"
	dots   []monthDot
	buf    []byte
}

// daysOfWeek and mostWeeks bound the grid.
const (
	daysOfWeek = 7
	mostWeeks  = 6
)

func buildMonth(b *Builder, s *Spec, p *MonthParams, size image.Point) render.Widget {
	w := &month{b: b, size: size, weeks: p.Weeks, discColor: b.role("accent"), events: b.events(s, &p.Picking, eventChoice{}, false)}
	top := 0
	if p.Title == nil {
		f := Framed{}
		f.Title = plainLine(" ")
		f.Note = plainLine(" ")
		f.Icon = plainIcon("calendar-blank-outline")
		w.head = b.newHead(s, &f, image.Rectangle{Max: size})
		top = w.head.box.Max.Y + b.px(headBelow)/2
	}
	w.lay(top, p.WeekNumbers)
	return w
}

// cell is the rectangle of a day.
func (w *month) cell(row, column int) image.Rectangle {
	wide, high := w.size.X-w.left, w.size.Y-w.top
	r := image.Rect(w.left+column*wide/daysOfWeek, w.top+row*high/w.rows, w.left+(column+1)*wide/daysOfWeek, w.top+(row+1)*high/w.rows)
	return w.mirrored(r)
}

// mirrored is a rectangle in languages from right to left.
func (w *month) mirrored(r image.Rectangle) image.Rectangle {
	if w.b.Locale.RightToLeft {
		r.Min.X, r.Max.X = w.size.X-r.Max.X, w.size.X-r.Min.X
	}
	return r
}

// lay makes the captions of the grid.
func (w *month) lay(top int, numbers bool) {
	b := w.b
	w.rows = mostWeeks
	if w.weeks > 0 {
		w.rows = w.weeks
	}
	labelFace := b.faceOf("label", b.Look.Styles["label"])
	if numbers && w.size.X > (daysOfWeek+2)*b.textWidth(labelFace, "000") {
		w.left = b.textWidth(labelFace, "00") + b.px(12)
	}
	w.top = top + (w.size.Y-top)/(w.rows+1)
	if w.large = w.events.asked() && w.roomy(top, labelFace); w.large {
		w.top = top + labelFace.line + b.px(6)
	}
	cell := w.cell(0, 0).Size()
	body := b.Look.Styles["caption"]
	dayFace := b.faceAt(body, min(b.face("caption").size, cell.Y*3/4, cell.X*2/3))
	for i := range daysOfWeek {
		c := w.cell(0, i)
		if w.large {
			c = w.dayBox(c, dayFace)
		}
		w.names = append(w.names, b.caption(labelFace, image.Rect(c.Min.X, top, c.Max.X, w.top), edgeCenter))
	}
	for row := range w.rows {
		if w.left > 0 {
			c := w.cell(row, 0)
			w.numbers = append(w.numbers, b.caption(labelFace, w.mirrored(image.Rect(0, c.Min.Y, w.left, c.Min.Y+w.numberHeight(c, dayFace))), b.edgeOf("start")))
		}
		for i := range daysOfWeek {
			w.days = append(w.days, b.caption(dayFace, w.dayBox(w.cell(row, i), dayFace), edgeCenter))
		}
	}
	w.inks = make([]color.RGBA, len(w.days))
	if min(cell.X, cell.Y) < b.least()*5/4 {
		w.tiny, w.large, w.names, w.numbers = true, false, nil, nil
		box := image.Rect(0, top, w.size.X, w.size.Y)
		w.today = b.caption(b.faceAt(b.Look.Styles["figure"], min(box.Dy(), b.face("figure").size)), box, edgeCenter)
		return
	}
	var p path.Path
	var raster path.Raster
	box := w.days[0].box
	r := float64(min(box.Dy(), box.Dx(), int(float64(dayFace.size)*2.3))) / 2
	if w.events.asked() {
		r = max(r, float64(dayFace.size)*0.8)
	}
	p.Circle(r, r, r)
	raster.Fill(&w.disc, &p, image.Rect(0, 0, int(2*r)+1, int(2*r)+1))
}

// Update implements render.Widget.
func (w *month) Update(t render.Tick) {
	now := t.Now().In(w.b.Location)
	midnight := midnightOf(now, 0)
	t.Wake(midnightOf(now, 1))
	changed := w.events.update(t)
	if midnight.Equal(w.shown) && !changed {
		return
	}
	w.shown = midnight
	w.fill()
	w.place()
	t.DamageAll()
}

// fill writes the days around the one that is marked.
func (w *month) fill() {
	b, today := w.b, w.shown
	l := b.Locale
	first := time.Date(today.Year(), today.Month(), 1, 12, 0, 0, 0, b.Location)
	if w.weeks > 0 {
		first = today.Add(12 * time.Hour)
	}
	first = first.AddDate(0, 0, -(int(first.Weekday())-int(l.FirstDay)+daysOfWeek)%daysOfWeek)
	w.first = first
	w.nameDays()
	for i, c := range w.days {
		w.day(c, i, first.AddDate(0, 0, i))
	}
	for i, c := range w.numbers {
		_, week := l.Week(first.AddDate(0, 0, daysOfWeek*i+3))
		w.buf = l.AppendNumber(w.buf[:0], float64(week), 0, false)
		c.set(string(w.buf))
		if w.days[daysOfWeek*i].raw == "" {
			c.set("")
		}
	}
	if w.tiny {
		w.buf = l.AppendNumber(w.buf[:0], float64(today.Day()), 0, false)
		w.today.set(string(w.buf))
	}
	if w.head != nil {
		w.head.titleIn.plain = strings.TrimSpace(l.Month(today.Month(), false))
		w.head.noteIn.plain = today.Format("2006")
		w.head.load(b)
	}
}

// nameDays writes the days of the week: letters where one of the short names has no room.
func (w *month) nameDays() {
	l := w.b.Locale
	letters := false
	for i, c := range w.names {
		name := l.Day((l.FirstDay+time.Weekday(i))%daysOfWeek, true)
		letters = letters || w.b.textWidth(c.face, name) > c.box.Dx()-w.b.px(4)
	}
	for i, c := range w.names {
		d := (l.FirstDay + time.Weekday(i)) % daysOfWeek
		if letters {
			c.set(l.DayLetter(d))
		} else {
			c.set(l.Day(d, true))
		}
	}
}

// day writes one day: other months' fainter, weekends muted, today on a disc.
func (w *month) day(c *caption, i int, day time.Time) {
	b := w.b
	other := day.Month() != w.shown.Month() && w.weeks == 0
	if w.tiny {
		c.set("")
		return
	}
	if other && (b.Look.Ink || i >= daysOfWeek && w.rowIsOther(i, day)) {
		c.set("")
		return
	}
	w.buf = b.Locale.AppendNumber(w.buf[:0], float64(day.Day()), 0, false)
	c.set(string(w.buf))
	weekend := day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
	switch {
	case sameDay(day, w.shown):
		w.inks[i] = b.on(b.Look.Colors["accent"])
		at := c.box.Min.Add(c.box.Size().Div(2))
		size := w.disc.Bounds().Size()
		w.discAt = image.Pt(at.X-size.X/2, at.Y-size.Y/2)
	case other:
		w.inks[i] = b.role("faint")
	case weekend:
		w.inks[i] = b.role("muted")
	default:
		w.inks[i] = b.role("text")
	}
}

// rowIsOther reports whether the row of a day is wholly another month's.
func (w *month) rowIsOther(i int, day time.Time) bool {
	start := day.AddDate(0, 0, -(i % daysOfWeek))
	return start.Month() != w.shown.Month()
}

func sameDay(a, b time.Time) bool {
	y, m, d := a.Date()
	y2, m2, d2 := b.Date()
	return y == y2 && m == m2 && d == d2
}

// on is the color of text on a color: near black or near white, whichever is read better.
func (b *Builder) on(under color.NRGBA) color.RGBA {
	dark, light := color.NRGBA{11, 15, 22, 255}, color.NRGBA{255, 255, 255, 255}
	if look.Contrast(dark, under) >= look.Contrast(light, under) {
		return render.Premultiply(dark)
	}
	return render.Premultiply(light)
}

// Paint implements render.Widget.
func (w *month) Paint(c render.Canvas) {
	if w.head != nil {
		w.head.paint(c)
	}
	if w.tiny {
		w.today.paint(c, w.b.role("text"))
		return
	}
	muted, faint := w.b.role("muted"), w.b.role("faint")
	for _, n := range w.names {
		n.paint(c, muted)
	}
	for _, n := range w.numbers {
		n.paint(c, faint)
	}
	w.paintLines(c)
	c.Shape(&w.disc, w.discAt, w.discColor)
	for i, d := range w.days {
		d.paint(c, w.inks[i])
	}
	w.paintEvents(c)
}

// plainLine and plainIcon are parameters as if they were written.
func plainLine(s string) *config.Live[string] { return &config.Live[string]{Plain: s} }

func plainIcon(name string) *config.Live[value.Icon] {
	return &config.Live[value.Icon]{Plain: value.Icon{Name: name}}
}
