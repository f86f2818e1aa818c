package client

import (
	"image"
	"math"
	"strconv"

	"dashboard/render"
	"dashboard/render/damage"
	"dashboard/render/text"
)

// Lengths of the latency panel. They are the same as in the dashboard program Grydgets.
const (
	panelText     = 16.0 / 1080 // size of the text relative to the screen's shorter side
	minPanelText  = 10
	panelPadding  = 0.4 // relative to the height of a line
	panelRounding = 0.5 // relative to the padding
)

const (
	// unknownLatency is shown if the service does not send the time of publication.
	unknownLatency = "latency: no timestamp from server"
	// widestFigure is the text whose width is reserved for a duration, so that the panel does not change its size from frame to frame.
	widestFigure = "00000 ms"
)

// A panel shows the latency of the newest frame, with names on the left and durations on the right.
type panel struct {
	fonts   *text.Cache
	size    int // size of the text in px
	height  int // height of a line in px
	padding int // in px
	column  int // width of the column with durations, in px
	round   *render.Corner

	at   image.Rectangle // rectangle of the panel, or empty before the first frame
	rows [maxFigures]struct{ name, value line }
	n    int // number of rows in use
	buf  []byte
}

func newPanel(screen image.Point, fonts *text.Cache) *panel {
	p := &panel{fonts: fonts, size: max(minPanelText, round(panelText*float64(min(screen.X, screen.Y))))}
	p.height = text.Default().Metrics(p.size).Height
	p.padding = round(panelPadding * float64(p.height))
	p.round = render.NewCorner(round(panelRounding*float64(p.padding)), screen)
	m := margin(screen)
	p.at.Min = image.Pt(m, m)
	p.column = p.shape(&p.rows[0].value, []byte(widestFigure))
	return p
}

// shape() shapes a text and returns its width.
func (p *panel) shape(l *line, s []byte) int {
	p.fonts.ShapeBytes(&l.text, text.Default(), p.size, s)
	return l.text.Width()
}

// update shows the durations of l, and adds the changed rectangles to the list `changed`.
func (p *panel) update(l *latency, changed *damage.List) {
	changed.Add(p.at)
	var parts [maxFigures]figure
	figures := l.figures(parts[:0])
	names, column := 0, p.column
	for i, f := range figures {
		p.buf = append(p.buf[:0], f.name...)
		names = max(names, p.shape(&p.rows[i].name, p.buf))
		p.buf = strconv.AppendFloat(p.buf[:0], math.RoundToEven(milliseconds(f.time)), 'f', 0, 64)
		column = max(column, p.shape(&p.rows[i].value, append(p.buf, " ms"...)))
	}
	p.n = len(figures)
	if p.n == 0 {
		p.buf = append(p.buf[:0], unknownLatency...)
		names, column = p.shape(&p.rows[0].name, p.buf), 0
		p.shape(&p.rows[0].value, nil)
		p.n = 1
	}
	p.layout(names, column)
	changed.Add(p.at)
}

// layout() computes the positions of the rows. `names` and `column` are the widths of the two columns.
func (p *panel) layout(names, column int) {
	size := image.Pt(names+column+2*p.padding, p.n*p.height+2*p.padding)
	if column > 0 {
		size.X += p.size // space between the columns
	}
	p.at.Max = p.at.Min.Add(size)
	ascent := text.Default().Metrics(p.size).Ascent
	for i := range p.rows[:p.n] {
		base := p.at.Min.Y + p.padding + i*p.height + ascent
		p.rows[i].name.base = image.Pt(p.at.Min.X+p.padding, base)
		p.rows[i].value.base = image.Pt(p.at.Max.X-p.padding-p.rows[i].value.text.Width(), base)
	}
}

func (p *panel) paint(c render.Canvas) {
	if !c.Sees(p.at) {
		return
	}
	c.FillRound(p.at, p.round, panelBlack)
	for i := range p.rows[:p.n] {
		p.rows[i].name.paint(c)
		p.rows[i].value.paint(c)
	}
}
