package widgets

import (
	"image"
	"image/color"
	"strings"
	"time"
	"unicode"

	"dashboard/internal/locale"
	"dashboard/render"
)

// ClockParams are the parameters of the clock widget.
type ClockParams struct {
	Framed
	Typed
	Form     string `yaml:"kind" default:"digital" enum:"digital,analogue,words,world" doc:"What kind of clock."`
	Time     string `yaml:"time" doc:"Format of the time, in braces CLDR's letters; none leaves it away. Without it the language's."`
	Date     string `yaml:"date" doc:"Format of the date; none leaves it away. Without it weekday, day and month."`
	Week     bool   `yaml:"week" default:"false" doc:"The number of the week behind the date."`
	Seconds  string `yaml:"seconds" default:"none" enum:"none,raised,full,step,sweep" doc:"Digital: none, raised, full; analogue: none, step, sweep."`
	Face     string `yaml:"face" default:"ticks" enum:"ticks,numerals,minimal,station" doc:"Face of an analogue clock."`
	Timezone string `yaml:"timezone" doc:"Zone of the clock; the wall's without it."`
	Zones    Zones  `yaml:"zones" doc:"World clocks: name to zone."`
}

// digital is the time in large digits, and the date below it.
type digital struct {
	b        *Builder
	loc      *time.Location
	size     image.Point
	pattern  string // of the time, "" for none
	datePat  string
	raised   bool // seconds
	seconds  bool // the picture changes each second
	week     bool
	ink      color.RGBA
	muted    color.RGBA
	faint    color.RGBA
	time     *caption
	small    *caption
	half     *caption // AM or PM
	dates    []*caption
	weekText *caption
	buf      []byte

	dayShown  int  // the day whose date is shown
	dateTicks bool // the date's format has a time in it
}

func buildClock(b *Builder, s *Spec, p *ClockParams, size image.Point) render.Widget {
	loc := b.Location
	if p.Timezone != "" {
		zone, err := time.LoadLocation(p.Timezone)
		if err != nil {
			s.Errorf("timezone", "there is no time zone '%s'; a zone is written like Europe/London", p.Timezone)
			return nil
		}
		loc = zone
	}
	switch p.Form {
	case "analogue":
		return b.dial(s, p, size, loc)
	case "world":
		return b.world(s, p, size, loc)
	case "words":
		if speaks(b.Locale.Language) {
			return b.wordClock(s, p, size, loc)
		}
		unspoken(s, b.Locale)
	}
	return b.digital(s, p, size, loc)
}

// pattern is a format of the file, or a usual one, as a CLDR pattern.
func pattern(format, usual string) string {
	switch {
	case format == "none":
		return ""
	case format == "":
		return usual
	case strings.Contains(format, "{"):
		return clockPattern(format)
	}
	return format
}

func (b *Builder) digital(s *Spec, p *ClockParams, size image.Point, loc *time.Location) *digital {
	usual := b.Locale.Pattern(locale.Time)
	if p.Seconds == "full" {
		usual = b.Locale.Pattern(locale.TimeSeconds)
	}
	w := &digital{
		b: b, loc: loc, size: size, pattern: pattern(p.Time, usual), datePat: pattern(p.Date, b.Locale.Pattern(locale.DayDate)),
		raised: p.Seconds == "raised", week: p.Week, ink: b.role("text"), muted: b.role("muted"), faint: b.role("faint"),
	}
	halves := false
	if p.Time == "" {
		w.pattern, halves = withoutHalf(w.pattern)
	}
	w.dateTicks = strings.ContainsAny(withoutQuotes(w.datePat), "Hhkms")
	in := inputOf(b, s, p.Color, colorOf)
	w.ink = in.color(b, w.ink)
	w.seconds = w.raised || strings.Contains(strings.Split(w.pattern+"'", "'")[0], "s")
	w.lay(s, p)
	if halves && w.time != nil {
		w.half = b.caption(b.faceAt(b.Look.Styles["caption"], max(b.least(), int(float64(w.time.face.size)*secondsShare*0.6))), w.time.box, edgeStart)
	}
	return w
}

// withoutQuotes is a pattern without the texts in it.
func withoutQuotes(pattern string) string {
	var b strings.Builder
	for i, part := range strings.Split(pattern, "'") {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

// withoutHalf takes AM and PM out of a pattern: they stand beside the figures, smaller.
func withoutHalf(pattern string) (rest string, had bool) {
	i := strings.IndexByte(pattern, 'a')
	if i < 0 || strings.Contains(pattern, "'") {
		return pattern, false
	}
	return strings.TrimFunc(pattern[:i]+pattern[i+1:], unicode.IsSpace), true
}

// Proportions of a clock: seconds of its digits, the room below it, and how high its digits are of their size.
const (
	secondsShare = 0.28
	capHeight    = 0.73
	overshoot    = 0.02 // by how much of their size round digits go over that
	displayLeast = 92
	displayMost  = 240
	widestTime   = "00:00"
)

// lay chooses the sizes: the date first, the time takes what is left.
func (w *digital) lay(s *Spec, p *ClockParams) {
	b := w.b
	dateFace := b.face(w.dateStyle())
	lines := 0
	if w.datePat != "" {
		lines = 1 + strings.Count(w.datePat, "\n")
		if w.pattern == "" { // the date alone is the figure
			st := b.Look.Styles["headline"]
			dateFace = b.faceAt(st, min(w.size.Y/(lines+1), whole(st.Size*1.5)))
		}
	}
	room := w.size.Y
	if lines > 0 && w.pattern != "" {
		room -= lines*dateFace.line + dateFace.size/3
	}
	if w.pattern != "" {
		w.layTime(s, p, room)
	}
	y := 0
	if w.pattern != "" {
		y = w.time.box.Max.Y + dateFace.size/3
	}
	for range lines {
		w.dates = append(w.dates, b.caption(dateFace, image.Rect(0, y, w.size.X, y+dateFace.line), b.edgeOf(p.Align)))
		y += dateFace.line
	}
	if w.week && lines > 0 {
		w.weekText = b.caption(dateFace, image.Rect(0, y-dateFace.line, w.size.X, y), edgeStart)
	}
	w.center(y, p)
}

// dateStyle is the style of the date, as the room allows.
func (w *digital) dateStyle() string {
	switch {
	case w.size.X >= w.b.px(420):
		return "headline"
	case w.size.X >= w.b.px(260):
		return "title"
	}
	return "body"
}

// layTime sizes the digits so that the widest time fits, seconds included.
func (w *digital) layTime(s *Spec, p *ClockParams, room int) {
	b := w.b
	st := b.Look.Styles["display"]
	widest := string(b.Locale.AppendPattern(nil, time.Date(2026, 9, 30, 20, 0, 0, 0, w.loc), w.pattern))
	px := int(float64(room) / (capHeight + 2*overshoot))
	if p.TextSize > 0 {
		px = min(px, b.written(p.TextSize))
	} else {
		factor := float64(b.face("display").size) / st.Size
		px = min(px, int(displayMost*factor))
	}
	if p.Weight != nil {
		st.Weight = int(*p.Weight)
	}
	f := b.faceAt(st, px)
	wide := w.size.X
	if w.raised || b.Locale.Hours == 12 && p.Time == "" {
		wide = int(float64(wide) / (1 + secondsShare*0.6))
	}
	px = b.Text.FitWidth(f.font, widest, px, wide)
	f = b.faceAt(st, px)
	high := int(float64(f.size)*(capHeight+overshoot)) + f.size/8
	w.time = b.caption(f, image.Rect(0, 0, w.size.X, min(high, max(room, 1))), b.edgeOf(p.Align))
	w.time.least = f.size
	if w.raised {
		small := b.Look.Styles["figure"]
		small.Weight = 300
		w.small = b.caption(b.faceAt(small, int(float64(f.size)*secondsShare)), w.time.box, edgeStart)
	}
}

// center moves all parts to where vertical_align has them.
func (w *digital) center(used int, p *ClockParams) {
	free := max(0, w.size.Y-used)
	down := map[string]int{"": free / 2, "center": free / 2, "bottom": free}[p.VerticalAlign]
	for _, c := range append([]*caption{w.time, w.small, w.half, w.weekText}, w.dates...) {
		if c != nil {
			c.box = c.box.Add(image.Pt(0, down))
		}
	}
}

// natural implements sized.
func (w *digital) natural(width int) image.Point {
	h := 0
	if w.time != nil {
		h = w.time.box.Dy()
	}
	for _, d := range w.dates {
		h += d.face.line
	}
	return image.Pt(width, h)
}

// Update implements render.Widget.
func (w *digital) Update(t render.Tick) {
	now := t.Now().In(w.loc)
	if w.time != nil {
		w.tick(t, now)
	}
	w.date(t, now)
	step := time.Minute
	if w.seconds {
		step = time.Second
	}
	t.Wake(t.Now().Truncate(step).Add(step))
}

// write sets a text and reports what changed.
func write(t render.Tick, c *caption, s []byte) {
	if string(s) == c.raw {
		return
	}
	t.Damage(c.ink)
	c.set(c.b.word(s))
	t.Damage(c.ink)
}

// tick shows the time. The digits are placed by their ink at the left edge, and by the height of their capitals.
func (w *digital) tick(t render.Tick, now time.Time) {
	w.buf = w.b.Locale.AppendPattern(w.buf[:0], now, w.pattern)
	if string(w.buf) != w.time.raw {
		t.Damage(w.time.ink)
		w.time.set(w.b.word(w.buf))
		w.settle(w.time)
		t.Damage(w.time.ink)
		if w.small != nil {
			t.Damage(w.small.ink)
			w.small.raw = ""
		}
		w.placeHalf(t, now)
	}
	if w.small == nil {
		return
	}
	w.buf = w.b.Locale.AppendPattern(w.buf[:0], now, "ss")
	if string(w.buf) != w.small.raw {
		t.Damage(w.small.ink)
		w.small.set(w.b.word(w.buf))
		up := int(float64(w.time.size-w.small.size) * capHeight) // their tops are one line
		w.small.at = image.Pt(w.time.ink.Max.X+w.time.face.size/7, w.time.at.Y-up)
		w.small.ink = w.small.line.Ink().Add(w.small.at)
		t.Damage(w.small.ink)
	}
}

// placeHalf shows AM or PM behind the digits, on their line.
func (w *digital) placeHalf(t render.Tick, now time.Time) {
	if w.half == nil {
		return
	}
	t.Damage(w.half.ink)
	w.half.raw = ""
	w.buf = w.b.Locale.AppendPattern(w.buf[:0], now, "a")
	w.half.set(w.b.word(w.buf))
	w.half.at = image.Pt(w.time.ink.Max.X+w.time.face.size/7, w.time.at.Y)
	w.half.ink = w.half.line.Ink().Add(w.half.at)
	t.Damage(w.half.ink)
}

// settle puts a figure's ink to the edge of its box and its digits to the bottom of it.
func (w *digital) settle(c *caption) {
	ink := c.line.Ink()
	if c.edge == edgeStart {
		c.at.X = c.box.Min.X - ink.Min.X
	}
	c.at.Y = c.box.Min.Y + int(float64(c.size)*(capHeight+overshoot)+0.5)
	c.ink = ink.Add(c.at)
}

// date shows the date's lines and the week.
func (w *digital) date(t render.Tick, now time.Time) {
	day := now.Year()*1000 + now.YearDay()
	if day == w.dayShown && !w.dateTicks {
		return
	}
	w.dayShown = day
	rest := w.datePat
	for i, c := range w.dates {
		line := rest
		if cut := strings.IndexByte(rest, '\n'); cut >= 0 {
			line, rest = rest[:cut], rest[cut+1:]
		}
		w.buf = w.b.Locale.AppendPattern(w.buf[:0], now, unquoted(line))
		write(t, c, w.buf)
		if i == len(w.dates)-1 && w.weekText != nil {
			_, week := w.b.Locale.Week(now)
			w.buf = w.b.Locale.AppendNumber(w.buf[:0], float64(week), 0, false)
			text := append([]byte(" · "), w.b.Locale.AppendPhrase(nil, locale.WeekNumber, string(w.buf))...)
			x := c.at.X + c.width()
			t.Damage(w.weekText.ink)
			w.weekText.place(image.Rect(x, c.box.Min.Y, max(x, c.box.Max.X), c.box.Max.Y))
			if w.b.textWidth(w.weekText.face, string(text)) > c.box.Max.X-x {
				text = nil // no room: the date counts
			}
			w.weekText.set(w.b.word(text))
			t.Damage(w.weekText.ink)
		}
	}
}

// unquoted closes quotes that a line break cut open.
func unquoted(line string) string {
	if strings.Count(line, "'")%2 == 1 {
		return line + "'"
	}
	return line
}

// Paint implements render.Widget.
func (w *digital) Paint(c render.Canvas) {
	main, muted := w.ink, w.muted
	if !w.b.TimeSet() {
		main, muted = faint(main), faint(muted)
	}
	if w.time != nil {
		w.time.paint(c, main)
	}
	if w.small != nil {
		w.small.paint(c, muted)
	}
	if w.half != nil {
		w.half.paint(c, muted)
	}
	for i, d := range w.dates {
		ink := muted
		if w.time == nil && i == 0 {
			ink = main
		}
		d.paint(c, ink)
	}
	if w.weekText != nil {
		w.weekText.paint(c, w.faint)
	}
}
