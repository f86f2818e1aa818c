package arrange

import (
	"image"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/kit/piece"
)

// CardParams are the parameters of the card widget.
type CardParams struct {
	kit.Framed
	kit.Typed
	format.Wording
	// Value of the card.
	Value *config.Live[value.Plain] `yaml:"value"`
	kit.Thing
	// Shows the change in this period, such as 1h, next to the value.
	Trend value.Duration `yaml:"trend"`
	// Direction of good changes. Good changes have the color good, opposite changes the color bad.
	Better string `yaml:"better" default:"none" enum:"up,down,none"`
	// Period of the curve below the value.
	Sparkline value.Duration `yaml:"sparkline"`
	// Blur of the picture behind a translucent card. Default: the theme's blur.
	Blur *value.Length `yaml:"blur" max:"200" unit:"px"`
	// Gap between the children.
	Gap *value.Length `yaml:"gap"`
}

// Minimum and maximum height of a card's sparkline, and heights of the card, in px on a screen whose shorter side has 720 px.
const (
	sparkLeast = 24
	sparkMost  = 72
	sparkHigh  = 120  // minimum height of a card whose value leaves room for the sparkline
	sparkShare = 0.38 // this room, as a share of the height
)

// card shows a value, and child widgets below the value.
type card struct {
	figure *piece.Figure
	column *Line
	below  image.Rectangle
	size   image.Point
	past   *history.Past
	trend  *trend
	beyond *beyond         // nil if the method limit() creates no line
	spark  render.Widget   // nil without a sparkline
	curve  image.Rectangle // rectangle of the sparkline

	head     int // height of the line `beyond` in px, 0 if there is no such line
	decimals *int
}

func buildCard(b *kit.Builder, s *kit.Spec, p *CardParams, size image.Point) render.Widget {
	w := &card{size: size, decimals: p.Decimals}
	rest := image.Rectangle{Max: size}
	if p.Value != nil {
		t := p.Typed
		if len(s.Children) > 0 || p.Sparkline > 0 {
			t.VerticalAlign = "" // the value stays at the top, because the children or the sparkline are below it
		}
		w.figure = piece.NewFigure(b, s, &t, &p.Wording, kit.InputOf(b, s, p.Value, kit.PlainOf), figureBox(b, p, size), p.Empty)
		if len(s.Children) > 0 {
			rest.Min.Y = min(size.Y, w.figure.Height()+b.Px(b.Look.Sizes.Gap))
		}
		w.limit(b, p, &rest, len(s.Children) > 0)
	}
	w.remember(b, s, p, &rest)
	if len(s.Children) > 0 {
		w.below = rest
		w.column = newLine(b, s, &RowParams{Gap: p.Gap, Across: "stretch", Justify: "start"}, rest.Size(), true)
	}
	return w
}

// figureBox returns the box of the value. In a high card, it leaves room for the sparkline, so that the value does not grow into this room.
func figureBox(b *kit.Builder, p *CardParams, size image.Point) image.Rectangle {
	if p.Sparkline > 0 && size.Y >= b.Px(sparkHigh) {
		size.Y -= min(b.Px(sparkMost), int(float64(size.Y)*sparkShare))
	}
	return image.Rectangle{Max: size}
}

// limit() creates the line for a value outside a limit, such as "above 65". It creates no line on e-paper, without thresholds, if the
// file sets `vertical_align`, or if the card is too small. If the card has children, `more` is true. In this case, limit() removes the
// line's height from `rest`, the rectangle for the children.
func (w *card) limit(b *kit.Builder, p *CardParams, rest *image.Rectangle, more bool) {
	line, top := b.Face("caption").Line, w.figure.Height()
	need := top + line
	if more {
		need += b.Px(b.Look.Sizes.Gap) + line
	}
	if p.Sparkline > 0 {
		need += b.Px(sparkLeast) + b.Px(8)
	}
	if len(p.Thresholds) == 0 || p.VerticalAlign != "" || need > w.size.Y || b.Look.Ink {
		return
	}
	w.beyond = newBeyond(b, image.Rect(0, top, w.size.X, top+line))
	w.head = line
	if more {
		rest.Min.Y = min(w.size.Y, rest.Min.Y+line)
	}
}

// remember() creates the trend and the sparkline of the card's value. If the card has children, it removes the height of the sparkline
// from `rest`, the rectangle for the children.
func (w *card) remember(b *kit.Builder, s *kit.Spec, p *CardParams, rest *image.Rectangle) {
	if w.figure == nil || p.Trend <= 0 && p.Sparkline <= 0 {
		return
	}
	of, program := s.PastKey(p.Value, kit.ProgramOf(p.Value))
	w.past = b.PastOf(of, program, time.Duration(max(p.Trend, p.Sparkline)))
	b.History(s, &p.Thing, w.past)
	if p.Trend > 0 {
		w.trend = newTrend(b, p, w.past, image.Rectangle{Max: w.size})
	}
	if p.Sparkline <= 0 {
		return
	}
	box := image.Rect(0, min(w.size.Y, w.figure.Height()+w.head+b.Px(8)), w.size.X, w.size.Y)
	if len(s.Children) > 0 {
		box.Max.Y = min(box.Max.Y, box.Min.Y+b.Px(sparkMost)*2/3)
	}
	if w.curveIn(b, s, p, box); w.spark != nil && len(s.Children) > 0 {
		rest.Min.Y = min(w.size.Y, w.curve.Max.Y+b.Px(b.Look.Sizes.Gap))
	}
}

// curveIn creates the sparkline at the bottom of `box`, if there is enough room.
func (w *card) curveIn(b *kit.Builder, s *kit.Spec, p *CardParams, box image.Rectangle) {
	if box.Dy() < b.Px(sparkLeast) {
		return
	}
	box.Min.Y = max(box.Min.Y, box.Max.Y-b.Px(sparkMost))
	w.curve = box
	w.spark = b.Catalog.Sparkline(b, s, p.Value, &p.Sparkline, p.Accent, p.Thresholds, box.Size())
}

// Natural implements kit.Sized.
func (w *card) Natural(width int) image.Point {
	p := image.Point{}
	if w.figure != nil {
		p = image.Pt(w.figure.Width(), w.figure.Height())
	}
	if w.column != nil {
		c := w.column.Natural(width)
		p = image.Pt(max(p.X, c.X), p.Y+c.Y)
		if w.figure != nil {
			p.Y += w.figure.B.Px(w.figure.B.Look.Sizes.Gap)
		}
	}
	return p
}

// Update implements render.Widget.
func (w *card) Update(t render.Tick) {
	if w.figure != nil {
		w.figure.Update(t)
	}
	if w.past != nil {
		recalls := w.past.Recalls
		w.past.Recall(t)
		w.past.Follow(&w.figure.In)
		if w.trend != nil && w.past.Recalls != recalls {
			w.trend.due = time.Time{}
		}
	}
	if w.trend != nil {
		w.trend.update(t, &w.figure.In, w.decimals)
	}
	if w.beyond != nil {
		w.beyond.update(t, w.figure, w.past)
	}
	if w.spark != nil {
		w.spark.Update(t.In(w.curve))
	}
	if w.column != nil {
		w.column.Update(t.In(w.below))
	}
}

// Paint implements render.Widget.
func (w *card) Paint(c render.Canvas) {
	if w.figure != nil {
		w.figure.Paint(c)
	}
	if w.trend != nil {
		w.trend.paint(c, w.figure.Painted())
	}
	if w.beyond != nil {
		w.beyond.text.Paint(c, w.beyond.b.Role("muted"))
	}
	if w.spark != nil && c.Sees(w.curve) {
		w.spark.Paint(c.In(w.curve))
	}
	if w.column != nil && c.Sees(w.below) {
		w.column.Paint(c.In(w.below))
	}
}

// State implements kit.Stated.
func (w *card) State() kit.State {
	if w.figure == nil {
		return kit.State{}
	}
	return w.figure.State()
}

// HasHead implements kit.Stated.
func (w *card) HasHead() {
	if w.figure != nil {
		w.figure.Headed = true
		w.figure.Say(time.Time{})
	}
}

// Painted implements kit.Stated.
func (w *card) Painted() (value, below image.Rectangle) {
	below = w.curve.Union(w.below)
	if w.figure == nil {
		return value, below
	}
	value = w.figure.Painted()
	if w.trend != nil && !w.trend.text.Ink.Empty() {
		value = value.Union(w.trend.box())
	}
	if w.beyond != nil {
		below = below.Union(w.beyond.text.Ink)
	}
	return value, below
}

// FromEntity implements kit.Entitled.
func (p *CardParams) FromEntity() {
	p.FillValue(&p.Value, &p.Wording)
	p.FillFrame(&p.Framed)
}

// Reach implements kit.Holder.
func (w *card) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return w.column != nil && p.In(w.below) && each(w.column, p.Sub(w.below.Min))
}

// Urgency implements kit.Urgent. A value in the color "bad" is urgent.
func (w *card) Urgency(time.Time) float64 {
	if w.figure == nil {
		return 0
	}
	return w.figure.B.UrgencyOfValue(&w.figure.Said)
}
