package clock

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"time"

	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/widgets/kit"
)

// dial is an analogue clock. Each update damages only the rectangles of hands that moved.
type dial struct {
	b        *kit.Builder
	loc      *time.Location
	center   path.Point
	radius   float64
	face     path.Shape
	numerals []*kit.Caption
	hands    []*hand // hour and minute hand, and the second hand if it is shown
	date     *kit.Caption
	datePat  string
	sweep    time.Duration // time between two positions of the sweeping second hand
	buf      []byte

	ink, muted, accent color.RGBA
}

// hand is a hand of the clock. Its lengths are shares of the dial's radius.
type hand struct {
	tip, tail, wide, disc float64
	color                 color.RGBA
	angle                 float64
	shape                 path.Shape
	placed                bool
}

// Proportions of dials, as shares of the radius.
const (
	dialDate   = 0.14 // minimum height of the date, as a share of the cell's height. A smaller date is hidden
	majorLong  = 0.10
	minorLong  = 0.05
	numeralAt  = 0.80
	numeralBig = 0.20
)

func newDial(b *kit.Builder, s *kit.Spec, p *ClockParams, size image.Point, loc *time.Location) *dial {
	w := &dial{b: b, loc: loc, ink: inputColor(b, s, p), muted: b.Role("muted"), accent: b.Role("accent")}
	f := b.Face("caption")
	room := size
	w.datePat = pattern(p.Date, b.Locale.Pattern(locale.DayDateShort))
	if w.datePat != "" && f.Line < int(float64(size.Y)*dialDate*1.6) {
		room.Y -= f.Line + b.Px(8)
		w.date = b.Caption(f, image.Rect(0, size.Y-f.Line, size.X, size.Y), kit.EdgeCenter)
	}
	side := float64(min(room.X, room.Y))
	w.radius = side / 2
	x := float64(size.X) / 2
	switch b.EdgeOf(p.Align) {
	case kit.EdgeStart:
		if p.Align != "" {
			x = w.radius
		}
	case kit.EdgeEnd:
		x = float64(size.X) - w.radius
	}
	w.center = path.Point{X: x, Y: float64(room.Y) / 2}
	w.draw(p.Face)
	w.addHands(p)
	return w
}

func inputColor(b *kit.Builder, s *kit.Spec, p *ClockParams) color.RGBA {
	in := kit.InputOf(b, s, p.Color, kit.ColorOf)
	return in.Color(b, b.Role("text"))
}

// at() returns a point of the dial. `angle` is measured clockwise from twelve o'clock, and `part` is the distance from the center as a
// share of the radius.
func (w *dial) at(angle, part float64) path.Point {
	sin, cos := math.Sincos(angle)
	return path.Point{X: w.center.X + sin*w.radius*part, Y: w.center.Y - cos*w.radius*part}
}

func (w *dial) box() image.Rectangle {
	r := int(w.radius) + 2
	return image.Rect(int(w.center.X)-r, int(w.center.Y)-r, int(w.center.X)+r, int(w.center.Y)+r)
}

// ray() appends a bar that lies on a ray from the center. `from` and `to` are shares of the radius.
func (w *dial) ray(p *path.Path, angle, from, to, wide float64, end path.Cap) {
	o := &w.b.Outlines
	o.Line.Reset()
	a, z := w.at(angle, from), w.at(angle, to)
	o.Line.MoveTo(a.X, a.Y)
	o.Line.LineTo(z.X, z.Y)
	p.Stroke(&o.Line, path.Pen{Width: math.Max(1, wide*w.radius), Cap: end})
}

// draw builds the parts that do not move.
func (w *dial) draw(kind string) {
	o := &w.b.Outlines
	o.Begin()
	for i := range 60 {
		angle, hour := float64(i)*math.Pi/30, i%5 == 0
		switch kind {
		case "minimal":
			if i%15 == 0 {
				w.ray(&o.Area, angle, 0.92, 0.98, 0.018, path.Round)
			}
		case "station":
			if hour {
				w.ray(&o.Area, angle, 0.76, 1, 0.07, path.Butt)
			} else {
				w.ray(&o.Area, angle, 0.93, 1, 0.028, path.Butt)
			}
		case "numerals":
			if !hour {
				w.ray(&o.Area, angle, 0.97, 0.99, 0.01, path.Round)
			} else {
				w.ray(&o.Area, angle, 0.955, 0.99, 0.016, path.Round)
			}
		default:
			if hour {
				w.ray(&o.Area, angle, 0.99-majorLong, 0.985, 0.022, path.Round)
			} else if w.radius > 60 {
				w.ray(&o.Area, angle, 0.99-minorLong, 0.985, 0.01, path.Round)
			}
		}
	}
	o.Fill(&w.face, w.box())
	if kind == "numerals" {
		w.number()
	}
}

// number() places the numerals. A small dial has only the numerals 3, 6, 9 and 12.
func (w *dial) number() {
	st := w.b.Look.Styles["title"]
	st.Weight = 400
	f := w.b.FaceAt(st, int(w.radius*numeralBig))
	for hour := 1; hour <= 12; hour++ {
		if f.Size < 14 && hour%3 != 0 {
			continue
		}
		p := w.at(float64(hour)*math.Pi/6, numeralAt)
		c := w.b.Caption(f, image.Rect(int(p.X)-f.Size, int(p.Y)-f.Line/2, int(p.X)+f.Size, int(p.Y)-f.Line/2+f.Line), kit.EdgeCenter)
		c.Set(strconv.Itoa(hour))
		w.numerals = append(w.numerals, c)
	}
}

// addHands creates the hands. The first Update moves them to the current time.
func (w *dial) addHands(p *ClockParams) {
	w.hands = []*hand{{tip: 0.52, wide: 0.055, color: w.ink}, {tip: 0.8, wide: 0.04, color: w.ink}}
	second := &hand{tip: 0.86, tail: 0.18, wide: 0.016, color: w.accent}
	if p.Face == "station" {
		w.hands[0] = &hand{tip: 0.6, tail: 0.2, wide: 0.1, color: w.ink}
		w.hands[1] = &hand{tip: 0.92, tail: 0.2, wide: 0.08, color: w.ink}
		second = &hand{tip: 0.62, tail: 0.28, wide: 0.022, disc: 0.08, color: w.b.Role("bad")}
	}
	if p.Seconds == "none" || p.Seconds == "" {
		return
	}
	w.hands = append(w.hands, second)
	w.sweep = time.Second
	if p.Seconds == "sweep" && !w.b.Reduced {
		w.sweep = w.pace()
	}
}

// Limits of a sweeping hand: the minimum time between two positions, and the distance between two positions of its tip in px.
const (
	sweepLeast = 40 * time.Millisecond
	sweepStep  = 0.5
)

// pace() returns the time in which the tip of a sweeping hand moves by half a pixel. This is at least sweepLeast and at most one second.
func (w *dial) pace() time.Duration {
	around := 2 * math.Pi * w.radius * 0.86
	pace := time.Duration(float64(time.Minute) * sweepStep / math.Max(1, around))
	return min(max(pace, sweepLeast), time.Second)
}

// shape() builds the shape of a hand for its current angle.
func (w *dial) shape(h *hand) {
	o := &w.b.Outlines
	o.Begin()
	w.ray(&o.Area, h.angle, -h.tail, h.tip, h.wide, path.Round)
	if h.disc > 0 {
		c := w.at(h.angle, h.tip)
		o.Area.Circle(c.X, c.Y, h.disc*w.radius)
	}
	if h.wide < 0.03 {
		o.Area.Circle(w.center.X, w.center.Y, 0.035*w.radius)
	}
	o.Fill(&h.shape, w.box())
}

// turn moves a hand to an angle and damages the changed area.
func (w *dial) turn(t render.Tick, h *hand, angle float64) {
	if h.placed && h.angle == angle {
		return
	}
	t.Damage(h.shape.Bounds())
	h.angle, h.placed = angle, true
	w.shape(h)
	t.Damage(h.shape.Bounds())
}

// Natural implements kit.Sized.
func (w *dial) Natural(width int) image.Point { return image.Pt(width, width) }

// Update implements render.Widget.
func (w *dial) Update(t render.Tick) {
	now := t.Now().In(w.loc)
	minutes := float64(now.Hour()%12*60 + now.Minute())
	w.turn(t, w.hands[0], minutes*2*math.Pi/720)
	w.turn(t, w.hands[1], float64(now.Minute())*2*math.Pi/60)
	step := time.Minute
	if len(w.hands) > 2 {
		step = w.sweep
		part := float64(now.Second())
		if step < time.Second {
			part += float64(now.Nanosecond()/int(step)) * step.Seconds()
		}
		w.turn(t, w.hands[2], part*2*math.Pi/60)
	}
	if w.date != nil {
		w.buf = w.b.Locale.AppendPattern(w.buf[:0], now, w.datePat)
		write(t, w.date, w.buf)
	}
	t.Wake(t.Now().Truncate(step).Add(step))
}

// Paint implements render.Widget.
func (w *dial) Paint(c render.Canvas) {
	c.Shape(&w.face, image.Point{}, w.muted)
	for _, n := range w.numerals {
		n.Paint(c, w.ink)
	}
	for _, h := range w.hands {
		c.Shape(&h.shape, image.Point{}, h.color)
	}
	if w.date != nil {
		w.date.Paint(c, w.muted)
	}
}
