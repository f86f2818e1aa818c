package chart

import (
	"math"
	"time"

	"dashboard/internal/locale"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/kit/speech"
)

// Speak implements speech.Speaker. It reads the name of each series, its last, highest and lowest number, and its trend. If the points have
// names and there are only a few, it reads all points.
func (w *chart) Speak(s *speech.Speech) {
	if w.empty.Raw != "" {
		if !w.bare { // if the chart is only a curve, the large value above the curve is spoken instead
			s.Say(speech.Sentence, w.empty.Raw)
		}
		return
	}
	for _, x := range w.series {
		x.speak(s)
	}
	w.sayLimits(s)
}

// sayLimits describes the limits that have a text and a lower bound, and the bands that have a text.
func (w *chart) sayLimits(s *speech.Speech) {
	for i := range w.limits {
		if l := &w.limits[i]; l.Text != "" && l.Above != nil {
			s.Open(speech.Item)
			s.Label(l.Text)
			w.value(s, *l.Above)
			s.Close()
		}
	}
	for i := range w.p.Bands {
		if b := &w.p.Bands[i]; b.Text != "" {
			s.Open(speech.Item)
			s.Label(b.Text)
			w.value(s, b.From)
			s.AddRun(" – ")
			s.Glue()
			w.value(s, b.To)
			s.Close()
		}
	}
}

// fewPoints is the maximum number of named points for which all points of a series are read.
const fewPoints = 24

func (x *series) speak(s *speech.Speech) {
	w, t := x.c, x.totals()
	s.Open(speech.Item)
	if name := x.text.Text(); name != "" {
		s.Label(name)
	}
	if t.any {
		if !w.bare {
			x.number(s, locale.Latest, x.points[t.last])
		}
		x.number(s, locale.Highest, x.points[t.high])
		x.number(s, locale.Lowest, x.points[t.low])
		s.Phrase(t.trend())
	} else {
		s.Phrase(locale.NoData)
	}
	if x.stale {
		s.Phrase(locale.OutOfDate)
	}
	s.Close()
	if !w.named || len(x.points) > fewPoints {
		return
	}
	for i, d := range x.points {
		if !d.Gap() && i < len(w.names) {
			s.Open(speech.Item)
			s.Label(w.names[i])
			w.value(s, d.V)
			s.Close()
		}
	}
}

// number() appends a phrase with a number of the series. The time or the name of the number follows in brackets.
func (x *series) number(s *speech.Speech, p locale.Phrase, d history.Datum) {
	w := x.c
	s.Phrase(p)
	s.Space()
	w.value(s, d.V)
	i := int(d.At)
	if named := w.named && i >= 0 && i < len(w.names); !named && !x.timed {
		return
	}
	s.AddRun(" (")
	switch at := history.Moment(d.At).In(w.b.Location); {
	case !x.timed || w.named:
		s.AddRun(w.names[i])
	case w.x.to-w.x.from > longChart:
		s.Glue()
		s.Time(at, locale.DayShort)
	default:
		s.Glue()
		s.Time(at, locale.Time)
	}
	s.AddRun(")")
}

// longChart is a length of a chart in seconds. In longer charts, a point is named by its day and not by its time.
const longChart = 2 * 24 * 3600

// value() appends a number with the unit of the chart.
func (w *chart) value(s *speech.Speech, v float64) {
	s.Write(func(dst []byte) []byte { return w.word.AppendValue(dst, v, w.decimals()) })
	piece.Unit(s, w.unit.Text())
}

// totals are the values that describe a series, and the indexes of their points.
type totals struct {
	any             bool
	last, high, low int
	first, end      float64 // mean of the first part and of the last part
	spread          float64
}

// trendPart is the number of parts into which a series is divided. The means of the first and the last part give the trend.
const trendPart = 4

// steadyShare is a share of the range of a series. A change that is smaller than this share counts as steady.
const steadyShare = 0.1

// totals() computes the totals of a series. The last point is the latest point that is not in the future.
func (x *series) totals() (t totals) {
	n := 0
	for i, d := range x.points {
		if d.Gap() {
			continue
		}
		if !t.any || d.V > x.points[t.high].V {
			t.high = i
		}
		if !t.any || d.V < x.points[t.low].V {
			t.low = i
		}
		if !t.any || !x.timed || d.At <= x.c.now {
			t.last = i
		}
		t.any, n = true, i+1
	}
	if !t.any {
		return t
	}
	part := max(1, n/trendPart)
	t.first, t.end = mean(x.points[:part]), mean(x.points[n-part:n])
	t.spread = x.points[t.high].V - x.points[t.low].V
	return t
}

// mean() returns the mean of the points and ignores gaps.
func mean(points []history.Datum) float64 {
	sum, n := 0.0, 0.0
	for _, d := range points {
		if !d.Gap() {
			sum, n = sum+d.V, n+1
		}
	}
	return sum / n
}

func (t *totals) trend() locale.Phrase {
	switch change := t.end - t.first; {
	case math.IsNaN(change) || math.Abs(change) <= t.spread*steadyShare:
		return locale.Steady
	case change > 0:
		return locale.Rising
	}
	return locale.Falling
}

// Speak implements speech.Speaker.
func (w *gauge) Speak(s *speech.Speech) { w.figure.Speak(s) }

// Speak implements speech.Speaker.
func (w *progress) Speak(s *speech.Speech) {
	s.Open(speech.Sentence)
	if w.said.None {
		s.Phrase(locale.NoData)
	} else if s.Add(w.said.Text); w.said.IsNum {
		piece.Unit(s, w.unit.Text())
	}
	s.Close()
}

// Speak implements speech.Speaker. It describes the latest, the highest and the lowest cell.
func (w *heatmap) Speak(s *speech.Speech) {
	if w.empty.Raw != "" {
		s.Say(speech.Sentence, w.empty.Raw)
		return
	}
	high, low, last := -1, -1, -1
	for i, v := range w.sums {
		if math.IsNaN(v) {
			continue
		}
		if high < 0 || v > w.sums[high] {
			high = i
		}
		if low < 0 || v < w.sums[low] {
			low = i
		}
		if last < 0 || w.when(s.Now, i).After(w.when(s.Now, last)) {
			last = i
		}
	}
	s.Open(speech.Sentence)
	w.addCell(s, locale.Latest, last)
	w.addCell(s, locale.Highest, high)
	w.addCell(s, locale.Lowest, low)
	s.Close()
}

// addCell appends a phrase with the number of a cell. The day or the hour of the cell follows.
func (w *heatmap) addCell(s *speech.Speech, p locale.Phrase, cell int) {
	if cell < 0 {
		return
	}
	s.LabelPhrase(p)
	s.Number(w.sums[cell], locale.Auto)
	at := w.when(s.Now, cell)
	s.Time(at, locale.Date)
	if w.week {
		s.Time(at, locale.Hour)
	}
}

// when() returns the time at which a cell's day or hour starts.
func (w *heatmap) when(now time.Time, cell int) time.Time {
	if w.week {
		return w.midnight(now, cell%7-6).Add(time.Duration(cell/7) * time.Hour)
	}
	return w.midnight(now, -w.row(now)-7*(w.cols-1)+cell)
}
