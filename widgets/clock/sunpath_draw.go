package clock

import (
	"image"
	"math"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/theme/sun"
	"dashboard/widgets/kit/piece"
)

// A course maps times of a day to points of the plot.
type course struct {
	start, noon time.Time
	rise, set   time.Time     // zero if there is no sunrise or no sunset
	half        time.Duration // time from sunrise to noon. 6 hours if the day has no sunrise with a later sunset
	plot        image.Rectangle
	mirrored    bool // true if time runs from right to left
}

// newCourse returns the course of the day that contains the time `now`. The curve is a cosine with its top at noon. It does not show the
// sun's height in degrees.
func newCourse(now, rise, set time.Time, plot image.Rectangle) course {
	start := piece.MidnightOf(now, 0)
	d := course{start: start, noon: start.Add(12 * time.Hour), rise: rise, set: set, half: 6 * time.Hour, plot: plot}
	if !rise.IsZero() && set.After(rise) {
		d.noon, d.half = rise.Add(set.Sub(rise)/2), set.Sub(rise)/2
	}
	return d
}

func (d *course) x(t time.Time) float64 {
	along := float64(d.plot.Dx()) * t.Sub(d.start).Hours() / 24
	if d.mirrored {
		return float64(d.plot.Max.X) - along
	}
	return float64(d.plot.Min.X) + along
}

// nightShare is the share of the plot's height below the horizon. It is small, so that labels are close to sunrise and sunset.
const nightShare = 0.1

func (d *course) y(t time.Time) float64 {
	up := func(from time.Duration) float64 { return math.Cos(math.Pi * from.Hours() / 12) }
	horizon := up(d.half)
	v := up(t.Sub(d.noon)) - horizon
	if share := 1 - nightShare; v >= 0 {
		v = share * (1 - v/max(1-horizon, 0.01))
	} else {
		v = share - nightShare*v/max(1+horizon, 0.01)
	}
	return float64(d.plot.Min.Y) + v*float64(d.plot.Dy())
}

// appendWay appends the points of the sun's path between two times.
func (d *course) appendWay(all []path.Point, from, to time.Time) []path.Point {
	const steps = 96
	for i := range steps + 1 {
		t := from.Add(to.Sub(from) * time.Duration(i) / steps)
		all = append(all, path.Point{X: d.x(t), Y: d.y(t)})
	}
	return all
}

// fill builds a shape from the path that the function `draw` creates.
func (w *sunpath) fill(s *path.Shape, draw func(p *path.Path)) {
	w.out.Reset()
	draw(&w.out)
	w.raster.Fill(s, &w.out, image.Rectangle{Max: w.size})
}

// shapes() builds the shapes of the day's path and of the sun.
func (w *sunpath) shapes(now time.Time, d *course) {
	dot := float64(w.b.Px(2))
	w.line.Reset()
	w.way = d.appendWay(w.way[:0], d.start, piece.MidnightOf(d.start, 1))
	w.line.Line(w.way)
	w.fill(&w.night, func(p *path.Path) {
		p.Stroke(&w.line, path.Pen{Width: dot, Cap: path.Round, Dash: []float64{0.1, dot * 3.5}})
	})
	w.past(now, d)
	r := float64(w.b.Px(9))
	up := w.at.Mode(now) == sun.Day
	for s, r := range map[*path.Shape]float64{&w.disc: r, &w.halo: 2 * r} {
		w.fill(s, func(p *path.Path) {
			if up {
				p.Circle(d.x(now), d.y(now), r)
			}
		})
	}
	for i, end := range []time.Time{d.rise, d.set} {
		w.fill(&w.ends[i], func(p *path.Path) {
			if !end.IsZero() {
				p.Circle(d.x(end), d.y(end), float64(w.b.Px(4)))
			}
		})
	}
}

// past() builds the part of the path from sunrise until `now`, and the area below this part.
func (w *sunpath) past(now time.Time, d *course) {
	if d.rise.IsZero() || !now.After(d.rise) {
		none := func(*path.Path) {}
		w.fill(&w.day, none)
		w.fill(&w.area, none)
		return
	}
	last := now
	if !d.set.IsZero() && now.After(d.set) {
		last = d.set
	}
	w.way = d.appendWay(w.way[:0], d.rise, last)
	points := w.way
	w.line.Reset()
	w.line.Line(points)
	w.fill(&w.day, func(p *path.Path) { p.Stroke(&w.line, path.Pen{Width: float64(w.b.Px(3)), Cap: path.Round}) })
	w.fill(&w.area, func(p *path.Path) {
		ground := float64(w.ground.Min.Y)
		p.MoveTo(points[0].X, ground)
		for _, q := range points {
			p.LineTo(q.X, q.Y)
		}
		p.LineTo(points[len(points)-1].X, ground)
		p.Close()
	})
	w.gradient = piece.FadeRows(w.b, w.gradient[:0], w.b.Look.Colors["sun"], 0.38, 0.03, w.area.Bounds().Dy())
}

// label() places each time below its point of the plot. If labels would touch, it moves them apart or omits some of them.
func (w *sunpath) label(d *course) {
	if w.times[0] == nil {
		return
	}
	phrases := []locale.Phrase{locale.Sunrise, locale.Noon, locale.Sunset}
	var texts, names [3]string
	var spans [3]image.Point // x coordinates of the start and the end of each label
	for i, t := range []time.Time{d.rise, d.noon, d.set} {
		if t.IsZero() || i == 1 && d.rise.IsZero() != d.set.IsZero() {
			continue
		}
		texts[i] = string(w.b.Locale.Append(nil, t, locale.Time))
		wide := w.b.TextWidth(w.times[i].Face, texts[i])
		if w.names[i] != nil {
			names[i] = w.b.Locale.Say(phrases[i])
			wide = max(wide, w.b.TextWidth(w.names[i].Face, names[i]))
		}
		wide = min(wide+2, w.size.X)
		at := min(max(int(d.x(t))-wide/2, 0), w.size.X-wide)
		spans[i] = image.Pt(at, at+wide)
	}
	w.makeWay(&texts, &names, &spans)
	for i, c := range w.times {
		c.Place(image.Rect(spans[i].X, c.Box.Min.Y, spans[i].Y, c.Box.Max.Y))
		c.Set(texts[i])
		if n := w.names[i]; n != nil {
			n.Place(image.Rect(spans[i].X, n.Box.Min.Y, spans[i].Y, n.Box.Max.Y))
			n.Set(names[i])
		}
	}
}

// makeWay separates labels that touch. First it moves the labels of sunrise and sunset apart. If labels still touch, it removes the label
// of noon, then the names of all labels, then all labels.
func (w *sunpath) makeWay(texts, names *[3]string, spans *[3]image.Point) {
	gap := w.b.Px(12)
	rise, noon, set := &spans[0], &spans[1], &spans[2]
	if w.b.Locale.RightToLeft {
		rise, set = set, rise
	}
	if texts[0] != "" && texts[2] != "" && rise.X < set.X {
		if short := rise.Y + gap - set.X; short > 0 {
			left := min(short/2, rise.X)
			right := min(short-left, w.size.X-set.Y)
			left = min(short-right, rise.X)
			*rise, *set = rise.Sub(image.Pt(left, left)), set.Add(image.Pt(right, right))
		}
	}
	for _, i := range []int{0, 2} {
		if end := spans[i]; texts[i] != "" && end.Y+gap > noon.X && noon.Y+gap > end.X {
			texts[1], names[1] = "", ""
		}
	}
	if !w.touch(texts, spans) {
		return
	}
	*names, texts[1] = [3]string{}, "" // keep only the times of sunrise and sunset
	for _, i := range []int{0, 2} {
		middle, wide := (spans[i].X+spans[i].Y)/2, w.b.TextWidth(w.times[i].Face, texts[i])+2
		at := min(max(middle-wide/2, 0), w.size.X-wide)
		spans[i] = image.Pt(at, at+wide)
	}
	if w.touch(texts, spans) {
		*texts = [3]string{}
	}
}

// touch() reports whether the labels of sunrise and sunset overlap, or nearly touch.
func (w *sunpath) touch(texts *[3]string, spans *[3]image.Point) bool {
	rise, set, gap := spans[0], spans[2], w.b.Px(12)/2
	return texts[0] != "" && texts[2] != "" && rise.Y+gap > set.X && set.Y+gap > rise.X
}

// Paint implements render.Widget.
func (w *sunpath) Paint(c render.Canvas) {
	b := w.b
	if w.head != nil {
		w.head.Paint(c)
	}
	text, muted, warm := b.Role("text"), b.Role("muted"), b.Role("sun")
	for i, f := range w.figures {
		if f == nil {
			continue
		}
		if i%2 == 1 {
			f.Paint(c, muted)
		} else {
			f.Paint(c, text)
		}
	}
	if w.note != nil {
		w.note.Paint(c, muted)
	}
	c.Fill(w.ground, b.Role("line"))
	c.Shape(&w.night, image.Point{}, b.Role("faint"))
	c.ShapeRows(&w.area, image.Point{}, w.gradient)
	c.Shape(&w.day, image.Point{}, warm)
	c.Shape(&w.ends[0], image.Point{}, warm)
	c.Shape(&w.ends[1], image.Point{}, muted)
	c.Shape(&w.halo, image.Point{}, b.Shade("sun", 0.25))
	c.Shape(&w.disc, image.Point{}, warm)
	for i := range w.times {
		if w.times[i] != nil {
			ink := text
			if i == 1 {
				ink = muted
			}
			w.times[i].Paint(c, ink)
		}
		if w.names[i] != nil {
			w.names[i].Paint(c, muted)
		}
	}
}
