package chart

import (
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/kit/piece"
	"dashboard/widgets/kit/speech"
)

// Minimum sizes of a chart with a large last value, in px on a screen whose shorter side has 720 px.
const (
	heroBeside = 420 // minimum width if the large value is next to the plot
	heroHigh   = 110 // minimum height if the large value is next to the plot
	heroColumn = 168
	heroAbove  = 220 // minimum height if the large value is above the plot, in a narrower chart
	heroGap    = 20
)

// heroUnit is the size of the large value, divided by the gap between the value and its unit.
const heroUnit = 14

// heroChart is a chart that shows its last value in large text, and the range of its values.
type heroChart struct {
	*chart
	full    *chart          // chart shown if a program returns no series or several series. nil if no program returns the series
	at      image.Rectangle // rectangle of the chart
	whole   image.Rectangle // rectangle of the large value and its unit
	figure  *kit.Caption
	unit    *kit.Caption
	extents *kit.Caption
	beyond  *kit.Caption // text with the time beyond a limit. nil if the value is above the plot, or if the text has no room
	verdict verdict
	ink     color.RGBA
	buf     []byte
}

// withHero returns a chart. If the chart shows one value over time and has enough room, its last value is in large text.
func withHero(b *kit.Builder, s *kit.Spec, p *ChartParams, size image.Point) render.Widget {
	beside := size.X >= b.Px(heroBeside) && size.Y >= b.Px(heroHigh)
	if !hasHero(b, s, p) || !beside && size.Y < b.Px(heroAbove) {
		return newChart(b, s, p, size)
	}
	st := b.Look.Styles["figure"]
	face, note := b.FaceOf("figure", st), b.Prose("caption")
	w := &heroChart{ink: b.Role("text")}
	head := image.Rect(0, 0, size.X, face.Line)
	w.at = image.Rect(0, head.Max.Y+b.Px(heroGap)/2, size.X, size.Y)
	if beside {
		head = image.Rect(0, 0, b.Px(heroColumn), face.Line)
		w.at = b.Mirrored(image.Rect(head.Max.X+b.Px(heroGap), 0, size.X, size.Y), size.X)
	}
	w.whole = b.Mirrored(head, size.X)
	w.figure = b.Caption(face, w.whole, b.EdgeOf("start"))
	w.figure.Least = b.Least()
	st.Weight, st.Tracking = 400, 0
	w.unit = b.Caption(b.FaceAt(st, int(float64(face.Size)*piece.UnitShare)), image.Rectangle{}, b.EdgeOf("start"))
	box := image.Rect(0, head.Max.Y, head.Max.X, head.Max.Y+note.Line)
	edge := b.EdgeOf("start")
	if !beside {
		box, edge = image.Rect(size.X/2, face.Line-note.Line, size.X, face.Line), b.EdgeOf("end")
	}
	w.chart = newChart(b, s, p, w.at.Size())
	w.large = true
	if top := box.Min.Y + b.Px(verdictGap); beside && w.judges() && size.Y >= top+2*note.Line {
		w.verdict = newVerdict(b, image.Rect(0, top, box.Max.X, top+note.Line), size.X)
		box = box.Add(image.Pt(0, note.Line+2*b.Px(verdictGap)))
	}
	w.extents = b.Caption(note, b.Mirrored(box, size.X), edge)
	if beside && size.Y >= box.Max.Y+note.Line {
		w.beyond = b.Caption(note, box.Add(image.Pt(0, note.Line)), edge)
		w.beyond.Box = b.Mirrored(w.beyond.Box, size.X)
	}
	if w.listed {
		w.full = newChart(b, s, p, size)
	}
	return w
}

// hasHero reports whether a chart shows one value over time and may show its last number in large text. Charts in cards, on
// black-and-white displays or with bars never show the large number. Neither do charts without the mark "last" or with axes other than
// "both".
func hasHero(b *kit.Builder, s *kit.Spec, p *ChartParams) bool {
	lists := p.Values != nil && p.Values.IsLive() || p.Series != nil && p.Series.IsLive()
	one := p.Value != nil || p.Entity != nil || lists
	card := s.Parent != nil && s.Parent.Kind == "card" // the card already shows the value
	marked := p.Marks == nil || slices.Contains(*p.Marks, "last")
	plain := p.Labels == nil && marked && p.Axes == "both" && p.Form != "bar"
	return one && plain && !card && !b.Look.Ink && (p.Series == nil || p.Series.IsLive())
}

// Update implements render.Widget.
func (w *heroChart) Update(t render.Tick) {
	before := w.several()
	w.chart.Update(t.In(w.at))
	if w.full != nil {
		w.full.Update(t)
	}
	if w.several() != before {
		t.DamageAll()
	}
	if w.several() {
		return
	}
	if !w.redrawn {
		return
	}
	unit := w.last()
	w.unit.Set("")
	w.reserve(unit)
	w.figure.Set(string(w.buf))
	if x := w.figure.At.X + w.figure.Width() + w.figure.Size/heroUnit; unit != "" {
		box := image.Rect(x, w.whole.Min.Y, w.whole.Max.X, w.whole.Max.Y)
		if box.Dx() >= w.b.TextWidth(w.unit.Face, unit) && !w.b.Locale.RightToLeft {
			w.unit.Box = box
			w.unit.Raw = ""
			w.unit.Set(unit)
			w.unit.At.Y = w.figure.At.Y
			w.unit.Ink = w.unit.Line.Ink().Add(w.unit.At)
		}
	}
	if w.extents.Set(w.extent()); w.extents.Ink.Overlaps(w.figure.Ink.Union(w.unit.Ink)) {
		w.extents.Set("")
	}
	w.sayBeyond()
	w.judge()
	t.DamageAll()
}

// reserve makes room for a unit that the value axis would otherwise show.
func (w *heroChart) reserve(unit string) {
	room := w.whole
	if shortUnit(unit) && !w.b.Locale.RightToLeft {
		room.Max.X -= w.b.TextWidth(w.unit.Face, unit) + w.figure.Face.Size/heroUnit
	}
	w.figure.Place(room)
}

// sayBeyond shows how long the values of the period exceeded a limit, such as "above 300 · 24 min". It ignores thresholds whose range has
// an upper end. If the duration is less than a minute or the text is too wide, it shows nothing.
func (w *heroChart) sayBeyond() {
	if w.beyond == nil {
		return
	}
	w.beyond.Set("")
	for i := range w.limits {
		if l := &w.limits[i]; l.Above != nil && l.Below == nil && len(w.series) > 0 {
			long := exceeded(w.series[0].points, *l.Above)
			number := string(w.word.WriteNumber(*l.Above, w.decimals()))
			text := w.b.Locale.AppendPhrase(nil, locale.Above, number)
			text = w.b.Locale.AppendDuration(append(text, " · "...), long)
			if long >= time.Minute && w.b.TextWidth(w.beyond.Face, string(text)) <= w.beyond.Box.Dx() {
				w.beyond.Set(string(text))
			}
		}
	}
}

// exceeded() returns the duration for which values were at or above a limit, in whole minutes. Each value is valid until the next value.
func exceeded(points []history.Datum, limit float64) (long time.Duration) {
	for i := range points[:max(0, len(points)-1)] {
		if d := points[i]; !d.Gap() && d.V >= limit {
			long += history.Moment(points[i+1].At).Sub(history.Moment(d.At))
		}
	}
	return long.Truncate(time.Minute)
}

// several() reports whether a program returned a list with no series or with several series. If no program returns the series,
// the result is false.
func (w *heroChart) several() bool { return w.full != nil && len(w.chart.series) != 1 }

// last() writes the last number into w.buf and returns its unit. If there is no number, it writes a dash.
func (w *heroChart) last() (unit string) {
	w.buf = append(w.buf[:0], "—"...)
	if v, ok := w.value(); ok {
		w.buf = append(w.buf[:0], w.word.WriteNumber(v, w.decimals())...)
		unit, w.ink = w.chart.unit.Text(), w.colorAt(v)
	}
	return unit
}

// value returns the last number. ok is false if there is no number, or if the chart shows future times.
func (w *heroChart) value() (v float64, ok bool) {
	if len(w.series) != 1 || w.future {
		return 0, false
	}
	points := w.series[0].points
	for i := len(points) - 1; i >= 0; i-- {
		if d := points[i]; !d.Gap() {
			return d.V, true
		}
	}
	return 0, false
}

// colorAt returns the color of the threshold that applies to v. If there is no such threshold, it returns the color of text.
func (w *heroChart) colorAt(v float64) color.RGBA {
	if l := w.matching(v); l != nil {
		return render.Premultiply(l.Color.NRGBA)
	}
	return w.b.Role("text")
}

// extent() returns the text with the lowest and the highest value. If these values are equal, it returns "".
func (w *heroChart) extent() string {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range w.series {
		for _, d := range s.points {
			if !d.Gap() {
				low, high = math.Min(low, d.V), math.Max(high, d.V)
			}
		}
	}
	if low >= high {
		return ""
	}
	return string(w.word.WriteNumber(low, w.decimals())) + " – " + string(w.word.WriteNumber(high, w.decimals()))
}

// Paint implements render.Widget.
func (w *heroChart) Paint(c render.Canvas) {
	if w.several() {
		w.full.Paint(c)
		return
	}
	w.chart.Paint(c.In(w.at))
	ink := w.ink
	if len(w.series) > 0 && w.series[0].stale {
		ink = w.b.Old(ink)
	}
	w.figure.Paint(c, ink)
	w.unit.Paint(c, w.muted)
	w.extents.Paint(c, w.muted)
	if w.beyond != nil {
		w.beyond.Paint(c, w.muted)
	}
	w.verdict.paint(c, w.series)
}

// Speak implements speech.Speaker. It adds the verdict, and the time beyond a limit, to the description of the
// series.
func (w *heroChart) Speak(s *speech.Speech) {
	w.chart.Speak(s)
	if w.several() {
		return
	}
	for _, text := range [...]*kit.Caption{w.verdict.text, w.beyond} {
		if text != nil && text.Raw != "" {
			s.Say(speech.Sentence, text.Raw)
		}
	}
}
