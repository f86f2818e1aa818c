package chart

import "image"

// tellLast places the last number of a chart that has no room for axes. The number is above the plot or, in a low chart, next to the
// plot. In a low and narrow chart, the number is omitted. tellLast returns the rectangle that remains for the plot.
func (w *chart) tellLast(plot image.Rectangle) image.Rectangle {
	text := w.lastWords()
	if text == "" {
		return plot
	}
	b := w.b
	if w.latest == nil {
		st := b.Look.Styles["label"]
		st.Weight = 600
		w.latest = b.Caption(b.FaceOf("label", st), image.Rectangle{}, b.EdgeOf("end"))
		w.latest.Least = w.latest.Face.Size
	}
	line, wide := w.latest.Face.Line, b.TextWidth(w.latest.Face, text)+1
	var box image.Rectangle
	switch {
	case w.size.Y >= axesLines*line && wide <= w.size.X:
		box = image.Rect(0, 0, w.size.X, line)
		plot.Min.Y = line
	case w.size.Y >= w.latest.Face.Size && w.size.X >= axesLines*wide:
		box = image.Rect(w.size.X-wide, 0, w.size.X, w.size.Y)
		plot.Max.X -= wide + b.Px(tickGap)
	default:
		return plot
	}
	w.latest.Box, w.latest.Raw = b.Mirrored(box, w.size.X), ""
	w.latest.Set(text)
	return plot
}

// lastWords returns the last number with its unit. It returns "" if there is no number, if the number is already in large text, or if
// other points have labels. It returns "" if the file hides the last point's mark or the axes. For several series or names, it also
// returns "", because the number could belong to any of them.
func (w *chart) lastWords() string {
	if w.large || len(w.series) != 1 || w.named || w.bare || !w.marks.last || w.marks.min || w.marks.max || w.p.Axes == "none" {
		return ""
	}
	s := w.series[0]
	for i := len(s.points) - 1; i >= 0; i-- {
		if d := s.points[i]; !d.Gap() && !(w.future && d.At > w.now) {
			return withUnit(string(w.word.WriteNumber(d.V, w.decimals())), w.unit.Text())
		}
	}
	return ""
}
