package chart

import (
	"image"
	"math"
	"slices"
	"time"

	"dashboard/internal/locale"
	"dashboard/widgets/kit"
)

// Gaps and minimum sizes for the texts of a chart, in px on a screen whose shorter side has 720 px.
const (
	tickGap      = 10 // gap between the value labels and the plot
	footGap      = 6  // gap between the plot and the labels below it
	nameApart    = 8  // minimum gap between two names below the plot
	wordsApart   = 10 // minimum gap between two times below the plot
	tickRoom     = 44 // height of the value axis for each tick
	timeRoom     = 84 // width of the x axis for each time
	swatch       = 10
	axesLeast    = 84 // minimum height of a chart with axes
	axesWidth    = 150
	dash, noDash = 5, 4
)

// Minimum height and width of a chart with axes, as multiples of the height of a line of text. They matter on small screens, where text
// is large compared with other lengths.
const (
	axesLines   = 3
	axesLetters = 5
)

// xAt and yAt return the position of a time and of a value, in px. Time runs in the direction of the language.
func (w *chart) xAt(at float64) float64 {
	along := (at - w.x.from) / (w.x.to - w.x.from) * float64(w.plot.Dx())
	if w.b.Locale.RightToLeft {
		return float64(w.plot.Max.X) - along
	}
	return float64(w.plot.Min.X) + along
}

func (w *chart) yAt(side int, v float64) float64 {
	y := float64(w.plot.Max.Y) - w.sides[side].scale.At(v)*float64(w.plot.Dy())
	return min(max(y, float64(w.plot.Min.Y)-float64(w.size.Y)), float64(w.plot.Max.Y+w.size.Y))
}

// bounds() returns the lower and the upper ends of all thresholds, sorted and without duplicates.
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

// draw computes the whole chart for the current values.
func (w *chart) draw(now time.Time) {
	if !w.gather(now) {
		w.empty.Set(w.nothing())
		return
	}
	w.empty.Set("")
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

// lay computes the rectangle of the plot and places the labels of the axes.
func (w *chart) lay() {
	b := w.b
	high := b.Face("label").Line
	roomy := w.size.Y >= max(b.Px(axesLeast), axesLines*high) && w.size.X >= max(b.Px(axesWidth), axesLetters*high)
	left := roomy && (w.p.Axes == "both" || w.p.Axes == "left")
	foot := roomy && (w.p.Axes == "both" || w.p.Axes == "bottom") && (w.timed || w.named)
	plot := image.Rectangle{Max: w.size}
	if w.latest != nil {
		w.latest.Set("")
	}
	if !roomy {
		plot = w.tellLast(plot)
	}
	if w.legended() && roomy {
		plot.Min.Y += high + b.Px(footGap)
	} else if left {
		plot.Min.Y += high / 2
	}
	switch {
	case foot:
		plot.Max.Y -= high + b.Px(footGap)
	case left:
		plot.Max.Y -= high / 2
	default:
		edge := int(w.length(tipRadius)+w.length(tipRing)) + 1
		plot.Min.Y, plot.Max.Y = plot.Min.Y+edge, plot.Max.Y-edge
	}
	plot.Max.Y = max(plot.Max.Y, plot.Min.Y+1)
	want := min(max(min(plot.Dy()/b.Px(tickRoom), plot.Dy()/high)+1, 2), 5)
	w.values(0, want)
	w.values(1, want)
	w.plot = plot
	w.ticks(left)
	w.foot(foot)
}

// legended() reports whether there is a legend above the plot.
func (w *chart) legended() bool {
	if w.p.Legend != nil {
		return *w.p.Legend
	}
	return len(w.series) > 1
}

// name() places the legend, and the texts of thresholds and bands.
func (w *chart) name() {
	w.legend, w.words = w.legend[:0], w.words[:0]
	if w.legended() && w.size.Y >= w.b.Px(axesLeast) {
		x := w.b.Mirrored(w.plot, w.size.X).Min.X
		for _, s := range w.series {
			text := s.text.Text()
			if text == "" {
				continue
			}
			c := w.label(&w.legend, len(w.legend), w.b.EdgeOf("start"))
			x += w.b.Px(swatch + 6)
			box := image.Rect(x, 0, w.size.X, c.Face.Line)
			if x+w.b.TextWidth(c.Face, text) > w.size.X {
				w.legend = w.legend[:len(w.legend)-1]
				break
			}
			c.Place(w.b.Mirrored(box, w.size.X))
			c.Set(text)
			x += c.Width() + w.b.Px(18)
		}
	}
	if w.plot.Dy() < w.b.Px(axesLeast)/2 || w.plot.Dx() < w.b.Px(axesWidth) {
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

// inside() places a text at the start of the plot, above or below the line at the coordinate y. A text that does not fit is omitted.
func (w *chart) inside(s string, y float64, above bool) {
	c := w.label(&w.words, len(w.words), w.b.EdgeOf("start"))
	top := int(y)
	if above {
		top -= c.Face.Line
	}
	box := image.Rect(w.plot.Min.X, top, w.plot.Max.X, top+c.Face.Line)
	if w.b.Locale.RightToLeft {
		box.Max.X -= w.b.Px(8)
	} else {
		box.Min.X += w.b.Px(8)
	}
	c.Raw = ""
	c.Box = box
	if box.In(w.plot.Inset(-1)) {
		c.Set(s)
	} else {
		c.Ink = image.Rectangle{}
	}
}

// peak() places a label with the number of point i. If `way` is negative, the label is above the point, otherwise below the point. If
// this place has no room, the label is next to the point. If `wanted` is false or i is negative, peak() returns nil.
func (w *chart) peak(c *kit.Caption, s *series, i int, wanted bool, way int) *kit.Caption {
	if !wanted || i < 0 {
		return nil
	}
	if c == nil {
		st := w.b.Look.Styles["label"]
		st.Weight = 600
		c = w.b.Caption(w.b.FaceOf("label", st), image.Rectangle{}, kit.EdgeCenter)
	}
	text := string(w.word.WriteNumber(s.points[i].V, w.decimals()))
	wide := w.b.TextWidth(c.Face, text) + 2
	away := int(w.length(tipRadius)*2) + c.Face.Line/2
	x, y := int(w.xAt(s.points[i].At)), int(w.yAt(s.side, s.tops[i]))+way*away
	if y-c.Face.Line/2 < 0 || y+c.Face.Line/2 > w.plot.Max.Y { // place it next to the point
		beside := wide/2 + int(w.length(tipRadius)*2)
		if w.b.Locale.RightToLeft {
			beside = -beside
		}
		x, y = x+beside, y-way*away
	}
	room := image.Rect(w.plot.Min.X, 0, w.size.X, 0) // do not cover the axis labels
	if w.flush != w.b.Locale.RightToLeft {
		room = image.Rect(0, 0, w.plot.Max.X, 0)
	}
	x = min(max(x, room.Min.X+wide/2), room.Max.X-wide/2)
	c.Raw = ""
	c.Box = asideOf(s, image.Rect(x-wide/2, y-c.Face.Line/2, x-wide/2+wide, y-c.Face.Line/2+c.Face.Line), room)
	c.Set(text)
	return c
}

// asideOf moves the box of a label sideways, by at most twice its width, so that the line of the series does not cross the label. If there
// is no such place between the ends of `room`, it returns the box unchanged.
func asideOf(s *series, box, room image.Rectangle) image.Rectangle {
	space := box.Dy() / 4 // digits do not fill the height of their line
	mark := int(s.c.length(tipRadius))
	core := image.Rect(box.Min.X-mark, box.Min.Y+space, box.Max.X+mark, box.Max.Y-space)
	for by := 0; by <= 2*box.Dx(); by += max(1, box.Dx()/8) {
		for _, x := range [2]int{by, -by} {
			at := box.Add(image.Pt(x, 0))
			if at.Min.X >= room.Min.X && at.Max.X <= room.Max.X && !s.crosses(core.Add(image.Pt(x, 0))) {
				return at
			}
		}
	}
	return box
}

func (w *chart) decimals() int {
	if w.p.Decimals != nil {
		return *w.p.Decimals
	}
	return locale.Auto
}
