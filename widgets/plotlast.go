package widgets

import "image"

// tellLast writes the last number of a chart that has no room for axes: above the plot, or beside it where the chart is low. It
// returns what is left for the plot.
func (w *chart) tellLast(plot image.Rectangle) image.Rectangle {
	text := w.lastWords()
	if text == "" {
		return plot
	}
	b := w.b
	if w.latest == nil {
		st := b.Look.Styles["label"]
		st.Weight = 600
		w.latest = b.caption(b.faceOf("label", st), image.Rectangle{}, b.edgeOf("end"))
		w.latest.least = w.latest.face.size
	}
	line, wide := w.latest.face.line, b.textWidth(w.latest.face, text)+1
	var box image.Rectangle
	switch {
	case w.size.Y >= axesLines*line && wide <= w.size.X:
		box = image.Rect(0, 0, w.size.X, line)
		plot.Min.Y = line
	case w.size.Y >= w.latest.face.size && w.size.X >= axesLines*wide:
		box = image.Rect(w.size.X-wide, 0, w.size.X, w.size.Y)
		plot.Max.X -= wide + b.px(tickGap)
	default:
		return plot
	}
	w.latest.box, w.latest.raw = b.mirrored(box, w.size.X), ""
	w.latest.set(text)
	return plot
}

// lastWords is the last number with its unit; empty where there is none, where several series or names would not say of what it is, or where other
// points have theirs.
func (w *chart) lastWords() string {
	if len(w.series) != 1 || w.named || w.bare || !w.marks.last || w.marks.min || w.marks.max || w.p.Axes == "none" {
		return ""
	}
	s := w.series[0]
	for i := len(s.points) - 1; i >= 0; i-- {
		if d := s.points[i]; !d.gap() && !(w.future && d.at > w.now) {
			return withUnit(string(w.word.writeNumber(d.v, w.decimals())), w.unit.text())
		}
	}
	return ""
}
