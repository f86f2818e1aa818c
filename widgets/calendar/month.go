package calendar

import (
	"image"
	"image/color"
	"strings"
	"time"

	"dashboard/render"
	"dashboard/render/path"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// MonthParams are the parameters of the month widget.
type MonthParams struct {
	kit.Framed
	kit.Picking
	// Number of weeks, from this week. Default: the weeks of the month, or fewer weeks from this week if they do not fit.
	Weeks int `yaml:"weeks" default:"0" min:"0" max:"8"`
	// Week numbers on the left.
	WeekNumbers bool `yaml:"week_numbers" default:"false"`
}

// month shows the days of a month and marks today.
type month struct {
	b     *kit.Builder
	size  image.Point
	weeks int
	rows  int       // number of rows of days
	left  int       // width of the column of week numbers, in px
	under int       // y coordinate below the title line
	top   int       // y coordinate below the names of the days
	head  *kit.Head // title line that the widget creates if the file sets no title

	label, number, strong kit.Face // faces of the day names, of the day numbers, and of today's number

	names     []*kit.Caption
	numbers   []*kit.Caption
	days      []*kit.Caption
	inks      []color.RGBA
	disc      path.Shape
	discAt    image.Point
	discColor color.RGBA

	tiny  bool         // true if there is no room for weeks
	near  int          // number of days from today that are shown instead of weeks, or 0 if there is room for today only
	today *kit.Caption // caption of today, used if tiny is true

	shown time.Time // midnight of the day that is marked as today
	first time.Time // noon of the first shown day

	events *kit.Events
	large  bool // true if the days have room for event titles
	bars   []monthBar
	more   []piece.Snippet // for each day, a text such as "+3 more"
	dots   []monthDot
	buf    []byte
}

// mostWeeks is the maximum number of rows that a calendar month needs. The key `weeks` may set more rows.
const (
	mostWeeks = 6
)

func buildMonth(b *kit.Builder, s *kit.Spec, p *MonthParams, size image.Point) render.Widget {
	w := &month{b: b, size: size, weeks: p.Weeks, discColor: b.Role("accent"), events: b.Events(s, &p.Picking, kit.EventChoice{}, false)}
	top := 0
	if p.Title == nil {
		f := kit.Framed{}
		f.Title = piece.PlainLine(" ")
		f.Note = piece.PlainLine(" ")
		f.Icon = piece.PlainIcon("calendar-blank-outline")
		w.head = b.NewHead(s, &f, image.Rectangle{Max: size})
		top = w.head.Box.Max.Y + b.Px(kit.HeadBelow)/2
	}
	w.under = top
	w.lay(p.WeekNumbers)
	return w
}

// Update implements render.Widget.
func (w *month) Update(t render.Tick) {
	now := t.Now().In(w.b.Location)
	midnight := piece.MidnightOf(now, 0)
	t.Wake(piece.MidnightOf(now, 1))
	changed := w.events.Update(t)
	if midnight.Equal(w.shown) && !changed {
		return
	}
	w.shown = midnight
	w.fill()
	w.place()
	t.DamageAll()
}

// fill sets the texts of all shown days and week numbers, and the title line.
func (w *month) fill() {
	b, today := w.b, w.shown
	l := b.Locale
	first := time.Date(today.Year(), today.Month(), 1, 12, 0, 0, 0, b.Location)
	if w.weeks > 0 {
		first = today.Add(12 * time.Hour)
	}
	before := (int(first.Weekday()) - int(l.FirstDay) + piece.DaysOfWeek) % piece.DaysOfWeek
	if rows := weeksOf(first, before); w.weeks == 0 && rows != w.rows {
		w.rows = rows
		w.grid()
	}
	first = first.AddDate(0, 0, -before)
	if w.near > 0 {
		first = today.Add(12 * time.Hour)
	}
	w.first = first
	w.nameDays()
	for i, c := range w.days[:w.rows*piece.DaysOfWeek] {
		w.day(c, i, first.AddDate(0, 0, i))
	}
	for i, c := range w.numbers[:min(w.rows, len(w.numbers))] {
		_, week := l.Week(first.AddDate(0, 0, piece.DaysOfWeek*i+3))
		w.buf = l.AppendNumber(w.buf[:0], float64(week), 0, false)
		c.Set(string(w.buf))
		if w.days[piece.DaysOfWeek*i].Raw == "" {
			c.Set("")
		}
	}
	if w.tiny && w.near == 0 {
		w.buf = l.AppendNumber(w.buf[:0], float64(today.Day()), 0, false)
		w.today.Set(string(w.buf))
	}
	if w.head != nil {
		w.head.TitleIn.Plain = strings.TrimSpace(l.Month(today.Month(), false))
		w.head.NoteIn.Plain = string(l.AppendPattern(nil, today, "y"))
		w.head.Load(b)
		w.head.Keep(image.Rectangle{Max: w.size})
	}
}

// nameDays sets the names of the days of the week, or single letters if a short name does not fit.
func (w *month) nameDays() {
	l := w.b.Locale
	letters, start := false, w.first.Weekday()
	for i, c := range w.names {
		name := l.Day((start+time.Weekday(i))%piece.DaysOfWeek, true)
		letters = letters || w.b.TextWidth(c.Face, name) > c.Box.Dx()-w.b.Px(4)
	}
	for i, c := range w.names {
		d := (start + time.Weekday(i)) % piece.DaysOfWeek
		if letters {
			c.Set(l.DayLetter(d))
		} else {
			c.Set(l.Day(d, true))
		}
	}
}

// day() sets the caption of one day. Days of other months are fainter. In black and white, they are hidden. Weekends are muted, and today
// has a disc behind its number.
func (w *month) day(c *kit.Caption, i int, day time.Time) {
	b := w.b
	other := day.Month() != w.shown.Month() && w.weeks == 0
	f := w.number
	if sameDay(day, w.shown) {
		f = w.strong
	}
	if c.Face != f {
		c.Face = f
		c.Layout()
	}
	if w.tiny && i >= w.near {
		c.Set("")
		return
	}
	if other && b.Look.Ink {
		c.Set("")
		return
	}
	w.buf = b.Locale.AppendNumber(w.buf[:0], float64(day.Day()), 0, false)
	c.Set(string(w.buf))
	weekend := day.Weekday() == time.Saturday || day.Weekday() == time.Sunday
	switch {
	case sameDay(day, w.shown):
		w.inks[i] = on(b, b.Look.Colors["accent"])
		at := c.Box.Min.Add(c.Box.Size().Div(2))
		size := w.disc.Bounds().Size()
		w.discAt = image.Pt(at.X-size.X/2, at.Y-size.Y/2)
	case other:
		w.inks[i] = b.Role("faint")
	case weekend:
		w.inks[i] = b.Role("muted")
	default:
		w.inks[i] = b.Role("text")
	}
}

func sameDay(a, b time.Time) bool {
	y, m, d := a.Date()
	y2, m2, d2 := b.Date()
	return y == y2 && m == m2 && d == d2
}

// on() returns a text color for the background color `under`: almost black or almost white, whichever has more contrast.
func on(b *kit.Builder, under color.NRGBA) color.RGBA {
	dark, light := color.NRGBA{11, 15, 22, 255}, color.NRGBA{255, 255, 255, 255}
	if look.Contrast(dark, under) >= look.Contrast(light, under) {
		return render.Premultiply(dark)
	}
	return render.Premultiply(light)
}

// Paint implements render.Widget.
func (w *month) Paint(c render.Canvas) {
	if w.head != nil {
		w.head.Paint(c)
	}
	if w.tiny && w.near == 0 {
		w.today.Paint(c, w.b.Role("text"))
		return
	}
	muted, faint := w.b.Role("muted"), w.b.Role("faint")
	for _, n := range w.names {
		n.Paint(c, muted)
	}
	for _, n := range w.numbers[:min(w.rows, len(w.numbers))] {
		n.Paint(c, faint)
	}
	w.paintLines(c)
	c.Shape(&w.disc, w.discAt, w.discColor)
	for i, d := range w.days[:w.rows*piece.DaysOfWeek] {
		d.Paint(c, w.inks[i])
	}
	w.paintEvents(c)
}
