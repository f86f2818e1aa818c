package chart

import (
	"image"
	"image/color"
	"math"
	"slices"

	"dashboard/render"
	"dashboard/render/path"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/history"
)

// series is one series of a chart with its shapes.
type series struct {
	c           *chart
	in          kit.Input
	past        *history.Past // history of a single value, nil for a list of values
	recalls     int           // value of past.Recalls at the last update
	given       any           // values of this series, from a program that returns all series
	color, text kit.Input
	form        string // kind of the series as set in the file or by the program, or ""
	kind        string
	side        int
	smooth      bool

	points      []history.Datum
	tops, bases []float64 // values at the top and at the base of each point. Only stacked series have bases other than 0
	timed       bool
	stale       bool
	ink         color.RGBA

	px    []path.Point // points of a part without gaps, in px
	floor []path.Point // base of each point in px
	dense bool         // true if the part has more points than the plot can show
	area  path.Shape
	rows  []color.RGBA // color of each row of pixels in the area
	zones []zone
	dots  path.Shape // dots of the kind "points", of future values, and after the last value
	halo  path.Shape
	under path.Shape // white border of the line on black-and-white displays
	tips  [3]zone    // marks at the last, the highest and the lowest point
	high  *kit.Caption
	low   *kit.Caption
}

// zone is a part of a line, of an area or of bars that has its own color.
type zone struct {
	shape path.Shape
	color color.RGBA
}

// Proportions of the drawing, and lengths in px on a screen whose shorter side has 720 px.
const (
	lineWide   = 2.5
	tipRadius  = 4.5
	tipRing    = 2
	futureWide = 2
	futureGap  = 7
	barShare   = 0.68 // width of a bar, as a share of its slot
	areaTop    = 0.36 // opacity at the top of the area
	areaFoot   = 0.025
)

// denseWidth is the minimum distance in px between two points that are joined by a curve. Closer points are joined by straight lines.
const denseWidth = 2

func (w *chart) length(themed float64) float64 { return math.Max(1, themed*float64(w.b.Px(100))/100) }

// shape() builds the shapes of the series in the plot.
func (s *series) shape(bars, nth int) {
	w, o := s.c, &s.c.b.Outlines
	o.Begin()
	o.Fill(&s.area, w.plot)
	o.Fill(&s.dots, w.plot)
	o.Fill(&s.halo, w.plot)
	for i := range s.tips {
		o.Fill(&s.tips[i].shape, w.plot)
	}
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
		o.Begin()
		s.runs(false, func() {
			for _, p := range s.px {
				o.Area.Circle(p.X, p.Y, w.length(tipRadius)*0.8)
			}
		})
		s.cut(true)
		return
	}
	o.Begin()
	s.runs(false, func() { s.curve(&o.Line) })
	s.cut(false)
	if w.future {
		o.Begin()
		s.runs(true, func() { s.curve(&o.Line) })
		o.Stroke(&s.dots, path.Pen{Width: w.length(futureWide), Cap: path.Round, Dash: []float64{0.1, w.length(futureGap)}}, w.plot)
	}
	if s.stale && w.bare {
		s.rest()
	}
	s.last()
}

// rest() draws a dotted line from the last point to the current time, because there are no values for this period.
func (s *series) rest() {
	w, o := s.c, &s.c.b.Outlines
	if len(s.points) == 0 || s.points[len(s.points)-1].Gap() {
		return
	}
	n := len(s.points) - 1
	y := w.yAt(s.side, s.tops[n])
	from, to := w.xAt(s.points[n].At), w.xAt(w.now)
	o.Begin()
	o.Line.MoveTo(from, y)
	o.Line.LineTo(to, y)
	o.Stroke(&s.dots, path.Pen{Width: w.length(futureWide), Cap: path.Round, Dash: []float64{0.1, w.length(futureGap)}}, w.plot)
}

// runs() splits the series at its gaps and calls f for each part. During a call, s.px and s.floor hold the points of the part. If
// `future` is false, runs() uses the points up to the current time. Otherwise, it uses the points from the current time on.
func (s *series) runs(future bool, f func()) {
	w := s.c
	s.px, s.floor = s.px[:0], s.floor[:0]
	flush := func() {
		if s.dense = len(s.px)*denseWidth > w.plot.Dx(); s.dense {
			s.thin()
		}
		if len(s.px) > 0 {
			f()
		}
		s.px, s.floor = s.px[:0], s.floor[:0]
	}
	for i, d := range s.points {
		ahead := w.future && d.At > w.now
		if ahead != future && w.future {
			next := i+1 < len(s.points) && s.points[i+1].At > w.now
			if !(future && next) { // the future part of the line begins at the last current point
				continue
			}
		}
		if d.Gap() {
			flush()
			continue
		}
		x := w.xAt(d.At)
		s.px = append(s.px, path.Point{X: x, Y: w.yAt(s.side, s.tops[i])})
		floor := w.yAt(s.side, s.bases[i])
		if w.bare { // without axes, the area extends down to the bottom of the plot
			floor = float64(w.plot.Max.Y)
		}
		s.floor = append(s.floor, path.Point{X: x, Y: floor})
	}
	flush()
}

// thin() reduces the points. If several points share a few pixels, it keeps only the highest and the lowest of them. More points would not
// be visible, and the size of a path is limited.
func (s *series) thin() {
	column := func(i int) int { return int(s.px[i].X) / denseWidth }
	kept := 0
	for from, to := 0, 0; from < len(s.px); from = to {
		high, low := from, from
		for to = from; to < len(s.px) && column(to) == column(from); to++ {
			if s.px[to].Y < s.px[high].Y {
				high = to
			}
			if s.px[to].Y > s.px[low].Y {
				low = to
			}
		}
		first, last := min(high, low), max(high, low)
		s.px[kept], s.floor[kept] = s.px[first], s.floor[first]
		kept++
		if last > first {
			s.px[kept], s.floor[kept] = s.px[last], s.floor[last]
			kept++
		}
	}
	s.px, s.floor = s.px[:kept], s.floor[:kept]
}

// curve() appends the points of a part to a path.
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
	case s.smooth && !s.dense && !s.c.p.Stacked:
		s.forward()
		p.Smooth(s.px)
	default:
		p.Line(s.px)
	}
}

// forward() reverses the points of a part in right-to-left languages, because path.Smooth needs points from left to right.
func (s *series) forward() {
	if s.c.b.Locale.RightToLeft {
		slices.Reverse(s.px)
		slices.Reverse(s.floor)
	}
}

// fillArea builds the area below the line, and computes the color of each row of pixels in the area.
func (s *series) fillArea() {
	w, o := s.c, &s.c.b.Outlines
	if w.b.Look.Ink {
		return // e-paper has no shades
	}
	o.Begin()
	s.runs(false, func() {
		s.curve(&o.Area)
		for i := len(s.floor) - 1; i >= 0; i-- {
			o.Area.LineTo(s.floor[i].X, s.floor[i].Y)
		}
		o.Area.Close()
	})
	o.Fill(&s.area, w.plot)
	n := s.area.Bounds().Dy()
	s.rows = s.rows[:0]
	for y := range n {
		share := areaTop + (areaFoot-areaTop)*float64(y)/math.Max(1, float64(n))
		if w.p.Stacked {
			share = areaTop
		}
		s.rows = append(s.rows, kit.Tint(s.ink, share))
	}
}

// zone() divides the range of values at the bounds of the thresholds, and sets the color of each zone.
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
		if l := w.matching(middle); l != nil {
			s.zones[i].color = render.Premultiply(l.Color.NRGBA)
		}
	}
}

// matching returns the threshold that applies to a number, or nil if no threshold contains the number.
func (w *chart) matching(v float64) *format.Range {
	out := format.Shown{Num: v, IsNum: true}
	limited := format.Formatter{Wording: &format.Wording{Thresholds: w.limits}}
	limited.Threshold(&out)
	return out.Bound
}

// paint draws the series' shapes.
func (s *series) paint(c render.Canvas) {
	if s.c.b.Look.Ink {
		c.Shape(&s.under, image.Point{}, s.c.ground)
	}
	for i := range s.zones {
		c.Shape(&s.zones[i].shape, image.Point{}, s.zones[i].color)
	}
	c.Shape(&s.dots, image.Point{}, s.c.muted)
	c.Shape(&s.halo, image.Point{}, s.c.ground)
	for i := range s.tips {
		c.Shape(&s.tips[i].shape, image.Point{}, s.tips[i].color)
	}
}
