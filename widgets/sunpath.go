package widgets

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/theme/sun"

	"dashboard/config/value"
)

// SunpathParams are the parameters of the sunpath widget.
type SunpathParams struct {
	Framed
	Location *value.Location `yaml:"location" doc:"The place; the wall's without it."`
}

// sunpath shows how long the day is, and the sun on its way.
type sunpath struct {
	b       *Builder
	at      sun.Schedule
	size    image.Point
	head    *head
	figures [4]*caption // hours, h, minutes, min
	note    *caption
	plot    image.Rectangle
	times   [3]*caption // rise, noon, set
	names   [3]*caption

	shown    time.Time // the minute that is drawn
	raster   path.Raster
	night    path.Shape // the dotted way
	day      path.Shape // the way so far
	area     path.Shape
	ground   image.Rectangle
	disc     path.Shape
	halo     path.Shape
	ends     [2]path.Shape
	gradient []color.RGBA
	line     path.Path
	out      path.Path
}

func buildSunpath(b *Builder, s *Spec, p *SunpathParams, size image.Point) render.Widget {
	place := b.Place
	if p.Location != nil && p.Location.Known {
		place = *p.Location
	}
	if p.Location != nil && !p.Location.Known || p.Location == nil && !place.Known && place.Name != "" {
		return b.unknown(size) // the place is looked for
	}
	if !place.Known {
		s.Errorf("location", "the way of the sun needs a place: write location in conf.yaml or here")
		return nil
	}
	w := &sunpath{b: b, size: size, at: sun.Schedule{Lat: place.Latitude, Lon: place.Longitude}}
	top := 0
	if p.Title == nil {
		f := Framed{Title: plainLine("Sun"), Icon: plainIcon("weather-sunny"), Note: plainLine(place.Name)}
		w.head = b.newHead(s, &f, image.Rectangle{Max: size})
		w.head.accent.plain = b.Look.Colors["warn"]
		w.head.load(b)
		top = w.head.box.Max.Y + b.px(headBelow)
	}
	w.lay(top)
	return w
}

// lay places the figure, the note, the plot and the times below it. Parts leave where there is no room.
func (w *sunpath) lay(top int) {
	b := w.b
	big, caption, body := b.face("figure"), b.face("caption"), b.face("caption")
	room := w.size.Y - top
	times := 2 * caption.line
	if room > big.line+times+b.px(60) {
		small := b.faceAt(b.Look.Styles["body"], int(float64(big.size)*unitShare))
		for i := range w.figures {
			f := big
			if i%2 == 1 {
				f = small
			}
			w.figures[i] = b.caption(f, image.Rect(0, top, w.size.X, top+big.line), edgeStart)
		}
		top += big.line
		if room > big.line+times+caption.line+b.px(80) {
			w.note = b.caption(caption, image.Rect(0, top, w.size.X, top+caption.line), edgeStart)
			top += caption.line
		}
	}
	bottom := w.size.Y
	if w.size.Y-top > times+b.px(40) {
		bottom -= times
		for i := range w.times {
			strong := b.Look.Styles["caption"]
			if i != 1 {
				strong.Weight = 600
			}
			w.times[i] = b.caption(b.faceOf("caption", strong), image.Rect(0, bottom, w.size.X, bottom+caption.line), edgeStart)
			w.names[i] = b.caption(body, image.Rect(0, bottom+caption.line, w.size.X, w.size.Y), edgeStart)
		}
	}
	w.plot = image.Rect(0, top+b.px(16), w.size.X, bottom-b.px(6))
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

// turns are when the sun rises and sets on the day of a moment; zero where it does not.
func (w *sunpath) turns(now time.Time) (rise, set time.Time) {
	start := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	end := start.AddDate(0, 0, 1)
	for at := start.Add(-time.Second); ; {
		c, ok := w.at.NextChange(at)
		if !ok || !c.At.Before(end) {
			return rise, set
		}
		if c.Mode == sun.Day {
			rise = c.At.In(now.Location())
		} else {
			set = c.At.In(now.Location())
		}
		at = c.At
	}
}

// daylight is how long the sun is up on the day of a moment.
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

// draw fills texts and shapes for a moment.
func (w *sunpath) draw(now time.Time) {
	rise, set := w.turns(now)
	w.say(now, rise, set)
	start := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	x := func(t time.Time) float64 {
		return float64(w.plot.Min.X) + float64(w.plot.Dx())*t.Sub(start).Hours()/24
	}
	noon := start.Add(12 * time.Hour)
	half := 6 * time.Hour
	if !rise.IsZero() && set.After(rise) {
		noon, half = rise.Add(set.Sub(rise)/2), set.Sub(rise)/2
	}
	// A cosine through sunrise and sunset stands for the height of the sun: the curve shows times, not degrees.
	y := func(t time.Time) float64 {
		v := (1 - math.Cos(math.Pi*t.Sub(noon).Hours()/12)) / 2
		return float64(w.plot.Min.Y) + v*float64(w.plot.Dy())
	}
	ground := int(y(noon.Add(half)))
	w.ground = image.Rect(w.plot.Min.X, ground, w.plot.Max.X, ground+w.b.px(1))
	w.shapes(now, start, rise, set, x, y)
	w.label(now, rise, noon, set, x)
}

// points are the way of the sun between two moments.
func way(from, to time.Time, x, y func(time.Time) float64) []path.Point {
	const steps = 96
	var all []path.Point
	for i := range steps + 1 {
		t := from.Add(to.Sub(from) * time.Duration(i) / steps)
		all = append(all, path.Point{X: x(t), Y: y(t)})
	}
	return all
}

func (w *sunpath) shapes(now, start, rise, set time.Time, x, y func(time.Time) float64) {
	b := w.b
	box := image.Rectangle{Max: w.size}
	fill := func(s *path.Shape, draw func(p *path.Path)) {
		w.out.Reset()
		draw(&w.out)
		w.raster.Fill(s, &w.out, box)
	}
	dot := float64(b.px(2))
	w.line.Reset()
	w.line.Line(way(start, start.AddDate(0, 0, 1), x, y))
	fill(&w.night, func(p *path.Path) {
		p.Stroke(&w.line, path.Pen{Width: dot, Cap: path.Round, Dash: []float64{0.1, dot * 3.5}})
	})
	up := !rise.IsZero() && now.After(rise)
	last := now
	if !set.IsZero() && now.After(set) {
		last = set
	}
	none := func(*path.Path) {}
	if !up {
		fill(&w.day, none)
		fill(&w.area, none)
	} else {
		points := way(rise, last, x, y)
		w.line.Reset()
		w.line.Line(points)
		fill(&w.day, func(p *path.Path) { p.Stroke(&w.line, path.Pen{Width: float64(b.px(3)), Cap: path.Round}) })
		fill(&w.area, func(p *path.Path) {
			ground := float64(w.ground.Min.Y)
			p.MoveTo(points[0].X, ground)
			for _, q := range points {
				p.LineTo(q.X, q.Y)
			}
			p.LineTo(points[len(points)-1].X, ground)
			p.Close()
		})
		w.gradient = b.fadeRows(w.gradient[:0], b.Look.Colors["warn"], 0.38, 0.03, w.area.Bounds().Dy())
	}
	r := float64(b.px(9))
	isUp := w.at.Mode(now) == sun.Day
	sunAt := func(r float64) func(p *path.Path) {
		return func(p *path.Path) {
			if isUp {
				p.Circle(x(now), y(now), r)
			}
		}
	}
	fill(&w.disc, sunAt(r))
	fill(&w.halo, sunAt(2*r))
	for i, end := range []time.Time{rise, set} {
		fill(&w.ends[i], func(p *path.Path) {
			if !end.IsZero() {
				p.Circle(x(end), y(end), float64(b.px(4)))
			}
		})
	}
}

// fadeRows are a color's rows of a gradient from one opacity to another, premultiplied.
func (b *Builder) fadeRows(dst []color.RGBA, c color.NRGBA, from, to float64, rows int) []color.RGBA {
	for i := range rows {
		share := from + (to-from)*float64(i)/float64(max(1, rows-1))
		n := c
		n.A = uint8(math.Round(255 * share))
		dst = append(dst, render.Premultiply(n))
	}
	return dst
}

// say writes how long the day is and how that changed.
func (w *sunpath) say(now, rise, set time.Time) {
	l := w.b.Locale
	today := w.daylight(now)
	if w.figures[0] != nil {
		minutes := int(today.Minutes() + 0.5)
		x := 0
		for i, text := range []string{string(l.AppendNumber(nil, float64(minutes/60), 0, false)), "h", string(l.AppendNumber(nil, float64(minutes%60), 0, false)), "min"} {
			c := w.figures[i]
			box := c.box
			box.Min.X = x
			c.place(box)
			c.set(text)
			if i%2 == 1 {
				c.at.Y = w.figures[0].at.Y
				c.ink = c.line.Ink().Add(c.at)
				x += c.width() + c.face.size/2
			} else {
				x += c.width() + c.face.size/14
			}
		}
	}
	if w.note == nil {
		return
	}
	switch {
	case rise.IsZero() && today > 0:
		w.note.set(l.Say(locale.NoSunset))
	case rise.IsZero() && set.IsZero():
		w.note.set(l.Say(locale.NoSunrise))
	default:
		change := today - w.daylight(now.AddDate(0, 0, -1))
		phrase := locale.LongerThanYesterday
		if change < 0 {
			phrase = locale.ShorterThanYesterday
		}
		text := l.Say(locale.OfDaylight) + ", " + string(l.AppendPhrase(nil, phrase, string(l.AppendDuration(nil, change.Abs().Round(time.Minute)))))
		w.note.set(text)
	}
}

// label writes the times below the plot, without one over the other.
func (w *sunpath) label(now, rise, noon, set time.Time, x func(time.Time) float64) {
	if w.times[0] == nil {
		return
	}
	l := w.b.Locale
	phrases := []locale.Phrase{locale.Sunrise, locale.Noon, locale.Sunset}
	wide := w.size.X / 3
	apart := int(x(set)-x(rise))/2 > w.b.textWidth(w.times[0].face, string(l.Append(nil, noon, locale.Time)))+w.b.px(12)
	for i, t := range []time.Time{rise, noon, set} {
		c, n := w.times[i], w.names[i]
		if t.IsZero() {
			c.set("")
			n.set("")
			continue
		}
		at := i * wide // short days: one third each
		if apart {
			at = min(max(int(x(t))-wide/2, 0), w.size.X-wide)
		}
		c.edge, n.edge = edgeCenter, edgeCenter
		c.place(image.Rect(at, c.box.Min.Y, at+wide, c.box.Max.Y))
		n.place(image.Rect(at, n.box.Min.Y, at+wide, n.box.Max.Y))
		c.set(string(l.Append(nil, t, locale.Time)))
		n.set(l.Say(phrases[i]))
	}
}

// Paint implements render.Widget.
func (w *sunpath) Paint(c render.Canvas) {
	b := w.b
	if w.head != nil {
		w.head.paint(c)
	}
	text, muted, warm := b.role("text"), b.role("muted"), b.role("warn")
	for i, f := range w.figures {
		if f == nil {
			continue
		}
		if i%2 == 1 {
			f.paint(c, muted)
		} else {
			f.paint(c, text)
		}
	}
	if w.note != nil {
		w.note.paint(c, muted)
	}
	c.Fill(w.ground, b.role("line"))
	c.Shape(&w.night, image.Point{}, b.role("faint"))
	c.ShapeRows(&w.area, image.Point{}, w.gradient)
	c.Shape(&w.day, image.Point{}, warm)
	c.Shape(&w.ends[0], image.Point{}, warm)
	c.Shape(&w.ends[1], image.Point{}, muted)
	c.Shape(&w.halo, image.Point{}, b.shade("warn", 0.25))
	c.Shape(&w.disc, image.Point{}, warm)
	for i := range w.times {
		if w.times[i] != nil {
			ink := text
			if i == 1 {
				ink = muted
			}
			w.times[i].paint(c, ink)
			w.names[i].paint(c, muted)
		}
	}
}
