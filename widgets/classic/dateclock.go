package classic

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"github.com/itchyny/timefmt-go"
)

// DateClockParams are the parameters of the dateclock widget.
type DateClockParams struct {
	// Font file of the time. Default: the built-in bold font.
	TimeFontPath string `yaml:"time_font_path"`
	// Font file of the date. Default: the built-in bold font.
	DateFontPath string `yaml:"date_font_path"`
	// Color of time and date.
	Color theme.Color `yaml:"color" default:"white"`
	// Color of the time, instead of color.
	TimeColor *theme.Color `yaml:"time_color"`
	// Color of the date, instead of color.
	DateColor *theme.Color `yaml:"date_color"`
	// strftime format of the time.
	TimeFormat string `yaml:"time_format" default:"%H:%M"`
	// strftime format of the date.
	DateFormat string `yaml:"date_format" default:"%A, %B %d"`
	// Time zone, such as Europe/Rome. Default: the wall's zone.
	Timezone string `yaml:"timezone"`
	kit.Backdrop
}

const (
	clockMargin = 2   // margin in px at the left and right edge
	timeShare   = 0.7 // share of the height for the time. The rest of the height is for the date
	gapShare    = 0.4 // gap between time and date, as a share of the height of the date's letters
	// clockRoom is the height of a line's box as a multiple of the clock's height. It is so large that only the width limits the text
	// size.
	clockRoom = 4
)

// clockLine is one of the two lines of a clock.
type clockLine struct {
	format dateFormat
	color  color.RGBA
	block  *text.Block
	at     image.Point // position of the line's box
}

// dateClock shows the time over the date.
type dateClock struct {
	size     image.Point
	plate    kit.Plate
	lines    [2]clockLine // the time, then the date
	location *time.Location
	language *locale.Locale // language of the names, nil for English
	step     time.Duration  // interval at which the text changes: a second or a minute
	// The text is correct for all times t with from <= t < until. The fields `from` and `until` have no monotonic readings. Comparisons
	// therefore use the wall clock and notice when the clock is set.
	from, until time.Time
	buf         []byte
}

func buildDateClock(b *kit.Builder, s *kit.Spec, p *DateClockParams, size image.Point) render.Widget {
	w := &dateClock{
		size: size, location: zone(b, s, p.Timezone), step: time.Minute,
		plate: kit.NewPlate(p.BackgroundColor, p.CornerRadius, image.Rectangle{Max: size}),
	}
	if b.Translate {
		w.language = b.Locale
	}
	high := int(math.RoundToEven(timeShare * float64(size.Y)))
	line := func(format, key, font string, c *theme.Color, most int) clockLine {
		if c == nil {
			c = &p.Color
		}
		return clockLine{format: newDateFormat(format, w.language), color: kit.Rgba(c), block: text.NewBlock(b.Text, text.Options{
			Font: b.Font(s, key, font), Size: max(1, most), Align: text.Center, Padding: clockMargin,
			Box: image.Pt(size.X, clockRoom*size.Y+2*clockMargin),
		})}
	}
	w.lines[0] = line(p.TimeFormat, "time_font_path", p.TimeFontPath, p.TimeColor, high-2*clockMargin)
	w.lines[1] = line(p.DateFormat, "date_font_path", p.DateFontPath, p.DateColor, size.Y-high-2*clockMargin)
	if ticks(p.TimeFormat) || ticks(p.DateFormat) {
		w.step = time.Second
	}
	return w
}

// zone() loads a time zone. For an empty name, it returns the builder's zone. For an unknown name, it also reports an error.
func zone(b *kit.Builder, s *kit.Spec, name string) *time.Location {
	if name == "" {
		return b.Location
	}
	loc, err := time.LoadLocation(name)
	if err != nil {
		s.Errorf("timezone", "unknown time zone '%s'; a right one is Europe/Rome", name)
		return b.Location
	}
	return loc
}

// ticks() reports whether a format includes seconds.
func ticks(format string) bool {
	at := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	return timefmt.Format(at, format) != timefmt.Format(at.Add(time.Second), format)
}

// Update implements render.Widget.
func (w *dateClock) Update(t render.Tick) {
	now := t.Now().Round(0)
	if now.Before(w.from) || !now.Before(w.until) {
		w.set(t, now)
	}
	t.Wake(w.until)
}

// set() shows the time `now` and computes the time until which the text is correct.
func (w *dateClock) set(t render.Tick, now time.Time) {
	local := now.In(w.location)
	past := time.Duration(local.Nanosecond())
	if w.step == time.Minute {
		past += time.Duration(local.Second()) * time.Second
	}
	w.from = now.Add(-past)
	w.until = w.from.Add(w.step)

	changed := false
	before := w.ink()
	for i := range w.lines {
		l := &w.lines[i]
		w.buf = l.format.append(w.buf[:0], local, w.language)
		changed = l.block.SetBytes(w.buf) || changed
	}
	if changed {
		w.arrange()
		for i, r := range w.ink() {
			t.Damage(before[i])
			t.Damage(r)
		}
	}
}

// arrange centers the two lines as a block. It uses the rectangles of their letters, not the line heights.
func (w *dateClock) arrange() {
	upper, lower := w.lines[0].block.Ink(), w.lines[1].block.Ink()
	gap := 0
	if !upper.Empty() && !lower.Empty() {
		gap = int(math.RoundToEven(gapShare * float64(lower.Dy())))
	}
	y := (w.size.Y - upper.Dy() - gap - lower.Dy()) / 2
	w.lines[0].at.Y = y - upper.Min.Y
	w.lines[1].at.Y = y + upper.Dy() + gap - lower.Min.Y
}

// ink() returns the rectangle around the letters of each line.
func (w *dateClock) ink() (all [2]image.Rectangle) {
	for i := range w.lines {
		all[i] = w.lines[i].block.Ink().Add(w.lines[i].at)
	}
	return all
}

// Paint implements render.Widget.
func (w *dateClock) Paint(c render.Canvas) {
	w.plate.Paint(c)
	for i := range w.lines {
		l := &w.lines[i]
		l.block.Paint(c.Dst, c.Clip, c.Org.Add(l.at), l.color)
	}
}
