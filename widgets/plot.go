package widgets

import (
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/axis"
)

// Lengths of a chart's words, px at a shorter side of 720 px.
const (
	tickGap      = 10 // between the labels of values and the plot
	footGap      = 6  // between the plot and the labels below it
	nameApart    = 8  // between two names below the plot
	wordsApart   = 10 // between two labels below the plot
	tickRoom     = 44 // height for one tick
	timeRoom     = 84 // width for one time
	swatch       = 10
	axesLeast    = 84 // height of a chart below which its axes leave
	axesWidth    = 150
	dash, noDash = 5, 4
)

// xAt and yAt are where a time and a value lie, px.
func (w *chart) xAt(at float64) float64 {
	return float64(w.plot.Min.X) + (at-w.x.from)/(w.x.to-w.x.from)*float64(w.plot.Dx())
}

func (w *chart) yAt(side int, v float64) float64 {
	y := float64(w.plot.Max.Y) - w.sides[side].scale.At(v)*float64(w.plot.Dy())
	return min(max(y, float64(w.plot.Min.Y)-float64(w.size.Y)), float64(w.plot.Max.Y+w.size.Y))
}

// bounds are where limits begin and end, in order.
func (w *chart) bounds() []float64 {
	var at []float64
	for _, l := range w.limits {
		for _, bound := range []*float64{l.Above, l.Below} {
			if bound != nil {
				at = append(at, *bound)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// draw lays everything out for the present values.
func (w *chart) draw(now time.Time) {
	if !w.gather(now) {
		w.empty.set(w.nothing())
		return
	}
	w.empty.set("")
	w.stack()
	w.lay()
	bars := 0
	for _, s := range w.series {
		if s.kind == "bar" {
			bars++
		}
	}
	nth := 0
	for _, s := range w.series {
		s.shape(bars, nth)
		if s.kind == "bar" {
			nth++
		}
	}
	w.name()
}

// label is the i-th of a list of captions in the style of axes, made where there is none.
func (w *chart) label(list *[]*caption, i int, fl edge) *caption {
	for len(*list) <= i {
		st := w.b.Look.Styles["label"]
		st.Weight = min(st.Weight, 450)
		if w.b.Look.Ink {
			st.Weight = 700
		}
		c := w.b.caption(w.b.faceOf("label", st), image.Rectangle{}, fl)
		c.least = c.face.size
		*list = append(*list, c)
	}
	c := (*list)[i]
	c.edge = fl
	return c
}

// lay finds the plot and writes the axes.
func (w *chart) lay() {
	b := w.b
	high := b.face("label").line
	roomy := w.size.Y >= b.px(axesLeast) && w.size.X >= b.px(axesWidth)
	left := roomy && (w.p.Axes == "both" || w.p.Axes == "left")
	foot := roomy && (w.p.Axes == "both" || w.p.Axes == "bottom") && (w.timed || w.named)
	plot := image.Rectangle{Max: w.size}
	if w.legended() && roomy {
		plot.Min.Y += high + b.px(footGap)
	} else if left {
		plot.Min.Y += high / 2
	}
	switch {
	case foot:
		plot.Max.Y -= high + b.px(footGap)
	case left:
		plot.Max.Y -= high / 2
	default:
		edge := int(w.length(tipRadius)+w.length(tipRing)) + 1
		plot.Min.Y, plot.Max.Y = plot.Min.Y+edge, plot.Max.Y-edge
	}
	plot.Max.Y = max(plot.Max.Y, plot.Min.Y+1)
	want := min(max(plot.Dy()/b.px(tickRoom)+1, 2), 5)
	w.values(0, want)
	w.values(1, want)
	w.plot = plot
	w.ticks(left)
	w.foot(foot)
}

// legended reports whether the series are named above the plot.
func (w *chart) legended() bool {
	if w.p.Legend != nil {
		return *w.p.Legend
	}
	return len(w.series) > 1
}

// ticks writes the values beside the plot.
func (w *chart) ticks(shown bool) {
	b := w.b
	tip := int(w.length(tipRadius)+w.length(tipRing)) + 1
	wide := [2]int{}
	for i := range w.sides {
		side := &w.sides[i]
		used := shown && side.ok && side.used
		n := 0
		if used {
			n = len(side.ticks)
		}
		for j := range n {
			c := w.label(&side.texts, j, edgeEnd)
			c.box = image.Rect(0, 0, w.size.X/2, c.face.line)
			c.raw = ""
			c.set(w.tick(side, j))
			wide[i] = max(wide[i], c.width()+b.px(tickGap))
		}
		side.texts = side.texts[:n]
	}
	w.plot.Min.X = wide[0]
	if wide[1] > 0 {
		w.plot.Max.X -= wide[1]
	} else if w.slot == 0 && w.marks.last {
		w.plot.Max.X -= tip
	}
	if wide[0] == 0 && w.slot == 0 && w.marks.min {
		w.plot.Min.X += tip
	}
	w.plot.Max.X = max(w.plot.Max.X, w.plot.Min.X+1)
	for i := range w.sides {
		for j, c := range w.sides[i].texts {
			y := int(w.yAt(i, w.sides[i].ticks[j]) + 0.5)
			box := image.Rect(0, y-c.face.line/2, wide[0]-b.px(tickGap), y+c.face.line-c.face.line/2)
			if i == 1 {
				c.edge = edgeStart
				box.Min.X, box.Max.X = w.plot.Max.X+b.px(tickGap), w.size.X
			}
			box.Max.X = max(box.Max.X, box.Min.X+c.width())
			c.box = image.Rectangle{}
			c.place(box)
		}
	}
}

// tick writes one value of an axis; the highest has the unit, where it is short.
func (w *chart) tick(s *side, i int) string {
	l, v := w.b.Locale, s.ticks[i]
	step := math.Abs(v)
	if len(s.ticks) > 1 {
		step = s.ticks[1] - s.ticks[0]
	}
	var text []byte
	switch {
	case w.p.Format != "":
		text = w.word.writeNumber(v, locale.Auto)
	case math.Max(math.Abs(s.scale.Min), math.Abs(s.scale.Max)) >= 1e4:
		text = l.AppendCompact(nil, v)
	default:
		text = l.AppendNumber(nil, v, axis.Decimals(step), false)
	}
	if unit := w.unit.text(); i == len(s.ticks)-1 && s == &w.sides[0] && unit != "" && len(unit) <= 4 {
		return withUnit(string(text), unit)
	}
	return string(text)
}

// foot writes times or names below the plot, as many as have room.
func (w *chart) foot(shown bool) {
	w.shownBottom = 0
	if !shown {
		return
	}
	if w.named {
		widest := 1
		for _, name := range w.names {
			widest = max(widest, w.b.textWidth(w.b.face("label"), name))
		}
		apart := w.xAt(1) - w.xAt(0)
		step := max(1, int(math.Ceil(float64(widest+w.b.px(nameApart))/apart)))
		for i := 0; i < len(w.names); i += step {
			w.under(w.xAt(float64(i)), w.names[i], edgeCenter)
		}
		return
	}
	loc := w.b.Location
	from, to := moment(w.x.from).In(loc), moment(w.x.to).In(loc)
	ends := w.endsNow()
	if ends {
		w.under(float64(w.plot.Max.X), w.b.Locale.Say(locale.Now), edgeEnd)
	}
	times, unit := axis.Times(from, to, max(2, w.plot.Dx()/w.b.px(timeRoom)))
	for _, t := range times {
		w.under(w.xAt(seconds(t)), w.timeText(t, unit, to.Sub(from)), edgeCenter)
	}
}

// endsNow reports whether the axis ends at the present.
func (w *chart) endsNow() bool {
	for _, s := range w.series {
		if s.past != nil {
			return w.x.to <= w.now+1
		}
	}
	return false
}

// timeText writes a round time.
func (w *chart) timeText(t time.Time, unit axis.Unit, long time.Duration) string {
	l := w.b.Locale
	switch {
	case unit == axis.Seconds:
		return string(l.Append(nil, t, locale.TimeSeconds))
	case unit == axis.Years:
		return string(l.AppendPattern(nil, t, "y"))
	case unit == axis.Months:
		return l.Month(t.Month(), true)
	case unit == axis.Days && long > 8*24*time.Hour:
		return string(l.Append(nil, t, locale.Date))
	case unit == axis.Days, long > 36*time.Hour && t.Hour() == 0 && t.Minute() == 0:
		return l.Day(t.Weekday(), true)
	case unit == axis.Hours && l.Hours == 12:
		return string(l.Append(nil, t, locale.Hour))
	}
	return string(l.Append(nil, t, locale.Time))
}

// under writes a label below a place, moved into the plot's width, unless it would touch another.
func (w *chart) under(x float64, s string, fl edge) {
	c := w.label(&w.bottom, w.shownBottom, edgeStart)
	wide := w.b.textWidth(c.face, s)
	at := int(x) - wide/2
	if fl == edgeEnd {
		at = w.plot.Max.X - wide
	}
	at = min(max(at, w.plot.Min.X), w.plot.Max.X-wide)
	if w.slot > 0 && math.Abs(float64(at)+float64(wide)/2-x) > 2 || float64(at) > x || float64(at+wide) < x {
		return // it would stand under another point
	}
	top := w.plot.Max.Y + w.b.px(footGap)
	box := image.Rect(at, top, at+wide, top+c.face.line)
	for _, other := range w.bottom[:w.shownBottom] {
		if box.Inset(-w.apart()).Overlaps(other.box) {
			return
		}
	}
	c.box, c.raw = box, ""
	c.set(s)
	w.shownBottom++
}

// apart is the room between two labels below the plot.
func (w *chart) apart() int {
	if w.named {
		return w.b.px(nameApart) / 2
	}
	return w.b.px(wordsApart)
}

// name writes the legend, and the words of limits and bands.
func (w *chart) name() {
	w.legend, w.words = w.legend[:0], w.words[:0]
	if w.legended() && w.size.Y >= w.b.px(axesLeast) {
		x := w.plot.Min.X
		for _, s := range w.series {
			text := s.text.text()
			if text == "" {
				continue
			}
			c := w.label(&w.legend, len(w.legend), edgeStart)
			x += w.b.px(swatch + 6)
			box := image.Rect(x, 0, w.size.X, c.face.line)
			if x+w.b.textWidth(c.face, text) > w.size.X {
				w.legend = w.legend[:len(w.legend)-1]
				break
			}
			c.place(box)
			c.set(text)
			x += c.width() + w.b.px(18)
		}
	}
	if w.plot.Dy() < w.b.px(axesLeast)/2 || w.plot.Dx() < w.b.px(axesWidth) {
		return
	}
	for _, l := range w.limits {
		if l.Text != "" && l.Above != nil {
			w.inside(l.Text, w.yAt(0, *l.Above), true)
		}
	}
	for _, band := range w.p.Bands {
		if band.Text != "" {
			w.inside(band.Text, w.yAt(0, math.Max(band.From, band.To)), false)
		}
	}
}

// inside writes words at the left of the plot, above or below a line; without room they are left out.
func (w *chart) inside(s string, y float64, above bool) {
	c := w.label(&w.words, len(w.words), edgeStart)
	top := int(y)
	if above {
		top -= c.face.line
	}
	x := w.plot.Min.X + w.b.px(8)
	box := image.Rect(x, top, w.plot.Max.X, top+c.face.line)
	c.raw = ""
	c.box = box
	if box.In(w.plot.Inset(-1)) {
		c.set(s)
	} else {
		c.ink = image.Rectangle{}
	}
}

// peak writes the number of a point above or below it.
func (w *chart) peak(c *caption, s *series, i int, wanted bool, way int) *caption {
	if !wanted || i < 0 {
		return nil
	}
	if c == nil {
		st := w.b.Look.Styles["label"]
		st.Weight = 600
		c = w.b.caption(w.b.faceOf("label", st), image.Rectangle{}, edgeCenter)
	}
	text := string(w.word.writeNumber(s.points[i].v, w.decimals()))
	wide := w.b.textWidth(c.face, text) + 2
	away := int(w.length(tipRadius)*2) + c.face.line/2
	x, y := int(w.xAt(s.points[i].at)), int(w.yAt(s.side, s.tops[i]))+way*away
	if y-c.face.line/2 < 0 || y+c.face.line/2 > w.plot.Max.Y { // beside it
		x, y = x+wide/2+int(w.length(tipRadius)*2), y-way*away
	}
	x = min(max(x, w.plot.Min.X+wide/2), w.size.X-wide/2)
	c.raw = ""
	c.box = image.Rect(x-wide/2, y-c.face.line/2, x-wide/2+wide, y-c.face.line/2+c.face.line)
	c.set(text)
	return c
}

func (w *chart) decimals() int {
	if w.p.Decimals != nil {
		return *w.p.Decimals
	}
	return locale.Auto
}

// Paint implements render.Widget.
func (w *chart) Paint(c render.Canvas) {
	if w.empty.raw != "" {
		w.empty.paint(c, w.muted)
		return
	}
	w.paintGround(c)
	for _, s := range w.series {
		col := s.rows
		c.ShapeRows(&s.area, image.Point{}, col)
	}
	w.paintLimits(c)
	w.paintNow(c)
	for _, s := range w.series {
		s.paint(c)
	}
	w.paintWords(c)
}

// paintGround draws bands and the grid.
func (w *chart) paintGround(c render.Canvas) {
	for _, band := range w.p.Bands {
		col := w.b.shade("accent", 0.12)
		if band.Color != nil {
			col = render.Premultiply(band.Color.NRGBA)
			if col.A == 255 {
				col = tint(col, 0.12)
			}
		}
		c.Fill(w.rows(band.From, band.To), col)
	}
	side := &w.sides[0]
	if !side.used {
		side = &w.sides[1]
	}
	if w.p.Axes == "none" {
		return
	}
	for _, v := range side.ticks {
		y := int(float64(w.plot.Max.Y) - side.scale.At(v)*float64(w.plot.Dy()) + 0.5)
		c.Fill(image.Rect(w.plot.Min.X, y, w.plot.Max.X, y+w.b.px(w.b.Look.Sizes.Line)), w.grid)
	}
}

// rows is the part of the plot between two values.
func (w *chart) rows(from, to float64) image.Rectangle {
	if to < from {
		from, to = to, from
	}
	return image.Rect(w.plot.Min.X, int(w.yAt(0, to)+0.5), w.plot.Max.X, int(w.yAt(0, from)+0.5)).Intersect(w.plot)
}

// paintLimits draws the dashed lines of thresholds and what lies beyond them.
func (w *chart) paintLimits(c render.Canvas) {
	for i := range w.limits {
		l := &w.limits[i]
		col := render.Premultiply(l.Color.NRGBA)
		lo, hi := w.sides[0].scale.Min, w.sides[0].scale.Max
		if l.Above != nil {
			lo = *l.Above
			w.dashed(c, *l.Above, col)
		}
		if l.Below != nil {
			hi = *l.Below
			w.dashed(c, *l.Below, col)
		}
		if hi > lo && !w.b.Look.Ink {
			c.Fill(w.rows(lo, hi), tint(col, 0.1))
		}
	}
}

// dashed draws a limit on whole pixels.
func (w *chart) dashed(c render.Canvas, v float64, col color.RGBA) {
	y := int(w.yAt(0, v) + 0.5)
	line := image.Rect(w.plot.Min.X, y, w.plot.Max.X, y+w.b.px(1))
	if y < w.plot.Min.Y || y > w.plot.Max.Y || !c.Sees(line) {
		return
	}
	on, step := w.b.px(dash), w.b.px(dash)+w.b.px(noDash)
	for x := line.Min.X; x < line.Max.X; x += step {
		c.Fill(image.Rect(x, line.Min.Y, min(x+on, line.Max.X), line.Max.Y), col)
	}
}

// paintNow draws the present in a chart with a future.
func (w *chart) paintNow(c render.Canvas) {
	if !w.future || w.p.Now != nil && !*w.p.Now {
		return
	}
	x := int(w.xAt(w.now))
	c.Fill(image.Rect(x, w.plot.Min.Y, x+w.b.px(2), w.plot.Max.Y), w.ink)
}

func (w *chart) paintWords(c render.Canvas) {
	for i := range w.sides {
		for _, t := range w.sides[i].texts {
			t.paint(c, w.muted)
		}
	}
	for _, t := range w.bottom[:w.shownBottom] {
		t.paint(c, w.muted)
	}
	n := 0
	for _, l := range w.limits {
		if l.Text != "" && l.Above != nil && n < len(w.words) {
			w.words[n].paint(c, render.Premultiply(l.Color.NRGBA))
			n++
		}
	}
	for ; n < len(w.words); n++ {
		w.words[n].paint(c, w.muted)
	}
	n = 0
	for _, s := range w.series {
		if s.text.text() != "" && n < len(w.legend) {
			t := w.legend[n]
			side := w.b.px(swatch)
			y := (t.box.Min.Y + t.box.Max.Y - side) / 2
			c.Fill(image.Rect(t.box.Min.X-side-w.b.px(6), y+side/2-w.b.px(1.5), t.box.Min.X-w.b.px(6), y+side/2+w.b.px(1.5)), s.ink)
			t.paint(c, w.muted)
			n++
		}
		for _, mark := range []*caption{s.high, s.low} {
			if mark != nil {
				mark.paint(c, w.ink)
			}
		}
	}
}
