package weather

import (
	"image"
	"slices"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// skyNow shows the current weather: the icon, the temperature, and further data.
type skyNow struct {
	w      *forecast
	icon   *emblem
	figure *kit.Caption
	lines  [3]*kit.Caption // lines of text: the weather, the felt temperature, and the sun or the rain
	more   *kit.Caption    // second line for a text that does not fit in the first
	marks  [3]skyNote      // notes with an icon: two for sunrise and sunset, and one for rain
	strip  *skyStrip       // some of the next hours, shown if there is room
	strong bool            // true if the temperature is known
	tail   image.Rectangle // rectangle for the credit, if the credit is the last text
}

// skyNote is a small icon followed by a text.
type skyNote struct {
	icon *kit.Mark
	text *kit.Caption
	ink  string
}

// Proportions of the current weather relative to the size of the temperature, and gaps in px on a screen whose shorter side has 720 px.
const (
	skyIcon     = 1.16
	skyWide     = 0.128 // text size of the temperature, as a share of the width
	skyShare    = 0.22  // maximum text size of the temperature as a share of the height, if the widget shows other parts
	skyTextGap  = 22
	skyIconGap  = 18
	skyNoteIcon = 18
	skyNoteGap  = 6
	skyApart    = 16
)

func newSkyNow(w *forecast) *skyNow {
	b := w.b
	n := &skyNow{w: w, icon: w.emblem(), strip: newSkyStrip(w)}
	big := b.Face("figure")
	factor := float64(big.Size) / b.Look.Styles["figure"].Size
	px := max(float64(w.size.X)*skyWide, float64(big.Size))
	px = min(px, piece.FigureMost*factor, float64(w.size.Y)*0.75, float64(w.size.X)*0.24)
	if len(w.parts) > 1 { // leave room for the other parts
		px = min(px, max(float64(big.Size), float64(w.size.Y)*skyShare))
	}
	n.figure = b.Caption(b.FaceAt(b.Look.Styles["figure"], int(px)), image.Rectangle{}, kit.EdgeStart)
	body := b.Look.Styles["body"]
	body.Weight = 500
	for i, f := range []kit.Face{b.FaceOf("body", body), b.Face("caption"), b.Face("caption")} {
		n.lines[i] = b.Caption(f, image.Rectangle{}, b.EdgeOf(""))
	}
	n.more = b.Caption(n.lines[0].Face, image.Rectangle{}, b.EdgeOf(""))
	n.lines[0].Least, n.more.Least = min(n.lines[0].Face.Size, b.Least()), min(n.lines[0].Face.Size, b.Least())
	for i := range n.marks {
		n.marks[i] = skyNote{icon: b.Mark(image.Rectangle{}), text: b.Caption(b.Face("caption"), image.Rectangle{}, b.EdgeOf(""))}
	}
	return n
}

// side() returns the side of the icon in px.
func (n *skyNow) side() int { return int(float64(n.figure.Face.Size) * skyIcon) }

// high() returns the height in px. If the text is below the temperature and two lines do not fit, the height includes only one line.
func (n *skyNow) high() int {
	one := n.lines[0].Face.Line
	two := one + n.lines[1].Face.Line
	if n.below() {
		return n.side() + min(two, max(one, n.w.room-n.side()))
	}
	return max(n.side(), two)
}

// below() reports whether the text is below the temperature, because there is too little room next to the temperature.
func (n *skyNow) below() bool {
	b := n.w.b
	beside := n.w.size.X - n.side() - b.Px(skyIconGap+skyTextGap) - b.TextWidth(n.figure.Face, "00°")
	return beside < beWords*n.lines[1].Face.Size && n.w.room >= n.side()+n.lines[0].Face.Line
}

// beside() returns the width in px that is left for text next to the temperature.
func (n *skyNow) beside(v *view) int {
	b := n.w.b
	return n.w.size.X - n.side() - b.Px(skyIconGap+skyTextGap) - b.TextWidth(n.figure.Face, string(degrees(b, nil, v.Current.Temp)))
}

// untilHours shows hours on the second half of a wide box, if the texts from x on keep enough room. It returns the x coordinate at which
// the texts end. `foot` reports whether the rain is at the bottom.
func (n *skyNow) untilHours(v *view, box image.Rectangle, x int, foot bool) (end int) {
	hours := image.Rect(n.w.size.X/2, box.Min.Y, n.w.size.X, box.Max.Y)
	if foot {
		hours.Max.Y -= n.lines[1].Face.Line
	}
	if x+stripWords*n.lines[1].Face.Size > hours.Min.X || !n.strip.beside(v, hours) {
		return n.w.size.X
	}
	return hours.Min.X
}

// stripWords is the minimum width for text between the temperature and hours next to it, as a multiple of the text size.
const stripWords = 18

// beWords is the minimum width for text next to the temperature, as a multiple of the text size.
const beWords = 5

// fill shows the current weather in a box.
func (n *skyNow) fill(v *view, s *provider.Sample, box image.Rectangle) {
	w, b := n.w, n.w.b
	c := &v.Current
	n.strong = c.Temp.Has()
	high := min(n.high(), box.Dy())
	if used := n.strip.fill(v, box, high); used > 0 {
		box.Max.Y -= used
	}
	foot := n.footed(v, box, high) || w.credit.shared
	top := box.Min.Y + (box.Dy()-high)/2
	if foot || w.room < w.size.Y {
		top = box.Min.Y
	}
	side := min(n.side(), box.Dy())
	words := top
	if n.below() {
		words, high = top+side, side
	}
	y := top + (high-side)/2
	n.icon.set(c.Kind, c.IsDay, w.flip(image.Rect(0, y, side, y+side)))
	if !s.Has() {
		n.icon.clear()
		side = 0
	}
	x := side + b.Px(skyIconGap)
	if side == 0 {
		x = 0
	}
	text := string(degrees(b, nil, c.Temp))
	wide := min(b.TextWidth(n.figure.Face, text), max(0, w.size.X-x))
	n.figure.Edge = b.EdgeOf("")
	n.figure.Place(w.flip(image.Rect(x, top, x+wide, top+high)))
	n.figure.Set("")
	n.figure.Set(text)
	beside := image.Rect(x+wide+b.Px(skyTextGap), top, w.size.X, top+high)
	if words == top {
		beside.Max.X = n.untilHours(v, box, beside.Min.X, foot)
	} else {
		beside = image.Rect(0, words, w.size.X, words+n.high()-side)
	}
	if w.credit.last {
		beside.Min.Y, beside.Max.Y = box.Min.Y, box.Max.Y
	}
	n.words(v, s, beside, foot)
	n.footRain(v, box, foot)
}

// footed() reports whether the rain is at the bottom of the widget. This needs rain in the next hours and room for a line. If the widget
// shows the curve or has room for a third line next to the temperature, the rain is not at the bottom.
func (n *skyNow) footed(v *view, box image.Rectangle, high int) bool {
	from, _ := shower(v.hours)
	if three := n.lines[0].Face.Line + 2*n.lines[1].Face.Line; !n.below() && high+n.w.b.Px(8) >= three {
		return false // the third line already shows the rain
	}
	return !from.IsZero() && n.w.boxes[partHours].Empty() && box.Dy() >= high+n.lines[1].Face.Line+n.w.b.Px(8)
}

// words() sets the lines of text next to the temperature. `foot` reports whether the rain is at the bottom.
func (n *skyNow) words(v *view, s *provider.Sample, box image.Rectangle, foot bool) {
	for i := range n.lines {
		n.lines[i].Set("")
		n.marks[i].hide()
	}
	n.more.Set("")
	if box.Dx() < 4*n.lines[1].Face.Size {
		return
	}
	third := !foot && n.third(v)
	rows, total := 0, 0
	if n.w.credit.last {
		total = n.w.credit.line()
	}
	low := total+n.lines[0].Face.Line+2*n.lines[1].Face.Line > box.Dy()+n.w.b.Px(8) // the last line has no room
	first, second, more := n.texts(v, s, box, third && low && n.rainy(v))
	for i, there := range []bool{first != "", second != "", third} {
		if there && (rows == 0 || total+n.lines[i].Face.Line <= box.Dy()+n.w.b.Px(8)) {
			rows, total = rows|1<<i, total+n.lines[i].Face.Line
		}
	}
	// The lines may be higher than the box by a few px, because there is empty room around the letters. They then start above the box.
	y := box.Min.Y + min((box.Dy()-total)/2, box.Dy()-total)
	for i, text := range []string{first, second, ""} {
		if rows&(1<<i) == 0 {
			continue
		}
		line := image.Rect(box.Min.X, y, box.Max.X, y+n.lines[i].Face.Line)
		y = line.Max.Y
		if i == 2 {
			n.notes(v, line)
			continue
		}
		c := n.lines[i]
		if i == 1 && more {
			c = n.more
		}
		c.Place(n.w.flip(line))
		c.Set(text)
		c.Keep(image.Rectangle{Max: n.w.size})
	}
	y = min(y, box.Max.Y-n.w.credit.line()-1)
	n.tail = n.w.flip(image.Rect(box.Min.X, y, box.Max.X, y+n.w.credit.line()))
}

// texts() returns the first and the second line. `more` reports whether the second line continues the first line. If `rain` is true, the
// second line has the start of the next rain.
func (n *skyNow) texts(v *view, s *provider.Sample, box image.Rectangle, rain bool) (first, second string, more bool) {
	second = n.second(v, s, box.Dx(), rain)
	if s.Has() {
		first = v.Current.Kind.Text(n.w.b.Locale)
	}
	n.lines[0].Limit(0)
	if n.w.stale { // the second line then shows the age of the report
		if n.w.b.TextWidth(n.lines[0].Face, first)*n.lines[0].Least > box.Dx()*n.lines[0].Face.Size {
			first = ""
		}
		return first, second, false
	}
	first, rest, size := n.halves(first, box)
	n.lines[0].Limit(size)
	n.more.Limit(size)
	if rest != "" {
		second = rest // the weather is more important than the felt temperature
	}
	return first, second, rest != ""
}

// halves() splits a text that does not fit in one line. It chooses the lines that allow the largest common text size, and also returns
// this size, in px. The split is between words if possible. If the text does not fit in two lines, both lines are empty. The icon then
// shows the weather alone.
func (n *skyNow) halves(words string, box image.Rectangle) (first, more string, size int) {
	c := n.lines[0]
	fit := func(s string) int { return box.Dx() * c.Face.Size / max(1, n.w.b.TextWidth(c.Face, s)) }
	low := c.Face.Line+n.lines[1].Face.Line > box.Dy()+n.w.b.Px(8)
	if fit(words) >= max(c.Least, c.Face.Size*3/4) || low && fit(words) >= c.Least {
		return words, "", 0
	}
	if low {
		return "", "", 0
	}
	first, more, size = n.w.b.TwoLines(c.Face, words, c.Least, box.Dx())
	if size > 0 || fit(words) >= c.Least {
		return first, more, size
	}
	for _, px := range []int{c.Face.Size, c.Least} {
		f := n.lines[0].Face
		f.Size = px
		if i, hyphen := piece.CutWord(n.w.b, f, words, box.Dx()); i > 0 && fit(words[i:]) >= px {
			return words[:i] + hyphen, words[i:], px
		}
	}
	return "", "", 0
}

// second() returns the text for the second line: the felt temperature and the wind. If the widget shows no hours, the range of the day
// comes first. If `rain` is true, the start of the rain comes after the range. Data that does not fit is omitted. If the report is
// outdated, second() returns the time of the report. Before the first report, it returns an error or "".
func (n *skyNow) second(v *view, s *provider.Sample, room int, rain bool) string {
	b := n.w.b
	if !s.Has() {
		if s.Err != nil {
			return b.Locale.Say(locale.NoAnswer)
		}
		return ""
	}
	if n.w.stale {
		return string(b.Locale.AppendPhrase(nil, locale.Since, clock(b, s.At, b.Location)))
	}
	words := []string{feels(b, &v.Current), wind(b, &v.Current)}
	if n.w.boxes[partHours].Empty() && v.today != nil {
		words = append([]string{between(b, v.today)}, words...)
		if rain {
			words = slices.Insert(words, 1, n.rainBriefly(v, room-b.TextWidth(n.lines[1].Face, words[0]+" · ")))
		}
	}
	text := ""
	for _, word := range words {
		longer := word
		if text != "" && word != "" {
			longer = text + " · " + word
		}
		if word != "" && (text == "" || b.TextWidth(n.lines[1].Face, longer) <= room) {
			text = longer
		}
	}
	return text
}

// third() reports whether there is data for the third line.
func (n *skyNow) third(v *view) bool {
	if n.rainy(v) {
		return true
	}
	return v.today != nil && (!v.today.Sunrise.IsZero() || !v.today.Sunset.IsZero())
}

// rainy() reports whether the third line shows rain. This is true if rain is expected and there is no curve.
func (n *skyNow) rainy(v *view) bool {
	from, _ := shower(v.hours)
	return n.w.boxes[partHours].Empty() && !from.IsZero()
}

// notes() sets the third line. If rainy() is true, the line shows the next rain. Otherwise, it shows sunrise and sunset. After sunset,
// these are tomorrow's times.
func (n *skyNow) notes(v *view, line image.Rectangle) {
	if n.rainy(v) {
		n.rain(v, line)
		return
	}
	x := line.Min.X
	b := n.w.b
	if v.today == nil {
		return
	}
	day := v.today
	if !day.Sunset.IsZero() && day.Sunset.Before(v.now) && len(v.days) > 1 {
		day = &v.days[1]
	}
	for i, s := range []sunTurn{{day.Sunrise, "mdi:weather-sunset-up"}, {day.Sunset, "mdi:weather-sunset-down"}} {
		if !s.at.IsZero() {
			x = n.marks[i].set(n.w, s.icon, "muted", clock(b, s.at, v.zone), x, line)
		}
	}
}

// A sunTurn is a sunrise or a sunset with its icon.
type sunTurn struct {
	at   time.Time
	icon string
}

// set places an icon and a text at x in a line. It returns the x coordinate of the next note. A note that does not fit is hidden.
func (n *skyNote) set(w *forecast, icon, ink, text string, x int, line image.Rectangle) int {
	b := w.b
	side := b.Px(skyNoteIcon)
	wide := side + b.Px(skyNoteGap) + b.TextWidth(n.text.Face, text)
	if x+wide > line.Max.X {
		n.hide()
		return x
	}
	y := line.Min.Y + (line.Dy()-side)/2
	n.icon.Place(w.flip(image.Rect(x, y, x+side, y+side)))
	n.icon.Set(icon)
	n.text.Place(w.flip(image.Rect(x+side+b.Px(skyNoteGap), line.Min.Y, x+wide, line.Max.Y)))
	n.text.Set(text)
	n.ink = ink
	return x + wide + b.Px(skyApart)
}

func (n *skyNote) hide() {
	n.icon.Set("")
	n.text.Set("")
}

func (n *skyNow) paint(c render.Canvas) {
	w := n.w
	n.icon.paint(c)
	ink := "muted"
	if n.strong {
		ink = "text"
	}
	n.figure.Paint(c, w.ink(ink))
	n.strip.paint(c)
	n.lines[0].Paint(c, w.ink("text"))
	n.more.Paint(c, w.ink("text"))
	n.lines[1].Paint(c, w.ink("muted"))
	for i := range n.marks {
		if n.marks[i].text.Raw != "" {
			n.marks[i].icon.Paint(c, w.ink(n.marks[i].ink))
			n.marks[i].text.Paint(c, w.ink("muted"))
		}
	}
}
