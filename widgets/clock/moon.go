package clock

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/config/value"
	"dashboard/internal/moon"
	"dashboard/render"
	"dashboard/render/path"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// MoonParams are the parameters of the moon widget.
type MoonParams struct {
	kit.Framed
	// Place. Default: the place of the wall. South of the equator the moon is upside down.
	Location *value.Location `yaml:"location"`
}

// lunar shows the phase of the moon and the next phases.
type lunar struct {
	b             *kit.Builder
	south         bool
	size          image.Point
	disc          image.Rectangle
	dark          path.Shape
	lit           path.Shape
	words         [moonWords]*kit.Caption
	used          int // number of used elements of words
	text          image.Rectangle
	edge          kit.Edge
	strong, small kit.Face      // faces of the name, and of the other texts
	inks          [2]color.RGBA // colors of the dark part and of the lit part
	rim           float64       // gap between the lit part and the edge of the disc, in px
	shown         time.Time
}

// Lengths of the moon, in px on a screen whose shorter side has 720 px.
const (
	moonMost = 220
	moonGap  = 24
	moonBack = 6 // hours between two updates of the picture
)

func buildMoon(b *kit.Builder, s *kit.Spec, p *MoonParams, size image.Point) render.Widget {
	place := b.Place
	if p.Location != nil && p.Location.Known {
		place = *p.Location
	}
	w := &lunar{b: b, size: size, south: place.Latitude < 0}
	w.colors()
	w.lay()
	return w
}

// colors() sets the colors of the dark and the lit part. On a light surface or a black-and-white display, a rim in the dark color
// surrounds the lit part.
func (w *lunar) colors() {
	b := w.b
	sky := piece.SkyColors(b)
	switch {
	case b.Look.Ink:
		w.inks, w.rim = [2]color.RGBA{b.Role("text"), b.Role("background")}, float64(b.Px(2))
	case piece.LightSurface(b):
		w.inks, w.rim = [2]color.RGBA{sky[piece.InkMoon], piece.Blended(b.Role("surface"), sky[piece.InkSun], 0.3)}, float64(b.Px(2))
	default:
		w.inks = [2]color.RGBA{b.Role("line"), sky[piece.InkMoon]}
	}
}

// moonWords is the maximum number of lines: the name in one or two lines, the lit share, and the next phases.
const moonWords = 5

// lay places the words next to the moon, or below the moon if the cell is high. If there is no room, it omits the words.
func (w *lunar) lay() {
	b := w.b
	for i := range w.words {
		w.words[i] = b.Caption(b.Face("caption"), image.Rectangle{}, kit.EdgeStart)
	}
	strong := b.Look.Styles["body"]
	strong.Weight = 500
	w.strong, w.small = b.FaceOf("body", strong), b.Face("caption")
	title, small := w.strong, w.small
	words, gap := title.Line+small.Line, b.Px(moonGap)
	side := min(w.size.X, w.size.Y, b.Px(moonMost))
	narrow := min(side, w.size.X*2/5)
	if w.size.X-narrow-gap >= 6*title.Size {
		side = narrow
	}
	w.edge = b.EdgeOf("")
	switch {
	case w.size.X-side-gap >= 6*title.Size:
		w.beside(side)
	case w.size.Y >= 2*words:
		if w.folds(title) {
			words = max(words, 2*title.Line)
		}
		side = min(side, w.size.Y-words-b.Px(12))
		left := (w.size.X - side) / 2
		w.disc = image.Rect(left, 0, left+side, side)
		w.text, w.edge = image.Rect(0, side+b.Px(12), w.size.X, w.size.Y), kit.EdgeCenter
	case w.size.X-narrow-gap >= w.widest(title) && w.size.Y >= 2*title.Line:
		w.beside(narrow)
	default:
		w.disc = image.Rect((w.size.X-side)/2, (w.size.Y-side)/2, (w.size.X+side)/2, (w.size.Y+side)/2)
	}
	b.Outlines.Begin()
	c, r := w.middle()
	b.Outlines.Area.Circle(c.X, c.Y, r)
	b.Outlines.Fill(&w.dark, image.Rectangle{Max: w.size})
}

// beside() places the moon on the left and the words on the right. In languages that are written from right to left, the sides are
// exchanged.
func (w *lunar) beside(side int) {
	w.disc = image.Rect(0, (w.size.Y-side)/2, side, (w.size.Y-side)/2+side)
	w.text = image.Rect(side+w.b.Px(moonGap), 0, w.size.X, w.size.Y)
	w.disc, w.text = w.b.Mirrored(w.disc, w.size.X), w.b.Mirrored(w.text, w.size.X)
}

// middle() returns the center and the radius of the disc.
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

// draw builds the lit part and sets the words for a time.
func (w *lunar) draw(now time.Time) {
	angle := moon.Angle(now)
	w.light(angle)
	w.say(now, angle)
}

// light() builds the shape of the lit part for a phase angle in degrees. The shape is half of the disc. Half of an ellipse is added to
// this half or removed from it. North of the equator, a waxing moon is lit from the right.
func (w *lunar) light(angle float64) {
	o := &w.b.Outlines
	o.Begin()
	c, r := w.middle()
	r = max(0, r-w.rim)
	side := 1.0
	if (angle > 180) != w.south {
		side = -1
	}
	bulge := -math.Cos(angle * math.Pi / 180) // from -1 for a new moon to 1 for a full moon
	const steps = 48
	at := func(i int, share float64) (x, y float64) {
		s, k := math.Sincos(math.Pi * float64(i) / steps)
		return c.X + float64(side*share*r*s), c.Y - float64(r*k)
	}
	if moon.Lit(angle) > 0.003 {
		o.Area.MoveTo(at(0, 1))
		for i := 1; i <= steps; i++ {
			o.Area.LineTo(at(i, 1))
		}
		for i := steps - 1; i > 0; i-- {
			o.Area.LineTo(at(i, -bulge))
		}
		o.Area.Close()
	}
	o.Fill(&w.lit, image.Rectangle{Max: w.size})
}

// Natural implements kit.Sized.
func (w *lunar) Natural(width int) image.Point {
	return image.Pt(width, w.b.Px(moonMost)*2/3)
}

// Paint implements render.Widget.
func (w *lunar) Paint(c render.Canvas) {
	b := w.b
	c.Shape(&w.dark, image.Point{}, w.inks[0])
	c.Shape(&w.lit, image.Point{}, w.inks[1])
	for _, line := range w.words[:w.used] {
		ink := b.Role("muted")
		if line.Face == w.strong {
			ink = b.Role("text")
		}
		line.Paint(c, ink)
	}
}
