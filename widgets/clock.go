package widgets

import (
	"bytes"
	"image"
	"image/color"
	"strings"
	"time"
	"unicode"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/theme/look"
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
	halves   bool // AM and PM stand behind the digits
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
	if p.Time == "" {
		w.pattern, w.halves = withoutHalf(w.pattern)
	}
	w.dateTicks = strings.ContainsAny(withoutQuotes(w.datePat), "Hhkms")
	in := inputOf(b, s, p.Color, colorOf)
	w.ink = in.color(b, w.ink)
	w.seconds = w.raised || strings.Contains(strings.Split(w.pattern+"'", "'")[0], "s")
	w.lay(s, p)
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
	dateShare    = 0.3 // of the digits' size is the date's at most, where a smaller style is left
	dateMost     = 0.6 // where the smallest style is more than that of the digits, the date leaves
)

// lay chooses the sizes: the time takes what a date of fitting size leaves.
func (w *digital) lay(s *Spec, p *ClockParams) {
	f := w.layDate(s, p)
	y := 0
	if w.time != nil {
		y = w.time.box.Max.Y + w.below(f)
	}
	for i := range w.lines() {
		if i == 1 && w.pattern == "" { // what stands below a date that is the figure
			f = w.b.face("title")
		}
		w.dates = append(w.dates, w.b.caption(f, image.Rect(0, y, w.size.X, y+f.line), w.b.edgeOf(p.Align)))
		y += f.line
	}
	if w.week && len(w.dates) > 0 {
		w.weekText = w.b.caption(f, image.Rect(0, y-f.line, w.size.X, y), edgeStart)
	}
	w.center(y, p)
}

// lines is how many the date has.
func (w *digital) lines() int {
	if w.datePat == "" {
		return 0
	}
	return 1 + strings.Count(w.datePat, "\n")
}

// layDate lays out the time above a date in the largest style that leaves the time much larger, and returns that style.
// Where none does the date leaves.
func (w *digital) layDate(s *Spec, p *ClockParams) (f face) {
	b := w.b
	switch lines := w.lines(); {
	case w.pattern == "": // the date alone is the figure
		st := b.Look.Styles["headline"]
		if p.Weight != nil {
			st.Weight = int(*p.Weight)
		}
		px := min(w.size.Y/(lines+1), int(float64(b.face("headline").size)*1.5))
		first, _, _ := strings.Cut(string(b.Locale.AppendPattern(nil, longDay, w.datePat)), "\n")
		return b.faceAt(st, b.Text.FitWidth(b.faceAt(st, px).font, first, px, w.size.X))
	case lines == 0:
		w.layTime(s, p, w.size.Y)
		return b.face("body")
	}
	for _, style := range []string{"headline", "title", "body"} {
		f = b.prose(style)
		w.layTime(s, p, w.size.Y-w.lines()*f.line-w.below(f))
		if float64(f.size) <= dateShare*float64(w.time.face.size) && w.widestDate(f) <= w.size.X {
			return f
		}
	}
	if float64(f.size) > dateMost*float64(w.time.face.size) && p.Date == "" {
		w.datePat = ""
		w.layTime(s, p, w.size.Y)
	}
	return f
}

// below is the room between the time and the date, px.
func (w *digital) below(date face) int { return date.size / 2 }

// widestDate is how wide a long date is, px.
func (w *digital) widestDate(f face) int {
	wide := 0
	for line := range strings.SplitSeq(string(w.b.Locale.AppendPattern(nil, longDay, w.datePat)), "\n") {
		wide = max(wide, w.b.textWidth(f, line))
	}
	return wide
}

// longDay has names and numbers as long as any, its hour too in halves of a day, at least in the languages of Europe.
var longDay = time.Date(2026, 9, 30, 22, 0, 0, 0, time.UTC)

// layTime sizes the digits so that the widest time fits, and what stands behind it. Seconds leave before the digits fall
// below their role.
func (w *digital) layTime(s *Spec, p *ClockParams, room int) {
	b := w.b
	st := b.Look.Styles["display"]
	factor := float64(b.face("display").size) / st.Size
	px := min(int(float64(room)/(capHeight+2*overshoot)), int(displayMost*factor))
	if p.TextSize > 0 {
		px = min(int(float64(room)/(capHeight+2*overshoot)), b.written(p.TextSize))
	}
	if p.Weight != nil {
		st.Weight = int(*p.Weight)
	}
	f := w.fit(st, px)
	if w.raised && f.size < int(displayLeast*factor) && w.size.X < b.px(260) {
		w.raised, w.seconds = false, false
		f = w.fit(st, px)
	}
	high := int(float64(f.size)*(capHeight+overshoot)) + f.size/16
	w.time = b.caption(f, image.Rect(0, 0, w.size.X, min(high, max(room, 1))), b.edgeOf(p.Align))
	w.time.least = f.size
	w.small, w.half = nil, nil
	if w.raised {
		w.small = b.caption(w.behind("figure", 300, f.size, secondsShare), w.time.box, edgeStart)
	}
	if w.halves {
		w.half = b.caption(w.behind("caption", 400, f.size, secondsShare*0.6), w.time.box, edgeStart)
	}
}

// behind is the face of what stands behind the digits.
func (w *digital) behind(style string, weight, digits int, share float64) face {
	st := w.b.Look.Styles[style]
	st.Weight = weight
	return w.b.faceAt(st, max(min(w.b.face("label").size, digits/3), int(float64(digits)*share)))
}

// fit is the digits' face at px or less, so that they and what stands behind them are in one line.
func (w *digital) fit(st look.Style, px int) face {
	widest := string(w.b.Locale.AppendPattern(nil, longDay, w.pattern))
	for f := w.b.faceAt(st, px); ; f = w.b.faceAt(st, px) {
		wide, tail := w.b.textWidth(f, widest), 0
		if w.raised {
			tail = w.b.textWidth(w.behind("figure", 300, f.size, secondsShare), "00")
		}
		if w.halves {
			half := w.behind("caption", 400, f.size, secondsShare*0.6)
			for _, hour := range []int{0, 12} {
				text := w.b.Locale.AppendPattern(nil, longDay.Truncate(24*time.Hour).Add(time.Duration(hour)*time.Hour), "a")
				tail = max(tail, w.b.textWidth(half, string(text)))
			}
		}
		if tail > 0 {
			wide += f.size/7 + tail
		}
		if wide <= w.size.X || f.size <= w.b.least() {
			return f
		}
		px = min(f.size-1, f.size*w.size.X/wide)
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
		w.fitDate(c, unquoted(line), now)
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

// dateParts stand between the parts of a date's pattern, of which the last leave where there is no room.
const dateParts = " · "

// abbreviate makes the names of days and months in a CLDR pattern short ones.
var abbreviate = strings.NewReplacer("EEEE", "EEE", "MMMM", "MMM")

// fitDate writes a line of the date as fully as there is room for: without its last parts, then with short names.
func (w *digital) fitDate(c *caption, line string, now time.Time) {
	l := w.b.Locale
	smallest := c.face
	smallest.size = c.least
	for range 2 {
		w.buf = l.AppendPattern(w.buf[:0], now, line)
		for {
			if w.b.textWidth(smallest, w.b.word(w.buf)) <= c.box.Dx() {
				return
			}
			cut := bytes.LastIndex(w.buf, []byte(dateParts))
			if cut < 0 {
				break
			}
			w.buf = w.buf[:cut]
		}
		line = abbreviate.Replace(line)
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
