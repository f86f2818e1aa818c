package widgets

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"dashboard/config"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/theme"
)

// series is one row of numbers of a chart, and its shapes.
type series struct {
	c           *chart
	in          input
	past        *past // of a value; nil for values
	recalls     int   // of the past, as of the last update
	given       any   // values from a list of series
	color, text input
	form        string // as written
	kind        string
	side        int
	smooth      bool

	points      []datum
	tops, bases []float64 // where each point is drawn to and from; bases are 0 unless stacked
	timed       bool
	stale       bool
	ink, mark   color.RGBA

	px    []path.Point // of a run without gaps
	floor []path.Point // below it
	area  path.Shape
	rows  []color.RGBA // of the area
	zones []zone
	dots  path.Shape // what is to come, and points
	halo  path.Shape
	tip   path.Shape
	high  *caption
	low   *caption
}

// zone is the part of a line or of bars that one color has.
type zone struct {
	shape path.Shape
	color color.RGBA
}

func (w *chart) newSeries(s *Spec, p *SeriesKeys, c *config.Live[theme.RoleColor]) *series {
	x := &series{c: w, form: p.Form, smooth: w.p.Smooth, color: inputOf(w.b, s, c, colorOf), text: inputOf(w.b, s, p.Text, anyOf[string])}
	if p.Axis == "right" {
		x.side = 1
	}
	if p.Values != nil {
		x.in = inputOf(w.b, s, p.Values, listOf)
		return x
	}
	x.in = inputOf(w.b, s, p.Value, plainOf)
	if p.Value != nil {
		of, program := s.pastKey(p.Value, programOf(p.Value))
		x.past = w.b.pastOf(of, program, w.span)
		w.b.history(s, &p.Thing, x.past)
	} else {
		x.past = w.b.pastOf(p, "", w.span)
	}
	return x
}

// take reads a series of a list from data.
func (s *series) take(m map[string]any, i int) {
	s.given = m["values"]
	s.text = input{plain: m["text"]}
	s.color = input{plain: m["color"]}
	s.form, _ = m["kind"].(string)
	s.side = 0
	if m["axis"] == "right" {
		s.side = 1
	}
	s.stale = s.c.list.stale
}

func (s *series) update(t render.Tick) bool {
	changed := s.in.update(t)
	if s.past != nil {
		s.past.recall(t)
		if changed {
			s.past.follow(&s.in)
		}
		changed = changed || s.recalls != s.past.recalls
		s.recalls = s.past.recalls
	}
	if s.in.cell != nil {
		s.stale = s.in.stale
	}
	changed = s.color.update(t) || changed
	return s.text.update(t) || changed
}

// gather reads the points of the moment.
func (s *series) gather(i int) {
	w := s.c
	s.points, s.timed = s.points[:0], false
	s.kind = s.form
	if s.kind == "" {
		s.kind = w.p.Form
	}
	if s.kind == "" {
		s.kind = "line"
	}
	s.ink = s.color.color(w.b, w.b.role(fmt.Sprint("series", i%6+1)))
	switch {
	case s.past != nil:
		s.remember()
	case s.given != nil:
		s.points, s.timed = readPoints(s.points, s.given, &w.b.Env)
	default:
		if v, ok := s.in.value(); ok {
			s.points, s.timed = readPoints(s.points, v, &w.b.Env)
		}
	}
	if w.p.Bucket > 0 && s.timed {
		s.points = bucket(s.points, s.bucketLength(), w.p.Combine, w.b.Location)
	}
	if w.named {
		s.points = s.points[:min(len(s.points), len(w.names))]
		for j := range s.points {
			s.points[j].at = float64(j)
		}
	}
}

func (s *series) bucketLength() float64 { return float64(s.c.p.Bucket) / 1e9 }

// remember is the past of a value up to now: what it was last, it is until something else is known.
func (s *series) remember() {
	w := s.c
	s.timed = true
	from := w.now - w.span.Seconds()
	for i, d := range s.past.data {
		if d.at < from && i+1 < len(s.past.data) && s.past.data[i+1].at <= from {
			continue
		}
		s.points = append(s.points, datum{max(d.at, from), d.v})
	}
	if n := len(s.points); n > 0 && s.points[n-1].at < w.now && !s.in.stale && s.kind != "bar" {
		s.points = append(s.points, datum{w.now, s.points[n-1].v})
	}
}

// stack finds where each point is drawn to and from.
func (w *chart) stack() {
	type sum struct{ up, down float64 }
	var sums map[datum]sum
	if w.p.Stacked {
		sums = map[datum]sum{}
	}
	for _, s := range w.series {
		s.tops, s.bases = s.tops[:0], s.bases[:0]
		for _, d := range s.points {
			base := 0.0
			if sums != nil && !d.gap() && (s.kind == "bar" || s.kind == "area") {
				key := datum{d.at, float64(s.side)}
				have := sums[key]
				if d.v >= 0 {
					base = have.up
					have.up += d.v
				} else {
					base = have.down
					have.down += d.v
				}
				sums[key] = have
			}
			s.tops, s.bases = append(s.tops, base+d.v), append(s.bases, base)
		}
	}
}

// Proportions of what is drawn, px at a shorter side of 720 px.
const (
	lineWide   = 2.5
	tipRadius  = 4.5
	tipRing    = 2
	futureWide = 2
	futureGap  = 7
	barShare   = 0.68 // of the room for a bar
	areaTop    = 0.36 // opacity
	areaFoot   = 0.025
)

func (w *chart) length(themed float64) float64 { return math.Max(1, themed*float64(w.b.px(100))/100) }

// shape draws the series in the plot.
func (s *series) shape(bars, nth int) {
	w, o := s.c, &s.c.b.outlines
	o.begin()
	o.fill(&s.area, w.plot)
	o.fill(&s.dots, w.plot)
	o.fill(&s.halo, w.plot)
	o.fill(&s.tip, w.plot)
	s.zone()
	switch s.kind {
	case "bar":
		s.bars(bars, nth)
		s.cut(true)
		return
	case "area":
		s.fillArea()
	}
	if s.kind == "points" {
		o.begin()
		s.runs(false, func() {
			for _, p := range s.px {
				o.area.Circle(p.X, p.Y, w.length(tipRadius)*0.8)
			}
		})
		s.cut(true)
		return
	}
	o.begin()
	s.runs(false, func() { s.curve(&o.line) })
	s.cut(false)
	if w.future {
		o.begin()
		s.runs(true, func() { s.curve(&o.line) })
		o.stroke(&s.dots, path.Pen{Width: w.length(futureWide), Cap: path.Round, Dash: []float64{0.1, w.length(futureGap)}}, w.plot)
	}
	s.last()
}

// runs calls f for each part without gaps, its places in px. Without a future it ends at the present, else it begins there.
func (s *series) runs(future bool, f func()) {
	w := s.c
	s.px, s.floor = s.px[:0], s.floor[:0]
	flush := func() {
		if len(s.px) > 0 {
			f()
		}
		s.px, s.floor = s.px[:0], s.floor[:0]
	}
	for i, d := range s.points {
		ahead := w.future && d.at > w.now
		if ahead != future && w.future {
			next := i+1 < len(s.points) && s.points[i+1].at > w.now
			if !(future && next) { // what is to come begins at the last point that is over
				continue
			}
		}
		if d.gap() {
			flush()
			continue
		}
		x := w.xAt(d.at)
		s.px = append(s.px, path.Point{X: x, Y: w.yAt(s.side, s.tops[i])})
		s.floor = append(s.floor, path.Point{X: x, Y: w.yAt(s.side, s.bases[i])})
	}
	flush()
}

// curve draws a run.
func (s *series) curve(p *path.Path) {
	switch {
	case s.kind == "step":
		for i, v := range s.px {
			if i == 0 {
				p.MoveTo(v.X, v.Y)
				continue
			}
			p.LineTo(v.X, s.px[i-1].Y)
			p.LineTo(v.X, v.Y)
		}
	case s.smooth && !s.c.p.Stacked:
		p.Smooth(s.px)
	default:
		p.Line(s.px)
	}
}

// fillArea makes the area below the runs, and its colors.
func (s *series) fillArea() {
	w, o := s.c, &s.c.b.outlines
	if w.b.Look.Ink {
		return // paper has no shades
	}
	o.begin()
	s.runs(false, func() {
		s.curve(&o.area)
		for i := len(s.floor) - 1; i >= 0; i-- {
			o.area.LineTo(s.floor[i].X, s.floor[i].Y)
		}
		o.area.Close()
	})
	o.fill(&s.area, w.plot)
	n := s.area.Bounds().Dy()
	s.rows = s.rows[:0]
	for y := range n {
		share := areaTop + (areaFoot-areaTop)*float64(y)/math.Max(1, float64(n))
		if w.p.Stacked {
			share = areaTop
		}
		s.rows = append(s.rows, tint(s.ink, share))
	}
}

// bars makes the bars: side by side with those of other series, or on each other.
func (s *series) bars(bars, nth int) {
	w, o := s.c, &s.c.b.outlines
	o.begin()
	room := w.slot / (w.x.to - w.x.from) * float64(w.plot.Dx())
	wide, at := room*barShare, -room*barShare/2
	if !w.p.Stacked && bars > 1 {
		wide /= float64(bars)
		at += wide * float64(nth)
	}
	thin := math.Max(1, math.Min(wide-w.length(1), wide*0.94))
	for i, d := range s.points {
		if d.gap() {
			continue
		}
		x := w.xAt(d.at) + at + (wide-thin)/2
		top, base := w.yAt(s.side, s.tops[i]), w.yAt(s.side, s.bases[i])
		if math.Abs(top-base) < 0.5 {
			continue
		}
		radius := math.Min(thin/2, math.Min(w.length(4), math.Abs(top-base)))
		if w.p.Stacked {
			o.area.Rect(x, min(top, base), x+thin, max(top, base))
			continue
		}
		o.area.RoundRect(x, min(top, base), x+thin, max(top, base), radius)
		if top < base { // square where it stands
			o.area.Rect(x, base-radius, x+thin, base)
		} else {
			o.area.Rect(x, base, x+thin, base+radius)
		}
	}
}

// zone splits the plot where limits have another color.
func (s *series) zone() {
	w := s.c
	var at []float64
	if s.side == 0 && !s.stale {
		at = w.bounds()
	}
	for len(s.zones) <= len(at) {
		s.zones = append(s.zones, zone{})
	}
	s.zones = s.zones[:len(at)+1]
	for i := range s.zones {
		s.zones[i].color = s.ink
		if len(at) == 0 {
			continue
		}
		middle := 0.0
		switch i {
		case 0:
			middle = at[0] - 1
		case len(at):
			middle = at[i-1] + 1
		default:
			middle = (at[i-1] + at[i]) / 2
		}
		out := shown{num: middle, isNum: true}
		limited := wording{Wording: &Wording{Thresholds: w.limits}}
		limited.threshold(&out)
		if out.color != nil {
			s.zones[i].color = render.Premultiply(*out.color)
		}
	}
}

// cut makes the zones' shapes of what was drawn: an area, or a line that is stroked.
func (s *series) cut(area bool) {
	w, o := s.c, &s.c.b.outlines
	if !area {
		pen := path.Pen{Width: w.length(lineWide), Cap: path.Round}
		o.area.Stroke(&o.line, pen)
	}
	room := w.plot.Inset(-int(w.length(tipRadius) + 1)) // a line at the edge is as thick as elsewhere
	at := w.bounds()
	for i := range s.zones {
		box := room
		if len(s.zones) > 1 && i > 0 {
			box.Max.Y = int(w.yAt(0, at[i-1]) + 0.5)
		}
		if i < len(s.zones)-1 {
			box.Min.Y = int(w.yAt(0, at[i]) + 0.5)
		}
		o.fill(&s.zones[i].shape, box)
	}
}

// last marks the present, and the highest and lowest point.
func (s *series) last() {
	w, o := s.c, &s.c.b.outlines
	high, low, last := -1, -1, -1
	for i, d := range s.points {
		if d.gap() || w.future && d.at > w.now {
			continue
		}
		if high < 0 || s.tops[i] > s.tops[high] {
			high = i
		}
		if low < 0 || s.tops[i] < s.tops[low] {
			low = i
		}
		last = i
	}
	var at []int
	if w.marks.last && last >= 0 {
		at = append(at, last)
	}
	s.high, s.low = w.peak(s.high, s, high, w.marks.max, -1), w.peak(s.low, s, low, w.marks.min, 1)
	if w.marks.max && high >= 0 {
		at = append(at, high)
	}
	if w.marks.min && low >= 0 {
		at = append(at, low)
	}
	s.mark = s.tipInk()
	room := image.Rectangle{Max: w.size}
	for _, part := range []struct {
		shape  *path.Shape
		radius float64
	}{{&s.halo, w.length(tipRadius) + w.length(tipRing)}, {&s.tip, w.length(tipRadius)}} {
		o.begin()
		for _, i := range at {
			o.area.Circle(w.xAt(s.points[i].at), w.yAt(s.side, s.tops[i]), part.radius)
		}
		o.fill(part.shape, room)
	}
}

// tipInk is the color of a mark: that of the line where it is.
func (s *series) tipInk() color.RGBA {
	for i := len(s.points) - 1; i >= 0; i-- {
		if s.points[i].gap() || s.c.future && s.points[i].at > s.c.now {
			continue
		}
		at := s.c.bounds()
		for j := range s.zones {
			if j == len(s.zones)-1 || s.tops[i] < at[j] {
				return s.zones[j].color
			}
		}
	}
	return s.ink
}

// paint draws the series' shapes.
func (s *series) paint(c render.Canvas) {
	weaker := func(col color.RGBA) color.RGBA {
		if s.stale {
			return faint(col)
		}
		return col
	}
	for i := range s.zones {
		c.Shape(&s.zones[i].shape, image.Point{}, weaker(s.zones[i].color))
	}
	c.Shape(&s.dots, image.Point{}, weaker(s.c.muted))
	c.Shape(&s.halo, image.Point{}, s.c.ground)
	c.Shape(&s.tip, image.Point{}, weaker(s.mark))
}
