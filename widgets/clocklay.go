package widgets

import (
	"image"
	"strings"
	"time"

	"dashboard/theme/look"
)

// Proportions of a clock: seconds of its digits, the room below it, and how high its digits are of their size.
const (
	secondsShare = 0.28
	displayLeast = 92
	dateShare    = 0.3 // of the digits' size is the date's at most, where a smaller style is left
	dateMost     = 0.6 // where the smallest style is more than that of the digits, the date leaves
)

// lay chooses the sizes: the time takes what a date of fitting size leaves.
func (w *digital) lay(s *Spec, p *ClockParams) {
	f := w.layDate(s, p)
	y := 0
	if w.time != nil {
		y = w.time.box.Max.Y + w.below(f)
	}
	for i := range w.lines() {
		if i == 1 && w.pattern == "" { // what stands below a date that is the figure
			f = w.b.face("title")
		}
		w.dates = append(w.dates, w.b.caption(f, image.Rect(0, y, w.size.X, y+f.line), w.b.edgeOf(p.Align)))
		y += f.line
	}
	if w.week && len(w.dates) > 0 {
		w.weekText = w.b.caption(f, image.Rect(0, y-f.line, w.size.X, y), edgeStart)
	}
	w.center(y, p)
}

// lines is how many the date has.
func (w *digital) lines() int {
	if w.datePat == "" {
		return 0
	}
	return 1 + strings.Count(w.datePat, "\n")
}

// layTime sizes the digits so that the widest time fits, and what stands behind it. Seconds leave before the digits fall
// below their role.
func (w *digital) layTime(s *Spec, p *ClockParams, room int) {
	b := w.b
	st := b.Look.Styles["display"]
	factor := float64(b.face("display").size) / st.Size
	px := min(int(float64(room)/(capHeight+2*overshoot)), int(displayMost*factor))
	if p.TextSize > 0 {
		px = min(int(float64(room)/(capHeight+2*overshoot)), b.written(p.TextSize))
	}
	if p.Weight != nil {
		st.Weight = int(*p.Weight)
	}
	f := w.fit(st, px)
	if w.raised && f.size < int(displayLeast*factor) && w.size.X < b.px(260) {
		w.raised, w.seconds = false, false
		f = w.fit(st, px)
	}
	high := int(float64(f.size)*(capHeight+overshoot)) + f.size/16
	w.time = b.caption(f, image.Rect(0, 0, w.size.X, min(high, max(room, 1))), b.edgeOf(p.Align))
	w.time.least = f.size
	w.small, w.half = nil, nil
	if w.raised {
		w.small = b.caption(w.behind("figure", 300, f.size, secondsShare), w.time.box, edgeStart)
	}
	if w.halves {
		w.half = b.caption(w.behind("caption", 400, f.size, secondsShare*0.6), w.time.box, edgeStart)
	}
}

// behind is the face of what stands behind the digits.
func (w *digital) behind(style string, weight, digits int, share float64) face {
	st := w.b.Look.Styles[style]
	st.Weight = weight
	return w.b.faceAt(st, max(min(w.b.face("label").size, digits/3), int(float64(digits)*share)))
}

// fit is the digits' face at px or less, so that they and what stands behind them are in one line.
func (w *digital) fit(st look.Style, px int) face {
	widest := string(w.b.Locale.AppendPattern(nil, longDay, w.pattern))
	for f := w.b.faceAt(st, px); ; f = w.b.faceAt(st, px) {
		wide, tail := w.b.textWidth(f, widest), 0
		if w.raised {
			tail = w.b.textWidth(w.behind("figure", 300, f.size, secondsShare), "00")
		}
		if w.halves {
			half := w.behind("caption", 400, f.size, secondsShare*0.6)
			for _, hour := range []int{0, 12} {
				text := w.b.Locale.AppendPattern(nil, longDay.Truncate(24*time.Hour).Add(time.Duration(hour)*time.Hour), "a")
				tail = max(tail, w.b.textWidth(half, string(text)))
			}
		}
		if tail > 0 {
			wide += f.size/7 + tail
		}
		if wide <= w.size.X || f.size <= w.b.least() {
			return f
		}
		px = min(f.size-1, f.size*w.size.X/wide)
	}
}

// center moves all parts to where vertical_align has them.
func (w *digital) center(used int, p *ClockParams) {
	free := max(0, w.size.Y-used)
	down := map[string]int{"": free / 2, "center": free / 2, "bottom": free}[p.VerticalAlign]
	for _, c := range append([]*caption{w.time, w.small, w.half, w.weekText}, w.dates...) {
		if c != nil {
			c.box = c.box.Add(image.Pt(0, down))
		}
	}
}

// natural implements sized.
func (w *digital) natural(width int) image.Point {
	h := 0
	if w.time != nil {
		h = w.time.box.Dy()
	}
	for _, d := range w.dates {
		h += d.face.line
	}
	return image.Pt(width, h)
}
