package chart

import (
	"image"
	"math"
	"time"

	"dashboard/internal/locale"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/axis"
	"dashboard/widgets/kit/history"
)

// label() returns the i-th caption of a list. If there are fewer captions, it adds one in the style of axis labels.
func (w *chart) label(list *[]*kit.Caption, i int, fl kit.Edge) *kit.Caption {
	for len(*list) <= i {
		st := w.b.Look.Styles["label"]
		st.Weight = min(st.Weight, 450)
		if w.b.Look.Ink {
			st.Weight = 700
		}
		c := w.b.Caption(w.b.FaceOf("label", st), image.Rectangle{}, fl)
		c.Least = c.Face.Size
		*list = append(*list, c)
	}
	c := (*list)[i]
	c.Edge = fl
	return c
}

// ticks() places the value labels next to the plot. The labels of a single axis are at the side where lines of text end. Therefore, the
// plot starts where texts start. If there are two axes, one is on each side.
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
			c := w.label(&side.texts, j, kit.EdgeEnd)
			c.Box = image.Rect(0, 0, w.size.X/2, c.Face.Line)
			c.Raw = ""
			c.Set(w.tick(side, j))
			wide[i] = max(wide[i], c.Width()+b.Px(tickGap))
		}
		side.texts = side.texts[:n]
	}
	w.flush = wide[1] == 0
	switch {
	case w.flush && wide[0] > 0:
		w.plot.Max.X -= wide[0]
	case !w.flush:
		w.plot.Min.X, w.plot.Max.X = wide[0], w.plot.Max.X-wide[1]
	}
	if wide[0]+wide[1] == 0 && w.slot == 0 && w.marks.last { // without labels, the dot at the last point needs this room
		w.plot.Max.X -= tip
	}
	if w.flush && w.slot == 0 && w.marks.min {
		w.plot.Min.X += tip
	}
	w.plot.Max.X = max(w.plot.Max.X, w.plot.Min.X+1)
	w.placeTicks(wide[0])
}

// placeTicks mirrors the plot for right-to-left languages and places the tick labels next to the plot. `room` is the width of the labels
// of the first value axis, including their gap.
func (w *chart) placeTicks(room int) {
	b, logical := w.b, w.plot
	w.plot = b.Mirrored(w.plot, w.size.X)
	for i := range w.sides {
		for j, c := range w.sides[i].texts {
			y := int(w.yAt(i, w.sides[i].ticks[j]) + 0.5)
			box := image.Rect(0, y-c.Face.Line/2, room-b.Px(tickGap), y+c.Face.Line-c.Face.Line/2)
			c.Edge = b.EdgeOf("end")
			if i == 1 || w.flush {
				box.Min.X, box.Max.X = logical.Max.X+b.Px(tickGap), w.size.X
			}
			if i == 1 {
				c.Edge = b.EdgeOf("start")
			}
			box.Max.X = max(box.Max.X, box.Min.X+c.Width())
			c.Box = image.Rectangle{}
			c.Place(b.Mirrored(box, w.size.X))
		}
	}
}

// tick() returns the text of a tick. The highest tick of the left axis also has the unit, if the unit is short and not next to a large
// value.
func (w *chart) tick(s *side, i int) string {
	l, v := w.b.Locale, s.ticks[i]
	step := math.Abs(v)
	if len(s.ticks) > 1 {
		step = s.ticks[1] - s.ticks[0]
	}
	var text []byte
	switch {
	case w.p.Format != "":
		text = w.word.WriteNumber(v, locale.Auto)
	case math.Max(math.Abs(s.scale.Min), math.Abs(s.scale.Max)) >= 1e4:
		text = l.AppendCompact(nil, v)
	default:
		text = l.AppendNumber(nil, v, axis.Decimals(step), false)
	}
	if unit := w.unit.Text(); i == len(s.ticks)-1 && s == &w.sides[0] && shortUnit(unit) && (!w.large || w.future || l.RightToLeft) {
		return withUnit(string(text), unit)
	}
	return string(text)
}

// shortUnit reports whether an axis may show a unit.
func shortUnit(unit string) bool { return unit != "" && len(unit) <= 4 }

// foot() places the times or names below the plot, as many as fit.
func (w *chart) foot(shown bool) {
	w.shownBottom = 0
	if !shown {
		return
	}
	if w.named {
		widest := 1
		for _, name := range w.names {
			widest = max(widest, w.b.TextWidth(w.b.Face("label"), name))
		}
		apart := math.Abs(w.xAt(1) - w.xAt(0))
		step := max(1, int(math.Ceil(float64(widest+w.b.Px(nameApart))/apart)))
		for i := 0; i < len(w.names); i += step {
			w.under(w.xAt(float64(i)), w.names[i])
		}
		return
	}
	loc := w.b.Location
	from, to := history.Moment(w.x.from).In(loc), history.Moment(w.x.to).In(loc)
	want := max(2, w.plot.Dx()/w.b.Px(timeRoom))
	if w.endsNow() {
		w.under(w.xAt(w.x.to), w.b.Locale.Say(locale.Now))
		if span := to.Sub(from); span <= agoMost {
			w.ago(span, want)
			return
		}
	}
	times, unit := axis.Times(from, to, want)
	for _, t := range times {
		w.under(w.xAt(history.Seconds(t)), w.timeText(t, unit, to.Sub(from)))
	}
}

// agoMost is the longest period with labels such as "30 s". Longer periods have times of the day.
const agoMost = time.Hour

// ago places labels with the time before now below a plot that ends now. Unlike times of the day, these labels do not move.
func (w *chart) ago(span time.Duration, want int) {
	to := time.Unix(0, 0).UTC() // every round duration before this time is also a round time
	times, _ := axis.Times(to.Add(-span), to, want)
	for _, t := range times {
		if long := to.Sub(t); long > 0 && (long <= time.Minute || long%time.Minute == 0) { // a label has only one unit
			w.under(w.xAt(w.x.to-long.Seconds()), string(w.b.Locale.AppendDuration(nil, long)))
		}
	}
}

// nowShare is the longest time between the last listed value and now at which the end of the axis counts as now, as a share of the axis.
const nowShare = 0.02

// endsNow reports whether the x axis ends at the current time.
func (w *chart) endsNow() bool {
	for _, s := range w.series {
		if s.past != nil {
			return w.x.to <= w.now+1
		}
	}
	return w.timed && w.slot == 0 && math.Abs(w.now-w.x.to) <= nowShare*(w.x.to-w.x.from)
}

// timeText returns the label of the time at a tick of the x axis.
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

// under() places a label below a position and keeps the label inside the plot's width. A label that would touch another label is omitted.
func (w *chart) under(x float64, s string) {
	c := w.label(&w.bottom, w.shownBottom, kit.EdgeStart)
	wide := w.b.TextWidth(c.Face, s)
	at := min(max(int(x)-wide/2, w.plot.Min.X), w.plot.Max.X-wide)
	if w.slot > 0 && math.Abs(float64(at)+float64(wide)/2-x) > 2 || float64(at) > x || float64(at+wide) < x {
		return // at this place, the label would seem to belong to another point
	}
	top := w.plot.Max.Y + w.b.Px(footGap)
	box := image.Rect(at, top, at+wide, top+c.Face.Line)
	for _, other := range w.bottom[:w.shownBottom] {
		if box.Inset(-w.apart()).Overlaps(other.Box) {
			return
		}
	}
	c.Box, c.Raw = box, ""
	c.Set(s)
	w.shownBottom++
}

// apart() returns the minimum gap between two labels below the plot.
func (w *chart) apart() int {
	if w.named {
		return w.b.Px(nameApart) / 2
	}
	return w.b.Px(wordsApart)
}
