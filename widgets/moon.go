package widgets

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/internal/moon"
	"dashboard/render"
	"dashboard/render/path"
)

// MoonParams are the parameters of the moon widget.
type MoonParams struct {
	Framed
	Location *value.Location `yaml:"location" doc:"The place; the wall's without it. South of the equator the moon stands upside down."`
}

// lunar shows the moon as it looks today, and what comes next.
type lunar struct {
	b     *Builder
	south bool
	size  image.Point
	disc  image.Rectangle
	dark  path.Shape
	lit   path.Shape
	name  *caption
	share *caption
	next  [2]*caption   // nil where there is no room
	inks  [2]color.RGBA // of the dark part, and of what is lit
	rim   float64       // px that the lit part stays away from the edge
	shown time.Time
}

// Lengths of the moon, px at a shorter side of 720 px.
const (
	moonMost = 220
	moonGap  = 24
	moonBack = 6 // hours after which it looks different
)

func buildMoon(b *Builder, s *Spec, p *MoonParams, size image.Point) render.Widget {
	place := b.Place
	if p.Location != nil && p.Location.Known {
		place = *p.Location
	}
	w := &lunar{b: b, size: size, south: place.Latitude < 0}
	w.colors()
	w.lay()
	return w
}

// colors are those of the two parts: on a light surface the dark one is a rim around the lit one.
func (w *lunar) colors() {
	b := w.b
	sky := b.skyColors()
	switch {
	case b.Look.Ink:
		w.inks, w.rim = [2]color.RGBA{b.role("text"), b.role("background")}, float64(b.px(2))
	case b.lightSurface():
		w.inks, w.rim = [2]color.RGBA{sky[inkMoon], blended(b.role("surface"), sky[inkSun], 0.3)}, float64(b.px(2))
	default:
		w.inks = [2]color.RGBA{b.role("line"), sky[inkMoon]}
	}
}

// lay puts the words beside the moon, or below it where the cell is upright.
func (w *lunar) lay() {
	b := w.b
	strong := b.Look.Styles["body"]
	strong.Weight = 500
	title, small := b.faceOf("body", strong), b.face("caption")
	words := title.line + small.line
	side := min(w.size.X, w.size.Y, b.px(moonMost))
	if beside := w.size.X * 2 / 5; w.size.X-beside-b.px(moonGap) >= 6*title.size {
		side = min(side, beside)
	}
	text := image.Rectangle{}
	switch {
	case w.size.X-side-b.px(moonGap) >= 6*title.size:
		text = image.Rect(side+b.px(moonGap), 0, w.size.X, w.size.Y)
		w.disc = image.Rect(0, (w.size.Y-side)/2, side, (w.size.Y-side)/2+side)
	case w.size.Y >= 2*words:
		side = min(side, w.size.Y-words-b.px(12))
		left := (w.size.X - side) / 2
		w.disc = image.Rect(left, 0, left+side, side)
		text = image.Rect(0, side+b.px(12), w.size.X, w.size.Y)
	default:
		w.disc = image.Rect((w.size.X-side)/2, (w.size.Y-side)/2, (w.size.X+side)/2, (w.size.Y+side)/2)
	}
	edge := b.edgeOf("")
	if text.Min.X == 0 {
		edge = edgeCenter
	} else if b.Locale.RightToLeft {
		w.disc.Min.X, w.disc.Max.X = w.size.X-w.disc.Max.X, w.size.X-w.disc.Min.X
		text.Min.X, text.Max.X = 0, w.disc.Min.X-b.px(moonGap)
	}
	w.caption(text, edge, title, small)
	b.outlines.begin()
	c, r := w.middle()
	b.outlines.area.Circle(c.X, c.Y, r)
	b.outlines.fill(&w.dark, image.Rectangle{Max: w.size})
}

// caption makes as many lines as there is room for in a box.
func (w *lunar) caption(box image.Rectangle, edge edge, title, small face) {
	b := w.b
	lines, high := 0, 0
	for i := range 4 {
		h := small.line
		if i == 0 {
			h = title.line
		}
		if high+h > box.Dy() {
			break
		}
		lines, high = lines+1, high+h
	}
	y := box.Min.Y
	if box.Min.Y == 0 {
		y += (box.Dy() - high) / 2
	}
	for i := range lines {
		f := small
		if i == 0 {
			f = title
		}
		c := b.caption(f, image.Rect(box.Min.X, y, box.Max.X, y+f.line), edge)
		y += f.line
		switch i {
		case 0:
			w.name = c
		case 1:
			w.share = c
		default:
			w.next[i-2] = c
		}
	}
}

// middle is the middle of the disc, and its radius.
func (w *lunar) middle() (path.Point, float64) {
	r := float64(w.disc.Dx())/2 - 0.5
	return path.Point{X: float64(w.disc.Min.X+w.disc.Max.X) / 2, Y: float64(w.disc.Min.Y+w.disc.Max.Y) / 2}, max(0, r)
}

// Update implements render.Widget.
func (w *lunar) Update(t render.Tick) {
	now := t.Now().Truncate(time.Hour * moonBack)
	t.Wake(now.Add(time.Hour * moonBack))
	if now.Equal(w.shown) {
		return
	}
	w.shown = now
	w.draw(now)
	t.DamageAll()
}

// draw makes the lit part and the words for a moment.
func (w *lunar) draw(now time.Time) {
	l, angle := w.b.Locale, moon.Angle(now)
	w.light(angle)
	if w.name != nil {
		w.name.set(l.Say(locale.NewMoon + locale.Phrase(moon.Phase(angle))))
	}
	if w.share != nil {
		w.share.set(string(l.AppendPercent(nil, moon.Lit(angle), 0)))
	}
	first, second := moon.Next(now, moon.Full), moon.Next(now, moon.New)
	phases := [2]locale.Phrase{locale.FullMoon, locale.NewMoon}
	if second.Before(first) {
		first, second, phases = second, first, [2]locale.Phrase{locale.NewMoon, locale.FullMoon}
	}
	for i, at := range []time.Time{first, second} {
		if c := w.next[i]; c != nil {
			text := l.Say(phases[i]) + " · " + string(l.Append(nil, at.In(w.b.Location), locale.Date))
			if w.b.textWidth(c.face, text) > c.box.Dx()*6/5 {
				text = "" // it would be cut
			}
			c.set(text)
		}
	}
}

// light makes the shape of what the sun shines on: half the disc, and half an ellipse that adds to it or takes from it. A moon that
// grows is lit from the right north of the equator.
func (w *lunar) light(angle float64) {
	o := &w.b.outlines
	o.begin()
	c, r := w.middle()
	r = max(0, r-w.rim)
	side := 1.0
	if (angle > 180) != w.south {
		side = -1
	}
	bulge := -math.Cos(angle * math.Pi / 180) // from -1, new, to 1, full
	const steps = 48
	at := func(i int, share float64) (x, y float64) {
		s, k := math.Sincos(math.Pi * float64(i) / steps)
		return c.X + float64(side*share*r*s), c.Y - float64(r*k)
	}
	if moon.Lit(angle) > 0.003 {
		o.area.MoveTo(at(0, 1))
		for i := 1; i <= steps; i++ {
			o.area.LineTo(at(i, 1))
		}
		for i := steps - 1; i > 0; i-- {
			o.area.LineTo(at(i, -bulge))
		}
		o.area.Close()
	}
	o.fill(&w.lit, image.Rectangle{Max: w.size})
}

// natural implements sized.
func (w *lunar) natural(width int) image.Point {
	return image.Pt(width, w.b.px(moonMost)*2/3)
}

// Paint implements render.Widget.
func (w *lunar) Paint(c render.Canvas) {
	b := w.b
	c.Shape(&w.dark, image.Point{}, w.inks[0])
	c.Shape(&w.lit, image.Point{}, w.inks[1])
	if w.name != nil {
		w.name.paint(c, b.role("text"))
	}
	if w.share != nil {
		w.share.paint(c, b.role("muted"))
	}
	for _, n := range w.next {
		if n != nil {
			n.paint(c, b.role("muted"))
		}
	}
}
