package weather

import (
	"image"
	"image/color"
	"time"

	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/provider/weather"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// AirParams are the parameters of the airquality widget.
type AirParams struct {
	kit.Framed
	// Provider of type weather. Default: the only provider of this type.
	Provider string `yaml:"provider"`
	// Parts to show, in this order. Default: the index.
	Parts []string `yaml:"parts" enum:"index,pollen,uv"`
}

// airquality shows the European air quality index, the pollen, and the UV index.
type airquality struct {
	b       *kit.Builder
	size    image.Point
	in      provider.Typed[*weather.Report]
	head    *kit.Head
	top     int
	parts   []string
	figure  *kit.Caption
	word    *kit.Caption
	ink     color.RGBA // color of the word for the class
	bar     *piece.Meter
	rows    []airRow
	used    int
	none    *kit.Caption
	indexed bool
	level   int // class of the index, from 0

	seq   uint64
	stale bool
	said  bool
}

// airRow is a row with a name and a level, such as a kind of pollen.
type airRow struct {
	name, level *kit.Caption
	ink         string
}

// airBounds are the upper bounds of the first five classes of the European air quality index (European Environment Agency). A class does
// not include its upper bound. From the last bound on, the index is in the sixth class, "extremely poor".
var airBounds = [5]float64{20, 40, 60, 80, 100}

// airInks are the color roles of the six classes.
var airInks = [6]string{"good", "good", "warn", "bad", "bad", "bad"}

// pollenBounds are numbers of grains in a cubic meter. From these numbers on, pollen is low, medium and high. The numbers come from the
// scale of the National Allergy Bureau for grass, trees and weeds.
var pollenBounds = map[weather.Pollen][3]float64{
	weather.Grass: {1, 5, 20}, weather.Birch: {1, 15, 90}, weather.Alder: {1, 15, 90}, weather.Olive: {1, 15, 90},
	weather.Mugwort: {1, 10, 50}, weather.Ragweed: {1, 10, 50},
}

// uvBounds are the lower bounds of moderate and of high UV radiation (World Health Organization).
var uvBounds = [2]float64{3, 6}

// airWords is the minimum width of a row's name, as a multiple of the text size.
const airWords = 3

// airMost is the index at which the bar is full.
const airMost = 120

// class() returns how many of the bounds a value has reached.
func class(v float64, bounds []float64) (n int) {
	for _, b := range bounds {
		if v >= b {
			n++
		}
	}
	return n
}

func buildAir(b *kit.Builder, s *kit.Spec, p *AirParams, size image.Point) render.Widget {
	cell, ok := made(b, s, "weather", p.Provider)
	if !ok {
		return nil
	}
	w := &airquality{b: b, size: size, parts: p.Parts}
	w.in.Cell = cell
	b.Asks(cell)
	if len(w.parts) == 0 {
		w.parts = []string{"index"}
	}
	if p.Title == nil && size.Y >= b.Px(kit.HeadHeight+kit.HeadBelow)+b.Face("figure").Line/2 {
		f := kit.Framed{Title: piece.PlainLine(b.Locale.Say(locale.AirQuality)), Icon: piece.PlainIcon("air-filter")}
		w.head = b.NewHead(s, &f, image.Rectangle{Max: size})
		w.top = w.head.Box.Max.Y + b.Px(kit.HeadBelow)
	}
	w.lay()
	return w
}

// lay creates the figure, the word for its class, the bar, and as many rows as fit.
func (w *airquality) lay() {
	b, y := w.b, w.top
	strong := b.Look.Styles["body"]
	strong.Weight = 500
	row := max(b.Face("body").Line, b.Px(34))
	for _, part := range w.parts {
		if part == "index" {
			y = w.index(y)
			continue
		}
		n := 1
		if part == "pollen" {
			n = len(pollenBounds)
		}
		for range n {
			if y+row > w.size.Y {
				break
			}
			box := image.Rect(0, y, w.size.X, y+row)
			w.rows = append(w.rows, airRow{name: b.Caption(b.Face("body"), box, b.EdgeOf("")), level: b.Caption(b.FaceOf("body", strong), box, b.EdgeOf("end"))})
			y += row
		}
	}
	w.none = b.Caption(b.Face("caption"), image.Rect(0, w.top, w.size.X, w.size.Y), b.EdgeOf(""))
}

// index() places the figure, the word for its class, and the bar. It returns the y coordinate of the next part.
func (w *airquality) index(y int) int {
	b := w.b
	room := w.size.Y - y
	alone := len(w.parts) == 1
	big := piece.Roomy(b, b.Face("figure"), image.Rect(0, y, w.size.X, w.size.Y))
	if big.Line > room {
		big = b.FaceAt(b.Look.Styles["figure"], max(b.Least(), room*3/4))
	}
	high := min(room, big.Line)
	w.figure = b.Caption(big, image.Rect(0, y, w.size.X, y+high), b.EdgeOf(""))
	strong := b.Look.Styles["title"]
	w.word = b.Caption(b.FaceOf("title", strong), image.Rect(0, y, w.size.X, y+high), b.EdgeOf("end"))
	w.word.Least = min(w.word.Face.Size, b.Face("label").Size)
	y += high
	bar, gap := b.Px(piece.BarHigh), b.Px(14)
	if alone && y+gap+bar <= w.size.Y {
		y = max(y+gap, w.size.Y-bar)
	} else if y += gap; y+bar > w.size.Y {
		return y
	}
	w.bar = piece.NewMeter(b, image.Rect(0, y, w.size.X, y+bar))
	return y + bar + gap
}

// Update implements render.Widget.
func (w *airquality) Update(t render.Tick) {
	s := kit.SampleOf(t, w.in.Cell)
	stale := kit.IsStale(t, s)
	if w.said && s.Seq == w.seq && stale == w.stale {
		return
	}
	w.said, w.seq, w.stale = true, s.Seq, stale
	var air *weather.Air
	if r, _ := w.in.Value(s); r != nil {
		air = r.Air
	}
	w.fill(air)
	t.DamageAll()
}

// fill shows the values of a report.
func (w *airquality) fill(air *weather.Air) {
	none := weather.None
	if air == nil {
		air = &weather.Air{At: time.Time{}, Index: none, UV: none, Pollen: [6]weather.Number{none, none, none, none, none, none}}
	}
	w.say(air.Index)
	w.used = 0
	for _, part := range w.parts {
		switch part {
		case "pollen":
			w.pollen(air)
		case "uv":
			w.uv(air.UV)
		}
	}
	w.none.Set("")
	if w.figure == nil && w.used == 0 {
		w.none.Set("—")
	}
}

// say shows the index and fills the bar. The word for the class is next to the index if there is room.
func (w *airquality) say(index weather.Number) {
	if w.figure == nil {
		return
	}
	w.indexed = index.Has()
	if !w.indexed {
		w.figure.Set("—")
		w.word.Set("")
		if w.bar != nil {
			w.bar.Set(0)
		}
		return
	}
	n := class(float64(index), airBounds[:])
	w.level = n
	w.figure.Set(string(w.b.Locale.AppendNumber(nil, float64(index), 0, false)))
	left := w.figure.Width() + w.b.Px(16)
	box := w.word.Box
	if w.b.Locale.RightToLeft {
		box = image.Rect(0, box.Min.Y, w.size.X-left, box.Max.Y)
	} else {
		box = image.Rect(left, box.Min.Y, w.size.X, box.Max.Y)
	}
	w.word.Place(box)
	said := w.b.Locale.Capital(w.b.Locale.Say(locale.AirGood + locale.Phrase(n)))
	if w.b.TextWidth(w.word.Face, said)*w.word.Least > box.Dx()*w.word.Face.Size {
		said = "" // hide the word instead of cutting it, because the color of the bar also shows the class
	}
	w.word.Set(said)
	w.ink = w.b.Role(airInks[n])
	if w.bar != nil {
		w.bar.Set(min(1, float64(index)/airMost))
	}
}

// row() fills the next row with a name and a level. `ink` is the color role of the level. If the name does not fit, the row is not shown.
func (w *airquality) row(name, level, ink string) {
	if w.used < len(w.rows) {
		r := &w.rows[w.used]
		r.level.Set(w.b.Locale.Capital(level))
		wide, least := w.b.TextWidth(r.name.Face, w.b.Locale.Capital(name)), airWords*r.name.Face.Size
		if r.level.Width()+w.b.Px(16)+min(wide, least) > w.size.X {
			r.level.Set("") // a row without room for its name is not shown
			return
		}
		box := r.level.Box
		if room := r.level.Width() + w.b.Px(16); w.b.Locale.RightToLeft {
			box.Min.X += room
		} else {
			box.Max.X -= room
		}
		box.Max.X = max(box.Min.X, box.Max.X)
		r.name.Place(box)
		r.name.Set(w.b.Locale.Capital(name))
		r.ink = ink
		w.used++
	}
}

// pollen() adds a row for each plant whose pollen is in the air. If there is no such plant and the value of grass is known, it adds the row
// of grass.
func (w *airquality) pollen(air *weather.Air) {
	l := w.b.Locale
	inks, before := [4]string{"muted", "good", "warn", "bad"}, w.used
	for _, high := range []int{3, 2, 1} {
		for plant, n := range air.Pollen {
			bounds := pollenBounds[weather.Pollen(plant)]
			if n.Has() && class(float64(n), bounds[:]) == high {
				w.row(l.Say(locale.Grass+locale.Phrase(plant)), l.Say(locale.PollenNone+locale.Phrase(high)), inks[high])
			}
		}
	}
	if w.used == before && air.Pollen[weather.Grass].Has() {
		w.row(l.Say(locale.Grass), l.Say(locale.PollenNone), inks[0])
	}
}

// uv() adds the row of the UV index.
func (w *airquality) uv(n weather.Number) {
	l := w.b.Locale
	if !n.Has() {
		w.row(l.Say(locale.UVIndex), "—", "muted")
		return
	}
	ink := [3]string{"good", "warn", "bad"}[class(float64(n), uvBounds[:])]
	w.row(l.Say(locale.UVIndex), string(l.AppendNumber(nil, float64(n), 0, false)), ink)
}

// Natural implements kit.Sized.
func (w *airquality) Natural(width int) image.Point {
	y := w.top
	if w.figure != nil {
		y = w.figure.Box.Max.Y + w.b.Px(piece.BarHigh+14)
	}
	if n := len(w.rows); n > 0 {
		y = w.rows[n-1].name.Box.Max.Y
	}
	return image.Pt(width, y)
}

// Paint implements render.Widget.
func (w *airquality) Paint(c render.Canvas) {
	ink := func(c color.RGBA) color.RGBA {
		if w.stale {
			return w.b.Old(c)
		}
		return c
	}
	text, muted := ink(w.b.Role("text")), ink(w.b.Role("muted"))
	if w.head != nil {
		w.head.Paint(c)
	}
	w.none.Paint(c, muted)
	if w.figure != nil {
		figure := muted
		if w.indexed {
			figure = text
		}
		w.figure.Paint(c, figure)
		w.word.Paint(c, ink(w.ink))
	}
	if w.bar != nil {
		w.bar.Paint(c, w.b.Role("line"), ink(w.ink), muted)
	}
	for i := range w.rows[:w.used] {
		r := &w.rows[i]
		r.name.Paint(c, text)
		r.level.Paint(c, ink(w.b.Role(r.ink)))
	}
}
