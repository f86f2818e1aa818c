package list

import (
	"bytes"
	"image"
	"image/color"
	"time"

	"dashboard/config"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/piece"
)

// TickerParams are the parameters of the ticker widget.
type TickerParams struct {
	kit.Framed
	kit.Typed
	// Text.
	Text *config.Live[string] `yaml:"text"`
	// Several texts instead of one. Entries are rows, as in the widget list.
	Items *config.Live[[]RowItem] `yaml:"items"`
	// Template for each entry of a list of values. Only the text is shown.
	Item *RowItem `yaml:"item"`
	// Speed of a text that does not fit.
	Speed float64 `yaml:"speed" default:"60" min:"1" max:"1000" unit:"px/s"`
}

// `between` separates two texts of a ticker. It also separates the end of a scrolling text from its repeated start.
const between = "   •   "

// ticker is a line of text that scrolls if the text does not fit.
type ticker struct {
	b     *kit.Builder
	size  image.Point
	in    kit.Input
	src   *rowSource
	color kit.Input
	face  kit.Face
	edge  kit.Edge
	ink   color.RGBA
	speed float64 // speed in px/s
	back  bool    // true if the text scrolls from left to right

	line   text.Line
	at     image.Point // start of the baseline before scrolling
	loop   int         // width in px after which the text repeats, 0 if it does not scroll
	offset int         // distance in px by which the text has scrolled
	since  time.Time
	raw    []byte
	buf    []byte
	loaded bool
}

func buildTicker(b *kit.Builder, s *kit.Spec, p *TickerParams, size image.Point) render.Widget {
	w := &ticker{
		b: b, size: size, color: kit.InputOf(b, s, p.Color, kit.ColorOf), face: b.Typed(s, &p.Typed, "body"), edge: b.EdgeOf(p.Align),
		speed: p.Speed * b.Scale, back: b.Locale.RightToLeft,
	}
	if size.Y < w.face.Size*5/4 { // the height limits the text size
		w.face = b.FaceAt(b.Look.Styles["body"], size.Y*4/5)
	}
	switch {
	case (p.Text == nil) == (p.Items == nil):
		s.Errorf("", "a ticker shows a text or items, one of the two")
		return nil
	case p.Text != nil:
		w.in = kit.InputOf(b, s, p.Text, kit.AnyOf[string])
	default:
		w.src = rows(b, s, p.Items, p.Item, piece.MaxListed)
	}
	w.ink = w.color.Color(b, b.Role("text"))
	return w
}

// Natural implements kit.Sized.
func (w *ticker) Natural(width int) image.Point { return image.Pt(width, w.face.Line) }

// gather writes the current texts into w.buf.
func (w *ticker) gather() {
	w.buf = w.buf[:0]
	if w.src == nil {
		w.buf = append(w.buf, w.in.Text()...)
		return
	}
	for i := range w.src.rows {
		if len(w.buf) > format.MaxShown {
			break
		}
		if s := w.src.rows[i].text(partText); s != "" {
			if len(w.buf) > 0 {
				w.buf = append(w.buf, between...)
			}
			w.buf = append(w.buf, s...)
		}
	}
}

// set sets the text. A text that does not fit scrolls and repeats.
func (w *ticker) set() {
	w.raw = append(w.raw[:0], w.buf...)
	w.loop, w.offset, w.since = 0, 0, time.Time{}
	cache := w.b.Text
	cache.ShapeBytes(&w.line, w.face.Font, w.face.Size, w.raw)
	wide := w.line.Width()
	switch {
	case wide > w.size.X && w.b.Reduced:
		w.cut()
		wide = w.line.Width()
	case wide > w.size.X:
		w.buf = append(append(w.buf[:0], w.raw...), between...)
		cache.ShapeBytes(&w.line, w.face.Font, w.face.Size, w.buf)
		w.loop = w.line.Width()
	}
	m := cache.Metrics(w.face.Font, w.face.Size)
	w.at = image.Pt(0, (w.size.Y-m.Ascent-m.Descent)/2+m.Ascent)
	switch {
	case wide > w.size.X && w.back:
		w.at.X = w.size.X - w.line.Width()
	case wide > w.size.X:
	case w.edge == kit.EdgeCenter:
		w.at.X = (w.size.X - wide) / 2
	case w.edge == kit.EdgeEnd:
		w.at.X = w.size.X - wide
	}
}

// cut cuts a text that must not scroll and adds an ellipsis.
func (w *ticker) cut() {
	low, high := 0, len(w.raw)
	for low < high {
		mid := (low + high + 1) / 2
		if w.shapeCut(mid); w.line.Width() <= w.size.X {
			low = mid
		} else {
			high = mid - 1
		}
	}
	w.shapeCut(low)
}

// shapeCut shapes the first n bytes of the text with an ellipsis. If n is inside a letter, the letter is removed.
func (w *ticker) shapeCut(n int) {
	for n > 0 && n < len(w.raw) && w.raw[n]&0xc0 == 0x80 {
		n--
	}
	w.buf = append(append(w.buf[:0], bytes.TrimRight(w.raw[:n], " ")...), kit.Ellipsis...)
	w.b.Text.ShapeBytes(&w.line, w.face.Font, w.face.Size, w.buf)
}

// Update implements render.Widget.
func (w *ticker) Update(t render.Tick) {
	changed := w.in.Update(t) || !w.loaded
	if w.src != nil {
		changed = w.src.update(t) || changed
	}
	if w.color.Update(t) {
		w.ink = w.color.Color(w.b, w.b.Role("text"))
		t.DamageAll()
	}
	if changed {
		w.loaded = true
		if w.gather(); string(w.buf) != string(w.raw) {
			w.set()
			t.DamageAll()
		}
	}
	w.run(t)
}

// run moves the text by whole pixels and calls t.Wake for the next move.
func (w *ticker) run(t render.Tick) {
	if w.loop == 0 || !t.Shown() {
		return
	}
	if w.since.IsZero() || t.Now().Before(w.since) {
		w.since = t.Now()
	}
	passed := t.Now().Sub(w.since)
	run := int(passed.Seconds() * w.speed)
	if turns := run / w.loop; turns > 0 { // count from the last repetition, so that the numbers stay small
		w.since = w.since.Add(time.Duration(float64(turns*w.loop) / w.speed * float64(time.Second)))
		run -= turns * w.loop
	}
	if run != w.offset {
		w.offset = run
		t.DamageAll()
	}
	t.Wake(w.since.Add(time.Duration(float64(run+1) / w.speed * float64(time.Second))))
}

// Paint implements render.Widget.
func (w *ticker) Paint(c render.Canvas) {
	if len(w.raw) == 0 {
		return
	}
	c = c.In(image.Rectangle{Max: w.size})
	if w.loop == 0 {
		w.line.Paint(c.Dst, c.Clip, c.Org.Add(w.at), w.ink)
		return
	}
	begin, end := w.fades()
	w.running(c, begin, w.size.X-end, w.ink)
	for i := range fadeSteps {
		ink := sheer(w.ink, uint8((2*i+1)*255/(2*fadeSteps)))
		w.running(c, begin*i/fadeSteps, begin*(i+1)/fadeSteps, ink)
		w.running(c, w.size.X-end*(i+1)/fadeSteps, w.size.X-end*i/fadeSteps, ink)
	}
}

// fadeSteps is the number of steps of the fade at the ends of a scrolling text.
const fadeSteps = 16

// fades() returns the widths of the fades on the left and on the right, in px. On a side where the text starts exactly at the edge, the
// width is 0.
func (w *ticker) fades() (left, right int) {
	most := min(2*w.face.Size, w.size.X/4)
	near := min(most, w.offset, w.loop-w.offset)
	if w.back {
		return most, near
	}
	return near, most
}

// running() paints the part of a scrolling text between the x coordinates x0 and x1. It repeats the text until this part is full.
func (w *ticker) running(c render.Canvas, x0, x1 int, ink color.RGBA) {
	c.Clip = c.Clip.Intersect(image.Rect(x0, 0, x1, w.size.Y).Add(c.Org))
	if c.Clip.Empty() {
		return
	}
	step := w.loop
	from := w.at.X - w.offset
	if w.back {
		from, step = w.at.X+w.offset, -w.loop
	}
	for x := from; x < w.size.X && x+w.loop > 0; x += step {
		w.line.Paint(c.Dst, c.Clip, c.Org.Add(image.Pt(x, w.at.Y)), ink)
	}
}

// sheer() multiplies the opacity of a color by part/255.
func sheer(c color.RGBA, part uint8) color.RGBA {
	of := func(v uint8) uint8 { return uint8((uint(v)*uint(part) + 127) / 255) }
	return color.RGBA{R: of(c.R), G: of(c.G), B: of(c.B), A: of(c.A)}
}
