package weather

import (
	"image"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// skyStrip shows some of the next hours side by side. It is below the current weather, or next to it in a wide and low widget.
type skyStrip struct {
	w     *forecast
	hours [stripMost]stripHour
	used  int
	rule  image.Rectangle
}

// stripHour is a column of the strip: a time, the weather and the temperature.
type stripHour struct {
	icon       *emblem
	time, temp *kit.Caption
}

// Lengths of the strip, in px on a screen whose shorter side has 720 px.
const (
	stripMost  = 6
	stripLeast = 3
	stripIcon  = 38
	stripWide  = 76 // minimum width of a column
	stripGap   = 12 // gap above and below the line that separates the strip. The gap is halved if the strip would not fit otherwise
	stripStep  = 3  // number of hours from one column to the next
	stripAir   = 12 // maximum free room that each of the stripParts gaps gets
	stripParts = 6  // number of equal gaps that get free room: two above the line, one each below the line, the time, the icon and the degrees
)

func newSkyStrip(w *forecast) *skyStrip {
	s := &skyStrip{w: w}
	for i := range s.hours {
		caption := func(style string) *kit.Caption {
			return w.b.Caption(w.b.Face(style), image.Rectangle{}, kit.EdgeCenter)
		}
		s.hours[i] = stripHour{w.emblem(), caption("caption"), caption("body")}
	}
	return s
}

// high() returns the height in px of the strip, including the gap above the strip. `gap` is the height of the gap above the line and of
// the gap below the line.
func (s *skyStrip) high(gap int) int {
	return 2*gap + s.hours[0].time.Face.Line + s.w.b.Px(stripIcon) + s.hours[0].temp.Face.Line
}

// fill shows hours at the bottom of a box. `content` is the height in px of the other content in the box. fill returns the height that the
// hours need, in px. If the hours do not fit, they are hidden and fill returns 0.
func (s *skyStrip) fill(v *view, box image.Rectangle, content int) int {
	s.used = 0
	b := s.w.b
	n := min(stripMost, box.Dx()/max(1, b.Px(stripWide)), max(0, len(v.hours)-1)/stripStep)
	gap := b.Px(stripGap)
	if box.Dy() < content+s.high(gap) {
		gap /= 2
	}
	if n < stripLeast || box.Dy() < content+s.high(gap) || !s.w.boxes[partHours].Empty() {
		return 0
	}
	s.used = n
	air := min(b.Px(stripAir), (box.Dy()-content-s.high(gap))/stripParts)
	high := s.high(gap) + 3*air
	if s.w.room < s.w.size.Y {
		high += air // one more gap, because the credit is below the strip
	}
	top := box.Max.Y - high + gap
	line := max(1, b.Px(b.Look.Sizes.Line))
	s.rule = image.Rect(0, top, s.w.size.X, top+line)
	top += gap + air
	s.columns(v, image.Rect(box.Min.X, top, box.Max.X, top), air)
	return high
}

// beside shows hours in a box next to the current weather, if they fit, and reports whether they do.
func (s *skyStrip) beside(v *view, box image.Rectangle) bool {
	b := s.w.b
	n := min(stripMost, box.Dx()/max(1, b.Px(stripWide)), max(0, len(v.hours)-1)/stripStep)
	free := box.Dy() - s.high(0)
	if s.used > 0 || n < stripLeast || free < 0 || !s.w.boxes[partHours].Empty() {
		return false
	}
	air := min(b.Px(stripAir), free/2)
	s.used, s.rule = n, image.Rectangle{}
	top := box.Min.Y + (free-2*air)/2
	s.columns(v, image.Rect(box.Min.X, top, box.Max.X, top), air)
	return true
}

// columns places the columns between the sides of a box, from its top. `air` is the gap between the parts of a column, in px.
func (s *skyStrip) columns(v *view, box image.Rectangle, air int) {
	b, n, top := s.w.b, s.used, box.Min.Y
	wide, side := box.Dx()/n, b.Px(stripIcon)
	for i := range n {
		h, at := &s.hours[i], &v.hours[1+i*stripStep]
		x := box.Min.X + i*wide
		under := top + h.time.Face.Line
		h.time.Place(s.w.flip(image.Rect(x, top, x+wide, under)))
		under += air
		h.time.Set(string(b.Locale.Append(nil, at.At.In(v.zone).Round(time.Minute), locale.Hour)))
		mid := x + (wide-side)/2
		h.icon.set(at.Kind, at.IsDay, s.w.flip(image.Rect(mid, under, mid+side, under+side)))
		under += side + air
		h.temp.Place(s.w.flip(image.Rect(x, under, x+wide, under+h.temp.Face.Line)))
		h.temp.Set(string(degrees(b, nil, at.Temp)))
	}
}

func (s *skyStrip) paint(c render.Canvas) {
	if s.used == 0 {
		return
	}
	c.Fill(s.rule, s.w.b.Role("line"))
	for i := range s.hours[:s.used] {
		h := &s.hours[i]
		h.time.Paint(c, s.w.ink("muted"))
		h.icon.paint(c)
		h.temp.Paint(c, s.w.ink("text"))
	}
}
