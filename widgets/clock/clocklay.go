package clock

import (
	"image"
	"strings"
	"time"

	"dashboard/internal/locale"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Proportions of a clock, mostly relative to the size of its digits.
const (
	secondsShare = 0.28
	displayWide  = 1.8  // width of a time divided by the size of its digits, for estimating its area
	displayFill  = 0.35 // the digits grow if a time fills less than this share of the area
	displayGrow  = 1.5
	clockTrack   = -0.01 // letter spacing of the digits, in em
	// anchorMinutes is the number of minutes in which the seconds and AM or PM do not move.
	anchorMinutes = 10
	clockGap      = 0.12 // gap before the seconds and AM or PM, as a share of the digits' size
	displayLeast  = 92
	dateShare     = 0.3 // maximum size of the date, as a share of the digits' size. A larger date gets a smaller style, if there is one
	secondMost    = 0.7 // maximum size of the second line of a date without a time, as a share of the first line's size
	dateMost      = 0.6 // maximum size of a date in the smallest style, as a share of the digits' size. A larger date is hidden
)

// lay computes the sizes and places all parts. The date comes first, and the time gets the remaining room.
func (w *digital) lay(s *kit.Spec, p *ClockParams) {
	f := w.layDate(s, p)
	y := 0
	if w.time != nil {
		y = w.time.Box.Max.Y + w.below(f)
	}
	for i := range w.lines() {
		if i == w.nameLines() && w.pattern == "" { // this is the line below the first line of a date that replaces the time
			f = w.second(f)
		}
		w.dates = append(w.dates, w.b.Caption(f, image.Rect(0, y, w.size.X, y+f.Line), w.b.EdgeOf(p.Align)))
		y += f.Line
	}
	if w.week && len(w.dates) > 0 {
		w.weekText = w.b.Caption(f, image.Rect(0, y-f.Line, w.size.X, y), kit.EdgeStart)
	}
	w.center(y, p)
}

// second() returns the face of the lines below the first line of a date without a time. The text of these lines is much smaller than the
// text of the first line.
func (w *digital) second(first kit.Face) (f kit.Face) {
	for _, style := range []string{"title", "body", "caption", "label"} {
		if f = w.b.Prose(style); float64(f.Size) <= secondMost*float64(first.Size) {
			break
		}
	}
	return f
}

// lines() returns the number of lines of the date.
func (w *digital) lines() int {
	if w.datePat == "" {
		return 0
	}
	return 1 + strings.Count(w.datePat, "\n")
}

// layTime computes the largest digits at which the widest time and the parts after it fit. In a narrow clock, layTime removes the raised
// seconds if the digits would be small. If the time is still too wide in the smallest digits, layTime removes AM or PM, then the seconds.
func (w *digital) layTime(s *kit.Spec, p *ClockParams, room int) {
	b := w.b
	st := b.Look.Styles["display"]
	factor := float64(b.Face("display").Size) / st.Size
	px := min(int(float64(room)/(piece.CapHeight+2*piece.Overshoot)), w.most(factor))
	if p.TextSize > 0 {
		px = min(int(float64(room)/(piece.CapHeight+2*piece.Overshoot)), b.Written(p.TextSize))
	}
	if p.Weight != nil {
		st.Weight = int(*p.Weight)
	}
	f := w.fit(st, px)
	if w.raised && f.Size < int(displayLeast*factor) && w.size.X < b.Px(260) {
		w.raised, w.seconds = false, false
		f = w.fit(st, px)
	}
	for w.wide(f) > w.size.X && w.shed(p) {
		f = w.fit(st, px)
	}
	high := int(float64(f.Size)*(piece.CapHeight+piece.Overshoot)) + f.Size/16
	w.time = b.Caption(f, image.Rect(0, 0, w.size.X, min(high, max(room, 1))), b.EdgeOf(p.Align))
	w.time.Least = f.Size
	w.small, w.half, w.tailWide, w.anchored = nil, nil, w.tail(f.Size), time.Time{}
	if w.raised {
		w.small = b.Caption(w.behind("figure", 300, f.Size, secondsShare), w.time.Box, kit.EdgeStart)
		b.Text.Shape(&b.Scratch, w.small.Face.Font, w.small.Face.Size, "0")
		w.bearing = b.Scratch.Ink().Min.X
	}
	if w.halves {
		w.half = b.Caption(w.behind("caption", 400, f.Size, secondsShare*0.6), w.time.Box, kit.EdgeStart)
	}
}

// most() returns the maximum size of the digits, in px. It is larger than usual if digits of the usual size would leave most of a large
// area empty.
func (w *digital) most(factor float64) int {
	usual := piece.DisplayMost * factor
	if used := usual * usual * displayWide; used < displayFill*float64(w.size.X*w.size.Y) {
		return int(usual * displayGrow)
	}
	return int(usual)
}

// behind() returns the face of a part after the digits. `share` is the size of the part as a share of the digits' size.
func (w *digital) behind(style string, weight, digits int, share float64) kit.Face {
	st := w.b.Look.Styles[style]
	st.Weight = weight
	return w.b.Ticking(st, max(min(w.b.Face("label").Size, digits/3), int(float64(digits)*share)))
}

// face() returns the face of digits with a size in px. If the digits change each second, all of them have the same width.
func (w *digital) face(st look.Style, px int) kit.Face {
	st.Tracking = max(st.Tracking, clockTrack)
	if w.seconds && !w.raised {
		return w.b.Ticking(st, px)
	}
	return w.b.FaceAt(st, px)
}

// fit() returns the largest face in which the digits fit together with the seconds, AM or PM. The parameter `px` is the maximum size of
// the digits.
func (w *digital) fit(st look.Style, px int) kit.Face {
	for f := w.face(st, px); ; f = w.face(st, px) {
		wide := w.wide(f)
		if wide <= w.size.X || f.Size <= w.b.Least() {
			return f
		}
		px = min(f.Size-1, f.Size*w.size.X/wide)
	}
}

// wide() returns the width in px of the widest time, including the seconds, AM or PM after the digits.
func (w *digital) wide(f kit.Face) int {
	wide := w.b.TextWidth(f, widestTime(w.b, f, w.pattern))
	if tail := w.tail(f.Size); tail > 0 {
		wide += gapAfter(f.Size) + tail
	}
	return wide
}

// shed removes a part that a narrow clock does not need: first AM or PM, then the seconds. It returns false if there is no such part.
func (w *digital) shed(p *ClockParams) bool {
	switch {
	case w.halves:
		w.halves = false
	case w.raised:
		w.raised, w.seconds = false, false
	case w.seconds && p.Time == "":
		w.pattern, _ = withoutHalf(w.b.Locale.Pattern(locale.Time))
		w.seconds = false
	default:
		return false
	}
	return true
}

// gapAfter returns the gap before the seconds and AM or PM, in px. `digits` is the size of the digits.
func gapAfter(digits int) int { return int(float64(digits)*clockGap + 0.5) }

// tail() returns the width in px of the seconds, AM or PM after digits of the given size.
func (w *digital) tail(digits int) (wide int) {
	if w.raised {
		wide = w.b.TextWidth(w.behind("figure", 300, digits, secondsShare), "00")
	}
	if !w.halves {
		return wide
	}
	half := w.behind("caption", 400, digits, secondsShare*0.6)
	for _, hour := range []int{0, 12} {
		text := w.b.Locale.AppendPattern(nil, piece.LongDay.Truncate(24*time.Hour).Add(time.Duration(hour)*time.Hour), "a")
		wide = max(wide, w.b.TextWidth(half, string(text)))
	}
	return wide
}

// widestTime returns the widest time of a day in the given pattern. It searches for the widest minute of an hour and then for the widest
// hour.
func widestTime(b *kit.Builder, f kit.Face, pattern string) string {
	hour := piece.LongDay.Truncate(24 * time.Hour)
	hour = hour.Add(widestOf(b, f, pattern, piece.LongDay.Truncate(time.Hour), time.Minute, 60))
	hour = hour.Add(widestOf(b, f, pattern, hour, time.Hour, 24))
	return string(b.Locale.AppendPattern(nil, hour, pattern))
}

// widestOf measures the texts of n times of day. They start at the time `from`, and `step` is the interval between two times. widestOf
// returns the time between `from` and the widest text.
func widestOf(b *kit.Builder, f kit.Face, pattern string, from time.Time, step time.Duration, n int) (at time.Duration) {
	var buf []byte
	wide := 0
	for i := range n {
		after := time.Duration(i) * step
		buf = b.Locale.AppendPattern(buf[:0], from.Add(after), pattern)
		b.Text.ShapeBytes(&b.Scratch, f.Font, f.Size, buf)
		if now := b.Scratch.Width(); now > wide {
			at, wide = after, now
		}
	}
	return at
}

// widestInk returns the width in px of the widest of ten times, one for each minute from the time `from` on. It measures from the first
// to the last colored pixel.
func (w *digital) widestInk(f kit.Face, from time.Time) (wide int) {
	for i := range anchorMinutes {
		w.buf = w.b.Locale.AppendPattern(w.buf[:0], from.Add(time.Duration(i)*time.Minute), w.pattern)
		w.b.Text.ShapeBytes(&w.b.Scratch, f.Font, f.Size, w.buf)
		wide = max(wide, w.b.Scratch.Ink().Dx())
	}
	return wide
}

// center() moves all parts down, according to the vertical alignment. `used` is the height of all parts in px.
func (w *digital) center(used int, p *ClockParams) {
	free := max(0, w.size.Y-used)
	down := map[string]int{"": free / 2, "center": free / 2, "bottom": free}[p.VerticalAlign]
	for _, c := range append([]*kit.Caption{w.time, w.small, w.half, w.weekText}, w.dates...) {
		if c != nil {
			c.Box = c.Box.Add(image.Pt(0, down))
		}
	}
}

// Natural implements kit.Sized.
func (w *digital) Natural(width int) image.Point {
	h := 0
	if w.time != nil {
		h = w.time.Box.Dy()
	}
	for _, d := range w.dates {
		h += d.Face.Line
	}
	return image.Pt(width, h)
}
