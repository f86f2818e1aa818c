package weather

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// skyHours draws a curve of the temperature in the next hours. It labels the highest and the lowest temperature, and also shows rain and
// night.
type skyHours struct {
	w     *forecast
	count int
	plot  image.Rectangle
	step  float64 // distance between two hours in px

	curve, dot, zero path.Shape
	halo             path.Shape // white border of the curve in black and white
	area             path.Shape
	rain, drizzle    path.Shape // bars of likely rain and of unlikely rain
	night            path.Shape
	fade             []color.RGBA
	points           []path.Point
	peaks            [2]*kit.Caption // labels of the highest and of the lowest temperature
	ticks            []*kit.Caption
	used             int // number of used elements of ticks
	ground           image.Rectangle
}

// Sizes of the curve, in px on a screen whose shorter side has 720 px, and limits.
const (
	hoursLeast = 74
	hoursMost  = 190
	curveWide  = 3
	curveTop   = 28 // room for a label above the highest point
	curveFoot  = 14 // room below the lowest point
	peakGap    = 3  // gap between a label and a bar
	rainGap    = 0.3
	rainHigh   = 0.45 // maximum height of a rain bar, as a share of the plot
	heavy      = 4.0  // minimum rain for a bar of full height, in mm per hour
	mostTicks  = 24
)

func newSkyHours(w *forecast, count int) *skyHours {
	b := w.b
	h := &skyHours{w: w, count: count}
	strong := b.Look.Styles["label"]
	strong.Weight = 600
	for i := range h.peaks {
		h.peaks[i] = b.Caption(b.FaceOf("label", strong), image.Rectangle{}, kit.EdgeCenter)
	}
	for range mostTicks {
		h.ticks = append(h.ticks, b.Caption(b.Face("label"), image.Rectangle{}, kit.EdgeCenter))
	}
	return h
}

func (h *skyHours) least() int { return h.w.b.Px(hoursLeast) + h.ticks[0].Face.Line }

// grows() returns the height in px by which the curve may be higher than its minimum.
func (h *skyHours) grows() int { return h.w.b.Px(hoursMost - hoursLeast) }

// fill draws the hours in a box.
func (h *skyHours) fill(v *view, box image.Rectangle) {
	b := h.w.b
	hours := v.hours[:min(len(v.hours), h.count+1)]
	h.plot = image.Rect(0, box.Min.Y, h.w.size.X, box.Max.Y-h.ticks[0].Face.Line-b.Px(4))
	h.step = float64(h.plot.Dx()) / float64(max(1, len(hours)-1))
	h.ground = image.Rect(0, h.plot.Max.Y, h.plot.Max.X, h.plot.Max.Y+b.Px(1))
	low, high := coldest(hours)
	h.shadeNight(v, hours)
	h.bars(hours)
	h.line(hours, low, high)
	h.label(v, hours)
}

// coldest() returns the lowest and the highest temperature of the given hours.
func coldest(hours []weather.Hour) (low, high weather.Number) {
	low, high = weather.None, weather.None
	for i := range hours {
		if t := hours[i].Temp; t.Has() {
			if !low.Has() || t < low {
				low = t
			}
			if !high.Has() || t > high {
				high = t
			}
		}
	}
	return low, high
}

func (h *skyHours) x(i int) float64 { return h.w.across(float64(i) * h.step) }

// y returns the y coordinate of the temperature t. `low` and `high` are the ends of the scale.
func (h *skyHours) y(t, low, high weather.Number) float64 {
	b := h.w.b
	top, foot := float64(h.plot.Min.Y+b.Px(curveTop)), float64(h.plot.Max.Y-b.Px(curveFoot))
	if !(high > low) {
		return (top + foot) / 2
	}
	return foot - float64(float64((t-low)/(high-low))*(foot-top))
}

// line() draws the curve and marks its highest and lowest point. Missing temperatures are gaps.
func (h *skyHours) line(hours []weather.Hour, low, high weather.Number) {
	o := &h.w.b.Outlines
	o.Begin()
	box := h.plot
	box.Min.Y -= h.w.b.Px(curveWide)
	pieces := func(f func(points []path.Point)) {
		h.points = h.points[:0]
		for i := range hours {
			if hours[i].Temp.Has() {
				h.points = append(h.points, path.Point{X: h.x(i), Y: h.y(hours[i].Temp, low, high)})
			}
			if (!hours[i].Temp.Has() || i == len(hours)-1) && len(h.points) > 0 {
				f(h.forward())
				h.points = h.points[:0]
			}
		}
	}
	pieces(func(points []path.Point) { o.Line.Smooth(points) })
	wide := float64(h.w.b.Px(curveWide))
	o.Stroke(&h.curve, path.Pen{Width: wide, Cap: path.Round}, box)
	if h.w.b.Look.Ink {
		o.Stroke(&h.halo, path.Pen{Width: wide + 2*kit.InkHalo, Cap: path.Round}, box)
	}
	o.Begin()
	pieces(func(points []path.Point) {
		o.Area.Smooth(points)
		o.Area.LineTo(points[len(points)-1].X, float64(h.plot.Max.Y))
		o.Area.LineTo(points[0].X, float64(h.plot.Max.Y))
		o.Area.Close()
	})
	o.Fill(&h.area, h.plot)
	h.fade = piece.FadeRows(h.w.b, h.fade[:0], h.w.b.Look.Colors["sun"], 0.36, 0.02, h.area.Bounds().Dy())
	h.freezing(low, high)
	h.name(hours, low, high)
}

// forward() returns the points from left to right. In languages that are written from right to left, it first reverses their order.
func (h *skyHours) forward() []path.Point {
	if h.w.b.Locale.RightToLeft {
		for i, j := 0, len(h.points)-1; i < j; i, j = i+1, j-1 {
			h.points[i], h.points[j] = h.points[j], h.points[i]
		}
	}
	return h.points
}

// freezing() draws a line at 0 °C, if some temperatures are above 0 °C and others are below.
func (h *skyHours) freezing(low, high weather.Number) {
	o := &h.w.b.Outlines
	o.Begin()
	if low < 0 && high > 0 {
		y := math.Round(h.y(0, low, high)) + 0.5
		o.Line.MoveTo(0, y)
		o.Line.LineTo(float64(h.plot.Max.X), y)
		thin := float64(h.w.b.Px(1))
		o.Stroke(&h.zero, path.Pen{Width: thin, Dash: []float64{5 * thin, 4 * thin}}, h.plot)
		return
	}
	o.Fill(&h.zero, h.plot)
}

// name() labels the points with the highest and the lowest temperature.
func (h *skyHours) name(hours []weather.Hour, low, high weather.Number) {
	b, o := h.w.b, &h.w.b.Outlines
	o.Begin()
	at := [2]int{-1, -1}
	for i := range hours {
		if t := hours[i].Temp; t == high && at[0] < 0 {
			at[0] = i
		} else if t == low && at[1] < 0 {
			at[1] = i
		}
	}
	for i, c := range h.peaks {
		c.Set("")
		if at[i] < 0 {
			continue
		}
		x, y := h.x(at[i]), h.y(hours[at[i]].Temp, low, high)
		if i == 0 {
			o.Area.Circle(x, y, float64(b.Px(5)))
		}
		text := string(degrees(b, nil, hours[at[i]].Temp))
		wide := b.TextWidth(c.Face, text)
		left := min(max(int(x)-wide/2, 0), h.plot.Max.X-wide)
		bottom := int(y) - b.Px(8)
		bottom = h.above(hours, left, left+wide, bottom)
		c.Place(image.Rect(left, bottom-c.Face.Line, left+wide, bottom))
		c.Set(text)
		c.Keep(image.Rectangle{Max: h.w.size})
	}
	o.Fill(&h.dot, h.plot)
	if h.peaks[0].Ink.Overlaps(h.peaks[1].Ink) {
		h.peaks[1].Set("")
	}
}

// bars() draws a bar for the rain of each hour.
func (h *skyHours) bars(hours []weather.Hour) {
	o := &h.w.b.Outlines
	for pass, dst := range []*path.Shape{&h.rain, &h.drizzle} {
		o.Begin()
		for i := range hours[:max(0, len(hours)-1)] {
			hour := &hours[i]
			sure := !hour.Probability.Has() || hour.Probability >= wetChance
			if left, right, top := h.bar(hours, i); top < float64(h.plot.Max.Y) && sure == (pass == 0) {
				o.Area.RoundRect(left, top, right, float64(h.plot.Max.Y), float64(h.w.b.Px(3)))
			}
		}
		o.Fill(dst, h.plot)
	}
}

// bar() returns the sides and the top of the bar of hour i. Without rain, the top is at the bottom of the plot.
func (h *skyHours) bar(hours []weather.Hour, i int) (left, right, top float64) {
	hour, most := &hours[i], heavy
	a, b := h.w.across((float64(i)+rainGap/2)*h.step), h.w.across((float64(i)+1-rainGap/2)*h.step)
	left, right, top = min(a, b), max(a, b), float64(h.plot.Max.Y)
	if !rains(hour) {
		return left, right, top
	}
	share := 0.35 * float64(hour.Probability) / 100
	if hour.Rain.Has() {
		for j := range hours {
			if hours[j].Rain.Has() {
				most = max(most, float64(hours[j].Rain))
			}
		}
		share = math.Sqrt(float64(hour.Rain) / most)
	}
	return left, right, top - max(float64(h.w.b.Px(4)), share*rainHigh*float64(h.plot.Dy()))
}

// above() returns the y coordinate of the lower edge of a label between the x coordinates `left` and `right`. The label is as low as
// possible, but above all bars and not below `bottom`.
func (h *skyHours) above(hours []weather.Hour, left, right, bottom int) int {
	near := h.w.b.Px(peakGap)
	for i := range hours[:max(0, len(hours)-1)] {
		if from, to, top := h.bar(hours, i); to > float64(left-near) && from < float64(right+near) && top < float64(h.plot.Max.Y) {
			bottom = min(bottom, int(top)-near)
		}
	}
	return bottom
}

// shadeNight shades the background of the hours at night.
func (h *skyHours) shadeNight(v *view, hours []weather.Hour) {
	o := &h.w.b.Outlines
	o.Begin()
	from, dark := 0.0, len(hours) > 0 && !hours[0].IsDay
	end := func(to float64) {
		if dark && to > from {
			a, b := h.w.across(from), h.w.across(to)
			o.Area.RoundRect(min(a, b), float64(h.plot.Min.Y), max(a, b), float64(h.plot.Max.Y), float64(h.w.b.Px(6)))
		}
	}
	for i := 1; i < len(hours); i++ {
		if hours[i].IsDay != hours[i-1].IsDay {
			at := h.turn(v, hours, i)
			end(at)
			from, dark = at, !hours[i].IsDay
		}
	}
	end(float64(h.plot.Max.X))
	o.Fill(&h.night, h.plot)
}

// turn() returns the x coordinate of a sunrise or sunset within one hour of hour i. If there is no sunrise or sunset, it returns the x
// coordinate of hour i.
func (h *skyHours) turn(v *view, hours []weather.Hour, i int) float64 {
	at := hours[i].At
	for d := range v.days {
		for _, t := range []time.Time{v.days[d].Sunrise, v.days[d].Sunset} {
			if !t.IsZero() && t.Sub(at).Abs() <= time.Hour {
				at = t
			}
		}
	}
	x := at.Sub(hours[0].At).Hours() * h.step
	return min(max(x, 0), float64(h.plot.Max.X))
}

// label() places the times below the curve. These are "now" and then each hour that is a multiple of 3, 6, 12 or 24, depending on the
// room.
func (h *skyHours) label(v *view, hours []weather.Hour) {
	b := h.w.b
	for _, c := range h.ticks {
		c.Set("")
	}
	h.used = 0
	line := image.Rect(0, h.plot.Max.Y+b.Px(4), 0, h.plot.Max.Y+b.Px(4)+h.ticks[0].Face.Line)
	gap := b.Px(14)
	next := h.tick(b.Locale.Say(locale.Now), 0, line) + 3*gap
	wide := b.TextWidth(h.ticks[0].Face, string(b.Locale.Append(nil, time.Date(2025, 1, 1, 22, 0, 0, 0, time.UTC), locale.Hour))) + 2*gap
	every := 24
	for _, n := range []int{12, 6, 3} {
		if float64(n)*h.step >= float64(wide) {
			every = n
		}
	}
	for i := range hours {
		at := hours[i].At.In(v.zone)
		if at.Hour()%every != 0 || at.Minute() >= 30 || i > 0 && hours[i-1].At.In(v.zone).Hour() == at.Hour() {
			continue
		}
		text := string(b.Locale.Append(nil, at, locale.Hour))
		left := int(float64(i)*h.step) - b.TextWidth(h.ticks[0].Face, text)/2
		if left >= next && left+b.TextWidth(h.ticks[0].Face, text) <= h.plot.Max.X && h.used < len(h.ticks) {
			next = h.tick(text, left, line) + gap
		}
	}
}

// tick() places one time, starting at the x coordinate in `left`. It returns the x coordinate at which the time ends.
func (h *skyHours) tick(text string, left int, line image.Rectangle) int {
	c := h.ticks[h.used]
	line.Min.X, line.Max.X = left, left+h.w.b.TextWidth(c.Face, text)
	c.Place(h.w.flip(line))
	c.Set(text)
	h.used++
	return line.Max.X
}

func (h *skyHours) paint(c render.Canvas) {
	w, b := h.w, h.w.b
	share := func(role string, of float64) color.RGBA {
		if w.stale {
			of *= kit.StaleStrength
		}
		return b.Shade(role, of)
	}
	if !b.Look.Ink {
		c.Shape(&h.night, image.Point{}, b.Shade("background", 0.5))
		if !w.stale {
			c.ShapeRows(&h.area, image.Point{}, h.fade)
		}
		c.Shape(&h.drizzle, image.Point{}, share("accent", 0.35))
		c.Shape(&h.rain, image.Point{}, share("accent", 0.75))
	} else {
		c.Shape(&h.rain, image.Point{}, b.Role("text"))
		c.Shape(&h.drizzle, image.Point{}, b.Role("text"))
		c.Shape(&h.halo, image.Point{}, b.Role("surface"))
	}
	c.Fill(h.ground, b.Role("line"))
	c.Shape(&h.zero, image.Point{}, w.ink("cold"))
	c.Shape(&h.curve, image.Point{}, w.ink("sun"))
	c.Shape(&h.dot, image.Point{}, w.ink("sun"))
	for _, p := range h.peaks {
		p.Paint(c, w.ink("text"))
	}
	for _, t := range h.ticks[:h.used] {
		t.Paint(c, w.ink("muted"))
	}
}
