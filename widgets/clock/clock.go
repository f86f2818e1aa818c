package clock

import (
	"image"
	"image/color"
	"strings"
	"time"
	"unicode"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// ClockParams are the parameters of the clock widget.
type ClockParams struct {
	kit.Framed
	kit.Typed
	// Kind of clock.
	Form string `yaml:"kind" default:"digital" enum:"digital,analogue,words,world"`
	// Format of the time, with CLDR letters in braces. none hides the time. Default: the format of the language.
	Time string `yaml:"time"`
	// Format of the date. none hides the date. Default: weekday, day and month.
	Date string `yaml:"date"`
	// Week number after the date.
	Week bool `yaml:"week" default:"false"`
	// Form of the seconds. Digital: none, raised, full. Analogue: none, step, sweep.
	Seconds string `yaml:"seconds" default:"none" enum:"none,raised,full,step,sweep"`
	// Analogue clock face.
	Face string `yaml:"face" default:"ticks" enum:"ticks,numerals,minimal,station"`
	// Time zone of the clock. Default: the zone of the wall.
	Timezone string `yaml:"timezone"`
	// World clocks to show.
	Zones Zones `yaml:"zones"`
}

// digital shows the time in large digits, and the date below it.
type digital struct {
	b        *kit.Builder
	loc      *time.Location
	size     image.Point
	pattern  string // pattern of the time, "" if the time is hidden
	datePat  string
	folded   bool // true if the first line of the date is a name on two lines
	raised   bool // true if small raised seconds follow the digits
	halves   bool // true if AM or PM follows the digits
	seconds  bool // true if the text changes each second
	week     bool
	ink      color.RGBA
	muted    color.RGBA
	faint    color.RGBA
	time     *kit.Caption
	small    *kit.Caption
	half     *kit.Caption // caption of AM or PM
	dates    []*kit.Caption
	weekText *kit.Caption
	buf      []byte

	anchored time.Time // start of the ten minutes for which anchor was computed
	tailWide int       // width of the parts after the digits (seconds, AM or PM), in px
	anchor   int       // width of the widest time in these ten minutes, in px. The seconds, AM or PM start after this width
	bearing  int       // empty px on the left of the first digit in the seconds "00"

	dayShown  int  // day of the shown date
	dateTicks bool // true if the date's format includes a time
}

func buildClock(b *kit.Builder, s *kit.Spec, p *ClockParams, size image.Point) render.Widget {
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
		return newDial(b, s, p, size, loc)
	case "world":
		return newWorld(b, s, p, size, loc)
	case "words":
		if speaks(b.Locale.Language) {
			return wordClock(b, s, p, size, loc)
		}
		unspoken(s, b.Locale)
	}
	return newDigital(b, s, p, size, loc)
}

// pattern() returns the CLDR pattern for a format of the file. If `written` is empty, it returns `usual`. If `written` is "none", it
// returns "".
func pattern(written, usual string) string {
	switch {
	case written == "none":
		return ""
	case written == "":
		return usual
	case strings.Contains(written, "{"):
		return format.ClockPattern(written)
	}
	return written
}

func newDigital(b *kit.Builder, s *kit.Spec, p *ClockParams, size image.Point, loc *time.Location) *digital {
	usual := b.Locale.Pattern(locale.Time)
	if p.Seconds == "full" {
		usual = b.Locale.Pattern(locale.TimeSeconds)
	}
	w := &digital{
		b: b, loc: loc, size: size, pattern: pattern(p.Time, usual), datePat: pattern(p.Date, b.Locale.Pattern(locale.DayDate)),
		raised: p.Seconds == "raised", week: p.Week, ink: b.Role("text"), muted: b.Role("muted"), faint: b.Role("faint"),
	}
	if p.Time == "" {
		w.pattern, w.halves = withoutHalf(w.pattern)
	}
	w.dateTicks = strings.ContainsAny(withoutQuotes(w.datePat), "Hhkms")
	in := kit.InputOf(b, s, p.Color, kit.ColorOf)
	w.ink = in.Color(b, w.ink)
	w.seconds = w.raised || strings.Contains(strings.Split(w.pattern+"'", "'")[0], "s")
	w.lay(s, p)
	return w
}

// withoutQuotes removes the quoted texts from a pattern.
func withoutQuotes(pattern string) string {
	var b strings.Builder
	for i, part := range strings.Split(pattern, "'") {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

// withoutHalf removes AM and PM from a pattern, because they are drawn smaller and next to the digits. `had` reports whether the pattern
// included them.
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
	if w.seconds {
		t.Wake(now.Round(0).Add(time.Second - time.Duration(now.Nanosecond()))) // Truncate would divide 64-bit numbers
		return
	}
	t.Wake(now.Truncate(time.Minute).Add(time.Minute))
}

// write sets a text and damages the changed area.
func write(t render.Tick, c *kit.Caption, s []byte) {
	if string(s) == c.Raw {
		return
	}
	t.Damage(c.Ink)
	c.Set(c.B.Word(s))
	t.Damage(c.Ink)
}

// tick() shows the time and the seconds. Digits that are aligned left start exactly at the left edge of the box. Their height is the cap
// height of the font.
func (w *digital) tick(t render.Tick, now time.Time) {
	w.buf = w.b.Locale.AppendPattern(w.buf[:0], now, w.pattern)
	if string(w.buf) != w.time.Raw {
		t.Damage(w.time.Ink)
		w.time.Set(w.b.Word(w.buf))
		w.anchorAt(now)
		w.settle(w.time)
		t.Damage(w.time.Ink)
		if w.small != nil {
			t.Damage(w.small.Ink)
			w.small.Raw = ""
		}
		w.placeHalf(t, now)
	}
	if w.small == nil {
		return
	}
	w.buf = w.b.Locale.AppendPattern(w.buf[:0], now, "ss")
	if string(w.buf) != w.small.Raw {
		t.Damage(w.small.Ink)
		w.small.Set(w.b.Word(w.buf))
		up := int(float64(w.time.Size-w.small.Size) * piece.CapHeight) // the tops of the digits and of the seconds are aligned
		w.small.At = image.Pt(w.after()-w.bearing, w.time.At.Y-up)
		w.small.Ink = w.small.Line.Ink().Add(w.small.At)
		t.Damage(w.small.Ink)
	}
}

// placeHalf places AM or PM after the digits, on their baseline.
func (w *digital) placeHalf(t render.Tick, now time.Time) {
	if w.half == nil {
		return
	}
	t.Damage(w.half.Ink)
	w.half.Raw = ""
	w.buf = w.b.Locale.AppendPattern(w.buf[:0], now, "a")
	w.half.Set(w.b.Word(w.buf))
	w.half.At = image.Pt(w.after(), w.time.At.Y)
	if w.time.Edge == kit.EdgeEnd { // align the right edge with the right edge of the box, as for a date below
		w.half.At.X = w.time.Box.Max.X - w.half.Width()
	}
	w.half.Ink = w.half.Line.Ink().Add(w.half.At)
	t.Damage(w.half.Ink)
}

// anchorAt measures the widest time of the current ten minutes. It measures only once in these ten minutes, so that the parts after the
// digits do not move during this time.
func (w *digital) anchorAt(now time.Time) {
	// Truncate alone would count ten minutes in UTC. The local minute may differ, because the offset of a time zone may include a quarter
	// of an hour.
	from := now.Add(-time.Duration(now.Minute()%anchorMinutes) * time.Minute).Truncate(time.Minute)
	if w.small == nil && w.half == nil || from.Equal(w.anchored) {
		return
	}
	w.anchored = from
	w.anchor = w.widestInk(w.time.Face, from)
}

// after() returns the x coordinate at which the parts after the digits start.
func (w *digital) after() int {
	x, tail := w.time.Box.Min.X, w.tailWide+gapAfter(w.time.Face.Size)
	switch w.time.Edge {
	case kit.EdgeCenter:
		x += (w.time.Box.Dx() - w.anchor - tail) / 2
	case kit.EdgeEnd:
		x = w.time.Box.Max.X - w.anchor - tail
	}
	return x + w.anchor + gapAfter(w.time.Face.Size)
}

// settle moves a caption so that its letters touch the edge of the box. If the text is aligned at the end of the line, settle leaves room
// for the seconds, AM or PM after the digits.
func (w *digital) settle(c *kit.Caption) {
	ink := c.Line.Ink()
	switch {
	case c.Edge == kit.EdgeStart:
		c.At.X = c.Box.Min.X - ink.Min.X
	case w.tailWide > 0 && c.Edge == kit.EdgeEnd:
		c.At.X = w.after() - gapAfter(c.Face.Size) - ink.Max.X
	case w.tailWide > 0:
		c.At.X = w.after() - gapAfter(c.Face.Size) - (w.anchor+ink.Min.X+ink.Max.X)/2
	}
	c.At.Y = c.Box.Min.Y + int(float64(c.Size)*(piece.CapHeight+piece.Overshoot)+0.5)
	c.Ink = ink.Add(c.At)
}

// Paint implements render.Widget.
func (w *digital) Paint(c render.Canvas) {
	main, muted := w.ink, w.muted
	if !w.b.TimeSet() {
		main, muted = w.b.Old(main), w.b.Old(muted)
	}
	if w.time != nil {
		w.time.Paint(c, main)
	}
	if w.small != nil {
		w.small.Paint(c, muted)
	}
	if w.half != nil {
		w.half.Paint(c, muted)
	}
	for i, d := range w.dates {
		ink := muted
		if w.time == nil && i < w.nameLines() || w.onPhoto() {
			ink = main
		}
		d.Paint(c, ink)
	}
	if w.weekText != nil {
		w.weekText.Paint(c, w.faint)
	}
}
