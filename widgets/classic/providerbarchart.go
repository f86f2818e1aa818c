package classic

import (
	"cmp"
	"image"
	"image/color"
	"math"

	"dashboard/internal/stable"
	"dashboard/provider"
	"dashboard/provider/query"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme"
	"dashboard/widgets/kit"
)

// BarChartParams are the parameters of the providerbarchart widget.
type BarChartParams struct {
	Source
	// Color of the bars.
	BarColor theme.Color `yaml:"bar_color" default:"[100, 149, 237]"`
	// Colors of bars by label. They override bar_color_thresholds.
	BarColors map[string]theme.Color `yaml:"bar_colors"`
	// Colors by value. A bar has the color of the highest threshold that its value reaches.
	BarColorThresholds []Threshold `yaml:"bar_color_thresholds"`
	// Colors of the column behind a bar, by label.
	BarBackgroundColors map[string]theme.Color `yaml:"bar_background_colors"`
	// Gap between bars.
	BarGap int `yaml:"bar_gap" default:"2" min:"0" unit:"px"`
	// Value at the top of the chart. Default: the largest value.
	MaxValue *float64 `yaml:"max_value"`
	// Value at the bottom of the chart, where bars start. Default: bars start at zero, and negative bars extend down.
	MinValue *float64 `yaml:"min_value"`
	// Draws a line at half the height, behind the bars.
	Midline bool `yaml:"midline" default:"false"`
	// Thickness of the line.
	MidlineThickness int `yaml:"midline_thickness" default:"1" min:"0" unit:"px"`
	// Color of the line.
	MidlineColor theme.Color `yaml:"midline_color" default:"white"`
	// Draws lines at 25% and 75% of the height, behind the bars.
	Quartline bool `yaml:"quartline" default:"false"`
	// Thickness of the lines.
	QuartlineThickness int `yaml:"quartline_thickness" default:"1" min:"0" unit:"px"`
	// Color of the lines.
	QuartlineColor theme.Color `yaml:"quartline_color" default:"white"`
	// Path to a list of labels, in the order of the bars. A label that would overlap the previous one is left out.
	LabelsDataPath string `yaml:"labels_data_path"`
	// jq program that returns a list of labels, applied after labels_data_path.
	LabelsJQExpression string `yaml:"labels_jq_expression"`
	// Font file of the labels. Default: the built-in bold font.
	LabelFontPath string `yaml:"label_font_path"`
	// Size of the labels. graphics.text-scale does not change this size.
	LabelSize int `yaml:"label_size" default:"12" min:"1" unit:"px"`
	// Color of the labels.
	LabelColor theme.Color `yaml:"label_color" default:"[200, 200, 200]"`
	// Text before the first values.
	FallbackText string `yaml:"fallback_text" default:"--"`
	Dimming
	kit.Backdrop
}

// Threshold is the color of values that are at least Above.
type Threshold struct {
	// Value from which bars have this color.
	Above float64 `yaml:"above" required:"true" numeric:"string"`
	// Color of these bars.
	Color theme.Color `yaml:"color" required:"true"`
}

const (
	// labelGap is the gap between bars and labels, in px.
	labelGap = 2
	// labelApart is a divisor. The minimum distance between two labels is their height divided by labelApart. A label that is closer to the
	// previous label is left out, because overlapping labels are unreadable.
	labelApart = 5
)

// barChart shows a list of numbers as bars.
type barChart struct {
	p       *BarChartParams
	size    image.Point
	value   provider.Typed[*query.Numbers]
	text    *text.Cache
	font    *text.Font
	plate   kit.Plate
	stencil *render.Stencil
	nothing *kit.Words // text shown if there is no chart
	label   color.RGBA

	seen   *provider.Sample // sample that the chart shows
	stale  bool
	shown  *query.Numbers
	height int   // height of the area for the bars, in px
	bars   []bar // bars, with a capacity of one bar for each column of pixels
}

// bar is one bar of the chart.
type bar struct {
	column, rect image.Rectangle // the column over the full height, and the bar inside it
	behind, fill color.RGBA
	line         text.Line       // label text
	labelAt      image.Point     // start of the label's baseline
	ink          image.Rectangle // rectangle around the label's letters, empty if the bar shows no label
}

func buildBarChart(b *kit.Builder, s *kit.Spec, p *BarChartParams, size image.Point) render.Widget {
	v, one := p.value(s)
	value, ok := b.Sources.Series(s.Asker(), query.Series{Value: v, Most: size.X, Labels: query.Pick{
		Path: p.LabelsDataPath, JQ: p.LabelsJQExpression, PathKey: "labels_data_path", JQKey: "labels_jq_expression",
	}})
	font := b.Font(s, "label_font_path", p.LabelFontPath)
	if !one || !ok {
		return nil
	}
	stable.Sort(p.BarColorThresholds, func(a, b Threshold) int { return cmp.Compare(b.Above, a.Above) })
	w := &barChart{
		p: p, size: size, value: value, text: b.Text, font: font, label: kit.Rgba(&p.LabelColor),
		plate:   kit.NewPlate(p.BackgroundColor, 0, image.Rectangle{Max: size}),
		stencil: render.NewStencil(p.CornerRadius, size),
		nothing: b.Words(s, size, kit.Lettering{FontPath: p.LabelFontPath, TextSize: float64(2 * p.LabelSize), Color: p.LabelColor},
			kit.Placement{Padding: 0, Align: "center", Vertical: "center"}, kit.Backdrop{}),
	}
	w.bars = make([]bar, 0, size.X)
	return w
}

// Update implements render.Widget.
func (w *barChart) Update(t render.Tick) {
	s := kit.SampleOf(t, w.value.Cell)
	stale := kit.IsStale(t, s)
	if s == w.seen && stale == w.stale {
		return
	}
	first := w.seen == nil
	w.seen = s
	values, _ := w.value.Value(s)
	if !first && values == w.shown && stale == w.stale {
		return
	}
	w.shown, w.stale = values, stale
	w.arrange()
	if values == nil {
		w.nothing.Set(t, w.p.FallbackText)
	}
	t.DamageAll()
}

// arrange computes the bars for the current values.
func (w *barChart) arrange() {
	w.bars = w.bars[:0]
	w.height = w.size.Y
	if w.shown == nil {
		return
	}
	if len(w.shown.Labels) > 0 {
		w.height = max(0, w.size.Y-labelGap-w.font.Metrics(w.p.LabelSize).Height)
	}
	n := w.shown.Count
	end := math.MinInt // right end of the previous label
	wide := max(1, (float64(w.size.X)-float64(w.p.BarGap)*float64(n-1))/float64(n))
	for i, v := range w.shown.Values {
		x := int(float64(i) * (wide + float64(w.p.BarGap)))
		if x >= w.size.X {
			break
		}
		w.bars = w.bars[:i+1] // reslice, so that each bar keeps its text buffer
		b := &w.bars[i]
		w.place(b, i, v, x, max(1, int(wide)))
		if !b.ink.Empty() && b.ink.Min.X < end {
			b.ink = image.Rectangle{}
		}
		if !b.ink.Empty() {
			end = b.ink.Max.X + b.ink.Dy()/labelApart
		}
	}
}

// place() computes the bar of the i-th value v. The bar starts at x and has the given width, in px.
func (w *barChart) place(b *bar, i int, v float64, x, width int) {
	b.column = image.Rect(x, 0, x+width, w.height)
	b.rect = b.column
	b.rect.Min.Y, b.rect.Max.Y = w.extent(v)
	b.fill, b.behind, b.ink = w.colorOf("", v), color.RGBA{}, image.Rectangle{}
	if i < len(w.shown.Labels) {
		label := w.shown.Labels[i]
		b.fill = w.colorOf(label, v)
		if c, ok := w.p.BarBackgroundColors[label]; ok {
			b.behind = kit.Rgba(&c)
		}
		w.text.Shape(&b.line, w.font, w.p.LabelSize, label)
		at := min(x+(width-b.line.Width())>>1, w.size.X-b.line.Width()) // keep the whole label inside the widget, if it is narrow enough
		b.labelAt = image.Pt(max(at, 0), w.height+labelGap+w.font.Metrics(w.p.LabelSize).Ascent)
		b.ink = b.line.Ink().Add(b.labelAt)
	}
	if w.stale {
		b.fill = w.p.Dimming.of(b.fill)
	}
}

// extent() returns the top and the bottom of the bar for a value, in px. The bar starts at the configured minimum. Without a minimum, it
// starts at zero, and the bar of a negative value extends down.
func (w *barChart) extent(v float64) (top, bottom int) {
	base := 0.0
	if w.p.MinValue != nil {
		base = *w.p.MinValue
	}
	if math.IsNaN(v) { // a gap has no height
		v = base
	}
	y, at := w.height-w.share(v), w.height-w.share(base)
	return min(y, at), max(y, at)
}

// scale() returns the values at the bottom and at the top of the chart.
func (w *barChart) scale() (least, most float64) {
	least, most = min(0, w.shown.Min), max(0, w.shown.Max)
	if math.IsNaN(w.shown.Max) {
		least, most = 0, 0
	}
	if w.p.MinValue != nil {
		least, most = *w.p.MinValue, w.shown.Max
	}
	if w.p.MaxValue != nil {
		most = *w.p.MaxValue
	}
	return least, most
}

// share() returns the distance of a value from the bottom of the chart, in px. For a gap, it returns 0.
func (w *barChart) share(v float64) int {
	least, most := w.scale()
	span := most - least
	if !(span > 0) {
		span = 1
	}
	v = max(least, min(v, most))
	share := (v - least) / span
	if math.IsNaN(share) { // v is a gap, or all values are infinite
		return 0
	}
	return int(min(share, 1) * float64(w.height))
}

// colorOf returns the color of a bar with the given label and value.
func (w *barChart) colorOf(label string, v float64) color.RGBA {
	if c, ok := w.p.BarColors[label]; ok && label != "" {
		return kit.Rgba(&c)
	}
	for i := range w.p.BarColorThresholds {
		if t := &w.p.BarColorThresholds[i]; v >= t.Above {
			return kit.Rgba(&t.Color)
		}
	}
	return kit.Rgba(&w.p.BarColor)
}

// Paint implements render.Widget.
func (w *barChart) Paint(c render.Canvas) {
	w.stencil.Save(c)
	w.plate.Paint(c)
	if w.shown == nil {
		w.nothing.Draw(c)
	} else {
		w.paint(c)
	}
	w.stencil.Restore(c)
}

func (w *barChart) paint(c render.Canvas) {
	if w.p.Quartline {
		w.line(c, w.height/4, w.p.QuartlineThickness, &w.p.QuartlineColor)
		w.line(c, w.height*3/4, w.p.QuartlineThickness, &w.p.QuartlineColor)
	}
	if w.p.Midline {
		w.line(c, w.height/2, w.p.MidlineThickness, &w.p.MidlineColor)
	}
	cell := c.In(image.Rectangle{Max: w.size})
	for i := range w.bars {
		b := &w.bars[i]
		cell.Fill(b.column, b.behind)
		cell.Fill(b.rect, b.fill)
		if cell.Sees(b.ink) {
			b.line.Paint(cell.Dst, cell.Clip, cell.Org.Add(b.labelAt), w.label)
		}
	}
}

// line() draws a horizontal line across the chart, centered at y.
func (w *barChart) line(c render.Canvas, y, thickness int, col *theme.Color) {
	y -= thickness / 2
	c.Fill(image.Rect(0, y, w.size.X, y+thickness).Intersect(image.Rectangle{Max: w.size}), kit.Rgba(col))
}
