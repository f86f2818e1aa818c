package widgets

import (
	"image"
	"image/color"
	"strings"
	"time"

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
	under int   // px, below the title line
	top   int   // px, below the names of the days
	head  *head // its own, where no title is written

	label, number, strong face // of names, of days, and of today

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
	mostWeeks = 6
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
	w.under = top
	w.lay(p.WeekNumbers)
	return w
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
	before := (int(first.Weekday()) - int(l.FirstDay) + daysOfWeek) % daysOfWeek
	if rows := weeksOf(first, before); w.weeks == 0 && rows != w.rows {
		w.rows = rows
		w.grid()
	}
	first = first.AddDate(0, 0, -before)
	w.first = first
	w.nameDays()
	for i, c := range w.days[:w.rows*daysOfWeek] {
		w.day(c, i, first.AddDate(0, 0, i))
	}
	for i, c := range w.numbers[:min(w.rows, len(w.numbers))] {
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
	f := w.number
	if sameDay(day, w.shown) {
		f = w.strong
	}
	if c.face != f {
		c.face = f
		c.layout()
	}
	if w.tiny {
		c.set("")
		return
	}
	if other && b.Look.Ink {
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
	for _, n := range w.numbers[:min(w.rows, len(w.numbers))] {
		n.paint(c, faint)
	}
	w.paintLines(c)
	c.Shape(&w.disc, w.discAt, w.discColor)
	for i, d := range w.days[:w.rows*daysOfWeek] {
		d.paint(c, w.inks[i])
	}
	w.paintEvents(c)
}
