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
