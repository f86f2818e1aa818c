package chart

import (
	"image"
	"image/color"
	"math"

	"dashboard/render/path"
	"dashboard/widgets/kit"
)

// bars() builds the bars of the series. The bars are next to the bars of the other series or stacked on these bars.
func (s *series) bars(bars, nth int) {
	w, o := s.c, &s.c.b.Outlines
	o.Begin()
	room := w.slot / (w.x.to - w.x.from) * float64(w.plot.Dx())
	wide, at := room*barShare, -room*barShare/2
	if !w.p.Stacked && bars > 1 {
		wide /= float64(bars)
		if w.b.Locale.RightToLeft {
			nth = bars - 1 - nth
		}
		at += wide * float64(nth)
	}
	thin := math.Max(1, math.Min(wide-w.length(1), wide*0.94))
	for i, d := range s.points {
		if d.Gap() {
			continue
		}
		x := w.xAt(d.At) + at + (wide-thin)/2
		top, base := w.yAt(s.side, s.tops[i]), w.yAt(s.side, s.bases[i])
		if math.Abs(top-base) < 0.5 {
			continue
		}
		radius := math.Min(thin/2, math.Min(w.length(4), math.Abs(top-base)))
		if w.p.Stacked {
			o.Area.Rect(x, min(top, base), x+thin, max(top, base))
			continue
		}
		o.Area.RoundRect(x, min(top, base), x+thin, max(top, base), radius)
		if top < base { // the corners at the base of a bar are square
			o.Area.Rect(x, base-radius, x+thin, base)
		} else {
			o.Area.Rect(x, base, x+thin, base+radius)
		}
	}
}

// cut builds the shapes of the zones by cutting the area or the line into parts.
func (s *series) cut(area bool) {
	w, o := s.c, &s.c.b.Outlines
	if !area {
		pen := path.Pen{Width: w.length(lineWide), Cap: path.Round}
		o.Area.Stroke(&o.Line, pen)
	}
	room := w.plot.Inset(-int(w.length(tipRadius) + 1)) // include the whole thickness of a line at the edge of the plot
	at := w.bounds()
	for i := range s.zones {
		box := room
		if len(s.zones) > 1 && i > 0 {
			box.Max.Y = int(w.yAt(0, at[i-1]) + 0.5)
		}
		if i < len(s.zones)-1 {
			box.Min.Y = int(w.yAt(0, at[i]) + 0.5)
		}
		o.Fill(&s.zones[i].shape, box)
	}
	if !area && w.b.Look.Ink {
		o.Stroke(&s.under, path.Pen{Width: w.length(lineWide) + 2*kit.InkHalo, Cap: path.Round}, room)
	}
}

// last() draws the marks that the key `marks` selects: at the last point, the highest point and the lowest point.
func (s *series) last() {
	w, o := s.c, &s.c.b.Outlines
	high, low, last := -1, -1, -1
	for i, d := range s.points {
		if d.Gap() || w.future && d.At > w.now {
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
	room := image.Rectangle{Max: w.size}
	circle := func(i int, radius float64) {
		o.Area.Circle(w.xAt(s.points[i].At), w.yAt(s.side, s.tops[i]), radius)
	}
	o.Begin()
	for _, i := range at {
		circle(i, w.length(tipRadius)+w.length(tipRing))
	}
	o.Fill(&s.halo, room)
	for k := range s.tips {
		o.Begin()
		if k < len(at) {
			circle(at[k], w.length(tipRadius))
			s.tips[k].color = s.inkAt(at[k])
		}
		o.Fill(&s.tips[k].shape, room)
	}
}

// inkAt returns the color of the line at a point.
func (s *series) inkAt(i int) color.RGBA {
	at := s.c.bounds()
	for j := range s.zones {
		if j == len(s.zones)-1 || s.tops[i] < at[j] {
			return s.zones[j].color
		}
	}
	return s.ink
}

// crosses() reports whether the line of the series crosses a rectangle.
func (s *series) crosses(r image.Rectangle) bool {
	w := s.c
	for i := 1; i < len(s.points); i++ {
		a, b := s.points[i-1], s.points[i]
		x0, x1 := w.xAt(a.At), w.xAt(b.At)
		if a.Gap() || b.Gap() || max(x0, x1) < float64(r.Min.X) || min(x0, x1) > float64(r.Max.X) || x0 == x1 {
			continue
		}
		y := func(x int) float64 {
			share := min(max((float64(x)-x0)/(x1-x0), 0), 1)
			return w.yAt(s.side, s.tops[i-1]+share*(s.tops[i]-s.tops[i-1]))
		}
		from, to := y(r.Min.X), y(r.Max.X)
		if max(from, to) >= float64(r.Min.Y) && min(from, to) <= float64(r.Max.Y) {
			return true
		}
	}
	return false
}
