package clock

import (
	"image"
	"image/color"
	"time"

	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/internal/localtime"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/theme/sun"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// SunpathParams are the parameters of the sunpath widget.
type SunpathParams struct {
	kit.Framed
	// Place. Default: the place of the wall.
	Location *value.Location `yaml:"location"`
}

// sunpath shows the length of the day and the path of the sun.
type sunpath struct {
	b       *kit.Builder
	at      sun.Schedule
	size    image.Point
	head    *kit.Head
	figures [4]*kit.Caption // hours and minutes of the day's length, each followed by its unit
	note    *kit.Caption
	plot    image.Rectangle
	times   [3]*kit.Caption // times of sunrise, noon and sunset
	names   [3]*kit.Caption

	shown    time.Time   // minute for which the picture was drawn
	days     [2]sunTurns // results of turns() for the last two requested days
	way      []path.Point
	raster   path.Raster
	night    path.Shape // path of the sun over the whole day, as dots
	day      path.Shape // path of the sun from sunrise until the current time
	area     path.Shape
	ground   image.Rectangle
	disc     path.Shape
	halo     path.Shape
	ends     [2]path.Shape
	gradient []color.RGBA
	line     path.Path
	out      path.Path
}

func buildSunpath(b *kit.Builder, s *kit.Spec, p *SunpathParams, size image.Point) render.Widget {
	place := b.Place
	if p.Location != nil && p.Location.Known {
		place = *p.Location
	}
	if p.Location != nil && !p.Location.Known || p.Location == nil && !place.Known && place.Name != "" {
		return piece.Unknown(b, size) // the place is not known yet
	}
	if !place.Known {
		s.Errorf("location", "the path of the sun needs a place: write location in conf.yaml or here")
		return nil
	}
	w := &sunpath{b: b, size: size, at: sun.Schedule{Lat: place.Latitude, Lon: place.Longitude}}
	top := 0
	if p.Title == nil {
		f := kit.Framed{Title: piece.PlainLine(b.Locale.Say(locale.Sun)), Icon: piece.PlainIcon("white-balance-sunny"), Note: piece.PlainLine(place.Name)}
		w.head = b.NewHead(s, &f, image.Rectangle{Max: size})
		w.head.Accent.Plain = b.Look.Colors["sun"]
		w.head.Load(b)
		top = w.head.Box.Max.Y + b.Px(kit.HeadBelow)
	}
	w.lay(top)
	return w
}

// lay places four parts, from top to bottom: the length of the day, the change since yesterday, the plot, and the times of sunrise, noon
// and sunset. It omits parts that do not fit.
func (w *sunpath) lay(top int) {
	b := w.b
	big, caption := b.Face("figure"), b.Face("caption")
	room := w.size.Y - top
	times := 2 * caption.Line
	if room > big.Line+times+b.Px(60) {
		big, small := w.figureFaces(big)
		for i := range w.figures {
			f := big
			if i%2 == 1 {
				f = small
			}
			w.figures[i] = b.Caption(f, image.Rect(0, top, w.size.X, top+big.Line), kit.EdgeStart)
		}
		top += big.Line
		if room > big.Line+times+caption.Line+b.Px(80) {
			if room > big.Line+times+caption.Line+b.Px(sunRoomy) {
				top += b.Px(sunAir)
			}
			w.note = b.Caption(caption, image.Rect(0, top, w.size.X, top+caption.Line), b.EdgeOf("start"))
			top += caption.Line
		}
	}
	bottom := w.size.Y - w.layTimes(w.size.Y-top)
	w.plot = image.Rect(0, top+b.Px(16), w.size.X, bottom-b.Px(6))
}

// figureFaces returns a face for the hours and minutes of the day's length, and a face for their units. It starts with the size of `usual`
// and, if necessary, reduces the size until the longest day fits. The size is never below the size of the style "title".
func (w *sunpath) figureFaces(usual kit.Face) (big, small kit.Face) {
	b, least := w.b, w.b.Face("title").Size
	for size := usual.Size; ; size -= max(size/16, 1) {
		big = b.FaceAt(b.Look.Styles["figure"], max(size, least))
		small = b.FaceAt(b.Look.Styles["body"], int(float64(big.Size)*piece.UnitShare))
		width := 2*b.TextWidth(big, "00") + big.Size/14*2 + b.TextWidth(small, b.Locale.UnitOfTime(time.Hour, 24)) + small.Size*3/4 + b.TextWidth(small, b.Locale.UnitOfTime(time.Minute, 59))
		if width <= w.size.X || size <= least {
			return big, small
		}
	}
}

// Minimum heights of the plot, in px on a screen whose shorter side has 720 px. sunPlotTimes applies if only the times are below the
// plot. sunPlotNames applies if the names of the times are also below the plot.
const (
	sunAir       = 6  // gap between the length of the day and the line below it
	sunRoomy     = 96 // minimum height of the plot at which this gap is used
	sunPlotTimes = 36
	sunPlotNames = 60
)

// layTimes places the times and their names at the bottom if there is room. It returns their height in px.
func (w *sunpath) layTimes(room int) int {
	b := w.b
	line := b.Face("caption").Line
	if room < line+b.Px(sunPlotTimes) {
		return 0
	}
	lines := 1
	if room >= 2*line+b.Px(sunPlotNames) {
		lines = 2
	}
	top := w.size.Y - lines*line
	for i := range w.times {
		strong := b.Look.Styles["caption"]
		if i != 1 {
			strong.Weight = 600
		}
		w.times[i] = b.Caption(b.FaceOf("caption", strong), image.Rect(0, top, w.size.X, top+line), kit.EdgeCenter)
		if lines == 2 {
			w.names[i] = b.Caption(b.Face("caption"), image.Rect(0, top+line, w.size.X, w.size.Y), kit.EdgeCenter)
		}
	}
	return lines * line
}

// Update implements render.Widget.
func (w *sunpath) Update(t render.Tick) {
	minute := t.Now().Truncate(time.Minute)
	t.Wake(minute.Add(time.Minute))
	if minute.Equal(w.shown) {
		return
	}
	w.shown = minute
	w.draw(minute.In(w.b.Location))
	t.DamageAll()
}

// sunTurns holds sunrise and sunset of the day that starts at the time `start`. If the sun does not rise on this day, `rise` is zero. If
// the sun does not set, `set` is zero. See find for a sunset after midnight.
type sunTurns struct{ start, rise, set time.Time }

// turns() returns sunrise and sunset of the day that contains the time `now`. It caches two days, because the widget needs today and
// yesterday every minute, and the computation for one day takes a third of a millisecond.
func (w *sunpath) turns(now time.Time) (rise, set time.Time) {
	start := piece.MidnightOf(now, 0)
	for _, d := range w.days {
		if d.start == start { // == also compares the time zones
			return d.rise, d.set
		}
	}
	rise, set = w.find(start)
	w.days[0], w.days[1] = w.days[1], sunTurns{start, rise, set}
	return rise, set
}

// find computes sunrise and sunset of the day that starts at `start`. In the summer of places such as Reykjavik, the sun sets after
// midnight. Then find returns the sunrise before and the sunset after the middle of the day, if they are less than 24 hours apart.
func (w *sunpath) find(start time.Time) (rise, set time.Time) {
	end := piece.MidnightOf(start, 1)
	for at := start.Add(-time.Second); ; {
		c, ok := w.at.NextChange(at)
		if !ok || !c.At.Before(end) {
			break
		}
		if c.Mode == sun.Day {
			rise = c.At.In(start.Location())
		} else {
			set = c.At.In(start.Location())
		}
		at = c.At
	}
	middle := start.Add(12 * time.Hour)
	if !rise.IsZero() && set.After(rise) || w.at.Mode(middle) == sun.Night {
		return rise, set
	}
	if from, to := w.at.DayWindow(middle); !from.IsZero() && !from.After(middle) && !to.IsZero() && to.Sub(from) < 24*time.Hour {
		return from.In(start.Location()), to.In(start.Location())
	}
	return rise, set
}

// daylight() returns the time between sunrise and sunset on the day that contains the time `now`. If the day has no sunrise with a later
// sunset, the result is 24 hours or 0, depending on whether the sun is up at the time `now`.
func (w *sunpath) daylight(now time.Time) time.Duration {
	rise, set := w.turns(now)
	switch {
	case !rise.IsZero() && set.After(rise):
		return set.Sub(rise)
	case w.at.Mode(now) == sun.Day:
		return 24 * time.Hour
	}
	return 0
}

// draw updates the texts and shapes for a time.
func (w *sunpath) draw(now time.Time) {
	rise, set := w.turns(now)
	w.say(now, rise, set)
	d := newCourse(now, rise, set, w.plot)
	d.mirrored = w.b.Locale.RightToLeft
	ground := int(d.y(d.noon.Add(d.half)))
	w.ground = image.Rect(w.plot.Min.X, ground, w.plot.Max.X, ground+w.b.Px(1))
	w.shapes(now, &d)
	w.label(&d)
}

// mirrorFigures mirrors the numbers and units of the day's length in languages that are written from right to left.
func (w *sunpath) mirrorFigures() {
	if !w.b.Locale.RightToLeft {
		return
	}
	for _, c := range w.figures {
		by := image.Pt(w.size.X-c.Ink.Min.X-c.Ink.Max.X, 0)
		c.At, c.Ink = c.At.Add(by), c.Ink.Add(by)
	}
}

// say sets the texts of the day's length and of the change since yesterday.
func (w *sunpath) say(now, rise, set time.Time) {
	l := w.b.Locale
	today := w.daylight(now)
	if w.figures[0] != nil {
		w.count(int(today.Minutes() + 0.5))
	}
	if w.note == nil {
		return
	}
	switch {
	case rise.IsZero() && today > 0:
		w.note.Set(l.Say(locale.NoSunset))
	case rise.IsZero() && set.IsZero():
		w.note.Set(l.Say(locale.NoSunrise))
	default:
		change := today - w.daylight(localtime.Yesterday(now))
		phrase := locale.LongerThanYesterday
		if change < 0 {
			phrase = locale.ShorterThanYesterday
		}
		text := l.Say(locale.OfDaylight)
		whole := text + ", " + string(l.AppendPhrase(nil, phrase, string(l.AppendDuration(nil, change.Abs().Round(time.Minute)))))
		if w.b.TextWidth(w.note.Face, whole) <= w.size.X {
			text = whole
		}
		w.note.Set(text)
	}
}

// count() shows the day's length as hours and minutes. Each number has its unit if there is room.
func (w *sunpath) count(minutes int) {
	x := w.counted(w.figures[0], w.figures[1], 0, minutes/60, time.Hour)
	w.counted(w.figures[2], w.figures[3], x, minutes%60, time.Minute)
	w.mirrorFigures()
}

// counted() places a number and its unit at the coordinate x. It returns the x coordinate at which the next number starts.
func (w *sunpath) counted(number, unit *kit.Caption, x, n int, of time.Duration) int {
	l := w.b.Locale
	put := func(c *kit.Caption, text string) {
		box := c.Box
		box.Min.X = x
		c.Place(box)
		c.Set(text)
	}
	put(number, string(l.AppendNumber(nil, float64(n), 0, false)))
	x = number.At.X + number.Width() + number.Face.Size/14
	text := l.UnitOfTime(of, n)
	if x+w.b.TextWidth(unit.Face, text) > w.size.X {
		text = "" // omit the unit, because the number is more important
	}
	put(unit, text)
	unit.At.Y = number.At.Y
	unit.Ink = unit.Line.Ink().Add(unit.At)
	if text == "" {
		unit.Ink = image.Rectangle{}
	}
	return x + unit.Width() + unit.Face.Size*3/4
}
