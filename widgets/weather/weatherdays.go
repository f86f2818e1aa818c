package weather

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// dayForm is the arrangement of the days.
type dayForm uint8

// Arrangements of the days: wide columns with bars, narrow columns without bars, one row for each day, and columns with two lines of
// text.
const (
	daysWide dayForm = iota
	daysNarrow
	daysRows
	daysBrief
)

// skyDays shows the next days. Each day has its weather and its range of temperatures. The ranges of all days use the same scale.
type skyDays struct {
	w     *forecast
	limit int
	form  dayForm
	count int
	first int // index of the first shown day in the view
	brief int // height of the form daysBrief in px, including the bars if there is room for them
	apart int // gap between the days in px, for the form daysBrief
	lines int // number of lines of days in the form daysBrief, 1 in other forms
	all   []skyDay
	bars  *image.RGBA // picture with the bars of all days
	rules []image.Rectangle
}

// skyDay is one of the days.
type skyDay struct {
	icon                  *emblem
	name, low, high, both *kit.Caption
	track                 image.Rectangle
	from, to              float64 // ends of the range, as shares of the common scale
}

// Lengths of the columns of days, in px on a screen whose shorter side has 720 px.
const (
	dayIcon    = 26
	dayIconGap = 6
	dayGap     = 18
	dayApart   = 8 // gap between narrow columns
	dayNear    = 6 // minimum gap between days in the form daysBrief
	dayLineGap = 8 // minimum gap between lines of days in the form daysBrief
	spanBar    = 6
	spanBarGap = 10
	dayRow     = 38
	dayRowMore = 18  // maximum height that is added to a row
	dayColumn  = 108 // minimum width of a wide column
)

func newSkyDays(w *forecast, most int) *skyDays {
	d := &skyDays{w: w, limit: most}
	strong := w.b.Look.Styles["caption"]
	strong.Weight = 500
	for range most {
		c := func(f kit.Face, e string) *kit.Caption { return w.b.Caption(f, image.Rectangle{}, w.b.EdgeOf(e)) }
		plain := w.b.Face("caption")
		d.all = append(d.all, skyDay{icon: w.emblem(), name: c(w.b.FaceOf("caption", strong), ""), low: c(plain, "end"), high: c(plain, "end"), both: c(plain, "")})
	}
	d.bars = image.NewRGBA(image.Rect(0, 0, max(1, w.size.X), w.b.Px(spanBar)*most))
	return d
}

func (d *skyDays) line() int { return d.all[0].name.Face.Line }

func (d *skyDays) wideHigh() int { return 2*d.line() + d.w.b.Px(spanBarGap+spanBar) }

func (d *skyDays) briefHigh() int { return 2 * d.briefLine() }

func (d *skyDays) briefLine() int { return min(d.line(), d.all[0].name.Face.Size*5/4) }

func (d *skyDays) narrowHigh() int { return 2*d.line() + d.w.b.Px(dayIcon+12) }

// high() returns the height of the chosen form in px, or 0 if there are no days.
func (d *skyDays) high() int {
	switch {
	case d.count == 0:
		return 0
	case d.form == daysWide:
		return d.wideHigh()
	case d.form == daysNarrow:
		return d.narrowHigh()
	case d.form == daysBrief:
		return d.lines*(d.brief+d.w.b.Px(dayLineGap)) - d.w.b.Px(dayLineGap)
	}
	return d.count * d.w.b.Px(dayRow)
}

// rows() returns the number of rows, one below the other. In the form daysRows, a row is a day. In other forms, a row is a line of days.
func (d *skyDays) rows() int {
	if d.form == daysRows {
		return d.count
	}
	return d.lines
}

// choose chooses the form and the number of the days. `high` is the available height in px.
func (d *skyDays) choose(v *view, high int) {
	b := d.w.b
	d.first, d.lines = 0, 1
	if d.w.begun(v) {
		d.first = 1
	}
	n := min(d.limit, len(v.days)-d.first)
	if d.count = max(0, n); d.count == 0 {
		return
	}
	wide := b.Px(dayColumn)
	room := d.w.size.X + b.Px(dayGap)
	rows, columns := 0, d.fitting(v, n, d.nameWidth(), b.Px(dayApart))
	if !b.Look.Ink && d.w.size.X >= 8*d.line() {
		rows = min(n, high/b.Px(dayRow))
	}
	switch {
	case room/n >= wide+b.Px(dayGap) && !b.Look.Ink && high >= d.wideHigh():
		d.form = daysWide
	case rows >= min(n, 4) || rows > columns:
		d.form, d.count = daysRows, rows
	case high < d.narrowHigh():
		d.form = daysBrief
		d.chooseBrief(v, n, high)
	case columns < min(n, daysFew) && d.chooseLines(v, n, columns, high):
	default:
		d.form, d.count = daysNarrow, columns
	}
}

// chooseBrief chooses the number of days for the form daysBrief, their gap, and whether they have bars.
func (d *skyDays) chooseBrief(v *view, n, high int) {
	b := d.w.b
	least := d.nameWidth() + b.Px(dayIconGap) + min(b.Px(dayIcon), d.briefLine())
	d.apart = b.Px(dayNear)
	d.count = d.fitting(v, n, least, d.apart)
	if d.fitting(v, n, least, b.Px(dayGap)) == d.count {
		d.apart = b.Px(dayGap)
	}
	d.brief = d.briefHigh()
	if bar := b.Px(spanBarGap + spanBar); !b.Look.Ink && high >= d.brief+bar {
		d.brief += bar
	}
}

// fitting() returns how many of n days fit side by side. A day is as wide as its temperatures, but at least `least` px. The parameter
// `apart` is the gap between two days. All lengths are in px.
func (d *skyDays) fitting(v *view, n, least, apart int) int {
	for ; n > 1; n-- {
		wide := least
		for i := range n {
			wide = max(wide, d.w.b.TextWidth(d.all[i].both.Face, d.highest(&v.days[d.first+i])))
		}
		if n*(wide+apart) <= d.w.size.X+apart {
			break
		}
	}
	return n
}

// shows() reports whether the file selects a part. A selected part may still be left out because it does not fit.
func (d *skyDays) shows(p skyPart) bool {
	for _, q := range d.w.parts {
		if q == p {
			return true
		}
	}
	return false
}

// begun() reports whether the days start with tomorrow, because the wall shows the weather of today elsewhere.
func (w *forecast) begun(v *view) bool { return v.today != nil && len(v.days) > 1 && w.today() }

// fill draws the days in a box.
func (d *skyDays) fill(v *view, box image.Rectangle) {
	b := d.w.b
	days := v.days[d.first : d.first+d.count]
	low, high := weather.None, weather.None
	for i := range days {
		if days[i].Min.Has() && !(days[i].Min >= low) {
			low = days[i].Min
		}
		if days[i].Max.Has() && !(days[i].Max <= high) {
			high = days[i].Max
		}
	}
	clear(d.bars.Pix)
	d.rules = d.rules[:0]
	for i := range days {
		x := &d.all[i]
		x.low.Set("")
		x.high.Set("")
		x.both.Set("")
		x.track = image.Rectangle{}
		x.from, x.to = -1, -1
		if days[i].Min.Has() && days[i].Max.Has() && high > low {
			x.from, x.to = float64((days[i].Min-low)/(high-low)), float64((days[i].Max-low)/(high-low))
		}
		switch d.form {
		case daysWide:
			d.column(i, &days[i], box, b.Px(dayGap))
		case daysBrief:
			d.column(i, &days[i], box, d.apart)
		case daysNarrow:
			d.narrow(i, &days[i], box)
		default:
			d.row(i, &days[i], box)
		}
		d.bar(i)
	}
}

// place() returns the rectangle of day i.
func (d *skyDays) place(i int, box image.Rectangle, gap int) image.Rectangle {
	columns := (d.count + d.lines - 1) / d.lines
	at, line := i%columns, i/columns
	left := at * (box.Dx() + gap) / columns
	right := (at+1)*(box.Dx()+gap)/columns - gap
	top := box.Min.Y + line*box.Dy()/d.lines
	if d.lines > 1 {
		return image.Rect(left, top, right, top+d.brief)
	}
	return image.Rect(left, top, right, box.Max.Y)
}

func (d *skyDays) title(day *weather.Day) string {
	return d.w.b.Locale.Day(day.Date.Weekday(), true)
}

// column() draws a day in the form daysWide or daysBrief. The icon is after the name. If there is room, a bar is below the temperatures.
func (d *skyDays) column(i int, day *weather.Day, box image.Rectangle, gap int) {
	b, w, x := d.w.b, d.w, &d.all[i]
	at := d.place(i, box, gap)
	side, line, y := b.Px(dayIcon), d.line(), at.Min.Y
	if d.form == daysBrief {
		line, side = d.briefLine(), min(side, d.briefLine())
	}
	x.name.Edge, x.both.Edge = b.EdgeOf(""), b.EdgeOf("")
	icon := image.Rect(at.Max.X-side, y, at.Max.X, y+side)
	if d.form == daysBrief {
		icon = icon.Add(image.Pt(at.Min.X+d.nameWidth()+b.Px(dayIconGap)-icon.Min.X, 0))
	}
	x.icon.set(w.kind(day), true, w.flip(icon))
	x.name.Place(w.flip(image.Rect(at.Min.X, y, icon.Min.X, y+line)))
	x.name.Set(d.title(day))
	y += line
	x.both.Place(w.flip(image.Rect(at.Min.X, y, at.Max.X, y+line)))
	switch {
	case y+line > w.size.Y: // there is room for one line
		return
	case d.form == daysBrief:
		x.both.Set(d.highest(day))
	default:
		x.both.Set(between(b, day))
	}
	y += line + b.Px(spanBarGap)
	if y+b.Px(spanBar) > at.Max.Y || b.Look.Ink {
		return
	}
	x.track = w.flip(image.Rect(at.Min.X, y, at.Max.X, y+b.Px(spanBar)))
}

// narrow() draws a day in the form daysNarrow. The name, the icon and the temperatures are one below the other.
func (d *skyDays) narrow(i int, day *weather.Day, box image.Rectangle) {
	b, w, x := d.w.b, d.w, &d.all[i]
	at := d.place(i, box, 0)
	if i > 0 && b.Look.Ink {
		line := b.Px(b.Look.Sizes.Line)
		d.rules = append(d.rules, w.flip(image.Rect(at.Min.X, at.Min.Y, at.Min.X+line, at.Min.Y+d.narrowHigh())))
	}
	x.name.Edge, x.both.Edge = kit.EdgeCenter, kit.EdgeCenter
	y, side := at.Min.Y, b.Px(dayIcon+4)
	x.name.Place(w.flip(image.Rect(at.Min.X, y, at.Max.X, y+d.line())))
	x.name.Set(d.title(day))
	y += d.line() + b.Px(4)
	middle := (at.Min.X + at.Max.X) / 2
	x.icon.set(w.kind(day), true, w.flip(image.Rect(middle-side/2, y, middle-side/2+side, y+side)))
	y += side + b.Px(4)
	x.both.Place(w.flip(image.Rect(at.Min.X, y, at.Max.X, y+d.line())))
	x.both.Set(d.highest(day))
}

// highest() returns the text with the highest and the lowest temperature of a day.
func (d *skyDays) highest(day *weather.Day) string {
	return string(degrees(d.w.b, append(degrees(d.w.b, nil, day.Max), ' '), day.Min))
}

// row() draws a day in the form daysRows: name, icon, lowest temperature, bar, highest temperature.
func (d *skyDays) row(i int, day *weather.Day, box image.Rectangle) {
	b, w, x := d.w.b, d.w, &d.all[i]
	high := box.Dy() / d.count
	at := image.Rect(0, box.Min.Y+i*high, box.Max.X, box.Min.Y+(i+1)*high)
	side, gap := min(b.Px(dayIcon), high), b.Px(10)
	name := d.nameWidth()
	x.name.Edge = b.EdgeOf("")
	x.name.Place(w.flip(image.Rect(0, at.Min.Y, name, at.Max.Y)))
	x.name.Set(d.title(day))
	left := name + gap
	y := at.Min.Y + (high-side)/2
	x.icon.set(w.kind(day), true, w.flip(image.Rect(left, y, left+side, y+side)))
	left += side + gap
	number := b.TextWidth(x.low.Face, "−00°")
	x.low.Edge, x.high.Edge = b.EdgeOf("end"), b.EdgeOf("end")
	right := at.Max.X - number
	x.high.Place(w.flip(image.Rect(right, at.Min.Y, at.Max.X, at.Max.Y)))
	x.high.Set(string(degrees(b, nil, day.Max)))
	if right-left-number < b.Px(30) || b.Look.Ink { // no bar: there is too little room, or the screen is black and white
		left = max(left, right-number-b.Px(12))
		x.low.Place(w.flip(image.Rect(left, at.Min.Y, min(right, left+number), at.Max.Y)))
		x.low.Set(string(degrees(b, nil, day.Min)))
		return
	}
	x.low.Place(w.flip(image.Rect(left, at.Min.Y, left+number, at.Max.Y)))
	x.low.Set(string(degrees(b, nil, day.Min)))
	bar := b.Px(spanBar)
	y = at.Min.Y + (high-bar)/2
	x.track = w.flip(image.Rect(left+number+gap, y, right-gap/2, y+bar))
}

// nameWidth returns the width in px of the longest name of a day.
func (d *skyDays) nameWidth() (wide int) {
	for day := range piece.DaysOfWeek {
		wide = max(wide, d.w.b.TextWidth(d.all[0].name.Face, d.w.b.Locale.Day(time.Weekday(day), true)))
	}
	return wide
}

// bar() draws the bar of day i into the common picture. The range of temperatures is colored.
func (d *skyDays) bar(i int) {
	x, high := &d.all[i], d.w.b.Px(spanBar)
	if x.track.Empty() {
		return
	}
	wide := float64(x.track.Dx())
	round := float64(high) / 2
	from, to := x.from*wide, x.to*wide
	if to-from < 2*round { // at least both round ends are drawn
		middle := min(max((from+to)/2, round), wide-round)
		from, to = middle-round, middle+round
	}
	if d.w.b.Locale.RightToLeft {
		from, to = wide-to, wide-from
	}
	track, cold, warm := d.w.b.Role("line"), d.w.ink("accent"), d.w.ink("sun")
	for px := range x.track.Dx() {
		for py := range high {
			c := kit.Tint(track, covered(float64(px)+0.5, float64(py)+0.5, 0, wide, round))
			if x.to >= 0 {
				share := (float64(px) - from) / max(1, to-from)
				if d.w.b.Locale.RightToLeft {
					share = 1 - share
				}
				cover := covered(float64(px)+0.5, float64(py)+0.5, from, to, round)
				c = over(c, kit.Tint(piece.Blended(cold, warm, share), cover))
			}
			d.bars.SetRGBA(x.track.Min.X+px, i*high+py, c)
		}
	}
}

// covered() returns how much of the pixel at (x, y) a bar with round ends covers, from 0 to 1. r is the radius of the ends.
func covered(x, y, from, to, r float64) float64 {
	nearest := min(max(x, from+r), to-r)
	return min(max(r+0.5-math.Hypot(x-nearest, y-r), 0), 1)
}

// over() paints the color `above` over the color `below` and returns the result. All colors are premultiplied.
func over(below, above color.RGBA) color.RGBA {
	f := func(x, y uint8) uint8 { return uint8(min(255, int(y)+int(x)*(255-int(above.A))/255)) }
	return color.RGBA{f(below.R, above.R), f(below.G, above.G), f(below.B, above.B), f(below.A, above.A)}
}

func (d *skyDays) paint(c render.Canvas) {
	high := d.w.b.Px(spanBar)
	for i := range d.all[:d.count] {
		x := &d.all[i]
		x.icon.paint(c)
		x.name.Paint(c, d.w.ink("text"))
		x.both.Paint(c, d.w.ink("muted"))
		x.low.Paint(c, d.w.ink("muted"))
		x.high.Paint(c, d.w.ink("text"))
		if !x.track.Empty() {
			c.In(x.track).Image(image.Pt(-x.track.Min.X, -i*high), d.bars, false)
		}
	}
	for _, r := range d.rules {
		c.Fill(r, d.w.b.Role("line"))
	}
}
