package widgets

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/axis"
)

// ChartParams are the parameters of the chart widget.
type ChartParams struct {
	Framed
	Typed
	Wording
	SeriesKeys
	Series  *config.Live[[]SeriesParams] `yaml:"series" doc:"What is drawn; the keys of one series may stand on the chart itself. A program gives a list of {text, values, kind, color}."`
	History *value.Duration              `yaml:"history" doc:"How much of a value's past is shown; 24h without it."`
	Labels  *config.Live[value.Words]    `yaml:"labels" doc:"Names of the points, instead of times."`
	Min     *config.Live[float64]        `yaml:"min" doc:"Where the axis of values begins; by the data without it."`
	Max     *config.Live[float64]        `yaml:"max" doc:"Where it ends."`
	Stacked bool                         `yaml:"stacked" default:"false" doc:"Areas and bars stand on each other."`
	Smooth  bool                         `yaml:"smooth" default:"true" doc:"Curves instead of straight lines; they never go beyond the numbers."`
	Bucket  value.Duration               `yaml:"bucket" doc:"One point for so long."`
	Combine string                       `yaml:"combine" default:"mean" enum:"mean,min,max,last,sum,change" doc:"How the numbers of a bucket become one."`
	Axes    string                       `yaml:"axes" default:"both" enum:"both,left,bottom,none" doc:"Which axes are written."`
	Legend  *bool                        `yaml:"legend" doc:"Whether the series are named above; with two or more without it."`
	Marks   *value.Words                 `yaml:"marks" doc:"Which points are marked: min, max, last, or none; last without it."`
	Bands   []Band                       `yaml:"bands" doc:"Ranges of values with a color behind them."`
	Now     *bool                        `yaml:"now" doc:"Whether the present is marked; where the data has a future without it."`
}

// SeriesKeys are the keys that a series and a chart with one series share.
type SeriesKeys struct {
	Value  *config.Live[value.Plain] `yaml:"value" doc:"A number whose past is shown."`
	Values *config.Live[Points]      `yaml:"values" doc:"Numbers, [time, number] or {at, value}; null is a gap."`
	Thing
	Text *config.Live[string] `yaml:"text" doc:"Name of the series."`
	Form string               `yaml:"kind" enum:"line,area,bar,step,points" doc:"How it is drawn; line without it."`
	Axis string               `yaml:"axis" default:"left" enum:"left,right" doc:"Which axis of values it has."`
}

// SeriesParams is one series of a chart.
type SeriesParams struct {
	SeriesKeys
	Color *config.Live[theme.RoleColor] `yaml:"color" doc:"Color of the series; those of the theme in turn without it."`
}

// Band is a range of values with a color behind it.
type Band struct {
	From  float64          `yaml:"from" required:"true" doc:"Where it begins."`
	To    float64          `yaml:"to" required:"true" doc:"Where it ends."`
	Color *theme.RoleColor `yaml:"color" doc:"Its color."`
	Text  string           `yaml:"text" doc:"Its name."`
}

// Points is a list of numbers as it is written in a file.
type Points struct{ List []any }

// TypeName says how the reference calls this type.
func (*Points) TypeName() string { return "list of numbers" }

// JSONSchema implements config.Describer.
func (*Points) JSONSchema() map[string]any { return map[string]any{"type": "array"} }

// SetNode implements config.NodeSetter.
func (p *Points) SetNode(n *config.Node, c *config.Context) error {
	list, ok := n.Value().([]any)
	if !ok {
		c.Errorf(n, "must be a list of numbers, [time, number] or {at, value}, not %s", n.Shown())
		return nil
	}
	p.List = list
	return nil
}

func listOf(p Points) any { return p.List }

// usualHistory is how much of a value's past is shown where nothing is said.
const usualHistory = 24 * time.Hour

// chart is series of numbers over time, or over names.
type chart struct {
	b    *Builder
	size image.Point
	p    *ChartParams
	word *wording
	span time.Duration // of histories; 0 is none

	list                     input // of series, from data
	listed                   bool
	bare                     bool // a curve alone, between the ends of its data
	min, max, labels, unit   input
	series                   []*series
	names                    []string
	limits                   []Range
	marks                    struct{ min, max, last bool }
	plot                     image.Rectangle
	x                        ends
	sides                    [2]side // left, right
	timed, future, named     bool
	slot                     float64 // what one point takes of the x axis; 0 for lines
	now                      float64
	due                      time.Time
	drawn                    bool
	bottom, words            []*caption
	shownBottom              int
	legend                   []*caption
	empty                    *caption
	ground, grid, ink, muted color.RGBA
}

// ends are those of the axis of times or places.
type ends struct{ from, to float64 }

// side is one axis of values.
type side struct {
	scale axis.Scale
	ticks []float64
	texts []*caption
	used  bool
	ok    bool
}

func buildChart(b *Builder, s *Spec, p *ChartParams, size image.Point) render.Widget {
	return b.chart(s, p, size)
}

func (b *Builder) chart(s *Spec, p *ChartParams, size image.Point) *chart {
	w := &chart{
		b: b, size: size, p: p, word: b.wording(s, &p.Wording), unit: inputOf(b, s, p.Unit, anyOf[string]),
		min: inputOf(b, s, p.Min, anyOf[float64]), max: inputOf(b, s, p.Max, anyOf[float64]),
		labels: inputOf(b, s, p.Labels, func(v value.Words) any { return anyList(v) }),
		grid:   b.role("line"), ink: b.role("text"), muted: b.role("muted"), ground: b.role("background"), span: usualHistory,
	}
	if b.within.card {
		w.ground = b.role("surface")
	}
	if p.History != nil {
		w.span = time.Duration(*p.History)
	}
	w.mark(s)
	w.limits = b.limits(p.Thresholds)
	w.addSeries(s)
	w.empty = b.caption(b.face("body"), image.Rectangle{Max: size}, edgeCenter)
	return w
}

func anyList(words []string) []any {
	list := make([]any, len(words))
	for i, s := range words {
		list[i] = s
	}
	return list
}

// mark reads which points are marked.
func (w *chart) mark(s *Spec) {
	if w.p.Marks == nil {
		w.marks.last = true
		return
	}
	for _, word := range *w.p.Marks {
		switch word {
		case "min":
			w.marks.min = true
		case "max":
			w.marks.max = true
		case "last":
			w.marks.last = true
		case "none":
		default:
			s.Errorf("marks", "there is no mark '%s'; there are min, max, last and none", word)
		}
	}
}

// limits are thresholds that have a color each: bad where none is written.
func (b *Builder) limits(ranges []Range) []Range {
	all := append([]Range(nil), ranges...)
	for i := range all {
		if all[i].Color == nil {
			all[i].Color = &theme.RoleColor{Color: theme.Color{NRGBA: b.Look.Colors["bad"]}}
		}
	}
	return all
}

// addSeries makes the series that the file names.
func (w *chart) addSeries(s *Spec) {
	p := w.p
	switch {
	case p.Series != nil && p.Series.IsLive():
		w.list, w.listed = input{cell: w.b.cellOf(s, p.Series.Program)}, true
	case p.Series != nil:
		if len(p.Series.Plain) > maxSeries {
			s.Warnf("series", "a chart has at most %d series", maxSeries)
		}
		for i := range p.Series.Plain[:min(len(p.Series.Plain), maxSeries)] {
			one := &p.Series.Plain[i]
			w.series = append(w.series, w.newSeries(s, &one.SeriesKeys, one.Color))
		}
	case p.Value != nil || p.Values != nil || p.Entity != nil:
		w.series = append(w.series, w.newSeries(s, &p.SeriesKeys, p.Color))
	default:
		s.Errorf("", "a chart needs series, values or a value")
	}
}

// natural implements sized.
func (w *chart) natural(width int) image.Point { return image.Pt(width, width*9/16) }

// Update implements render.Widget.
func (w *chart) Update(t render.Tick) {
	changed := false
	for _, in := range [...]*input{&w.min, &w.max, &w.labels, &w.unit} {
		changed = in.update(t) || changed
	}
	if w.listed && w.list.update(t) {
		w.takeSeries()
		changed = true
	}
	for _, s := range w.series {
		changed = s.update(t) || changed
	}
	if now := t.Now(); changed || !w.drawn || w.moves() && !now.Before(w.due) {
		w.draw(now)
		w.drawn = true
		w.due = now.Add(w.pace())
		t.DamageAll()
	}
	if w.moves() {
		t.Wake(w.due)
	}
}

// moves reports whether time alone changes the picture.
func (w *chart) moves() bool {
	if w.future {
		return true
	}
	for _, s := range w.series {
		if s.past != nil && len(s.past.data) > 0 {
			return true
		}
	}
	return false
}

// pace is how long the present takes to move by a pixel.
func (w *chart) pace() time.Duration {
	seconds := (w.x.to - w.x.from) / math.Max(1, float64(w.plot.Dx()))
	return time.Duration(min(max(seconds, 1), 3600) * float64(time.Second))
}

// takeSeries makes the series of a list that a program gives.
func (w *chart) takeSeries() {
	v, _ := w.list.value()
	list, _ := v.([]any)
	if len(list) > 0 {
		if _, ok := list[0].(map[string]any); !ok { // the points of one
			list = []any{map[string]any{"values": v}}
		} else if m := list[0].(map[string]any); m["values"] == nil && m["value"] != nil {
			list = []any{map[string]any{"values": v}}
		}
	}
	list = list[:min(len(list), maxSeries)]
	for len(w.series) < len(list) {
		w.series = append(w.series, &series{c: w, smooth: w.p.Smooth})
	}
	w.series = w.series[:len(list)]
	for i, entry := range list {
		m, _ := entry.(map[string]any)
		w.series[i].take(m, i)
	}
}

// gather reads what all series show now, and what the axes are of.
func (w *chart) gather(now time.Time) (some bool) {
	w.now, w.timed, w.future, w.slot = seconds(now), false, false, 0
	w.names = w.names[:0]
	if v, ok := w.labels.value(); ok {
		list, _ := v.([]any)
		for _, name := range list[:min(len(list), maxPoints)] {
			w.names = append(w.names, short(plainText(name)))
		}
	}
	w.named = len(w.names) > 0
	for i, s := range w.series {
		s.gather(i)
		w.timed = w.timed || s.timed
		for _, d := range s.points {
			some = some || !d.gap()
		}
	}
	w.timed = w.timed && !w.named
	w.domain()
	return some
}

// domain finds the ends of the axis of times.
func (w *chart) domain() {
	lo, hi, near := math.Inf(1), math.Inf(-1), math.Inf(1)
	bars := w.named
	for _, s := range w.series {
		bars = bars || s.kind == "bar"
		for i, d := range s.points {
			lo, hi = min(lo, d.at), max(hi, d.at)
			if i > 0 && d.at > s.points[i-1].at {
				near = min(near, d.at-s.points[i-1].at)
			}
		}
		if s.past != nil {
			lo, hi = min(lo, w.now-w.span.Seconds()), max(hi, w.now)
		}
	}
	if w.named {
		lo, hi, near = 0, float64(len(w.names)-1), 1
	}
	if bars && !math.IsInf(lo, 0) {
		if w.p.Bucket > 0 && w.timed {
			near = time.Duration(w.p.Bucket).Seconds()
		}
		if math.IsInf(near, 0) {
			near = 1
		}
		w.slot = near
		lo, hi = lo-near/2, hi+near/2
	}
	if !(hi > lo) {
		lo, hi = lo-0.5, lo+0.5
	}
	w.x = ends{lo, hi}
	w.future = w.timed && hi > w.now && lo < w.now && w.slot == 0
}

// values finds the ends and the ticks of an axis of values.
func (w *chart) values(i, want int) {
	side := &w.sides[i]
	side.used = false
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range w.series {
		if s.side != i {
			continue
		}
		for _, v := range s.tops {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo, hi, side.used = min(lo, v), max(hi, v), true
			}
		}
		if side.used && !w.bare && (s.kind == "bar" || s.kind == "area") {
			lo, hi = min(lo, 0), max(hi, 0)
		}
	}
	if i == 0 {
		lo, hi = w.reach(lo, hi)
	}
	fixedLo, fixedHi := w.bare, w.bare
	if v, ok := w.min.number(); ok && i == 0 {
		lo, fixedLo = v, true
	}
	if v, ok := w.max.number(); ok && i == 0 {
		hi, fixedHi = v, true
	}
	if lo > hi { // an end that is written lies beyond all data
		if fixedLo {
			hi = lo
		} else {
			lo = hi
		}
	}
	side.scale, side.ticks, side.ok = axis.Nice(lo, hi, fixedLo, fixedHi, want)
}

// reach brings limits into view that are near the data.
func (w *chart) reach(lo, hi float64) (float64, float64) {
	room := (hi - lo) / 2
	for _, l := range w.limits {
		for _, bound := range []*float64{l.Above, l.Below} {
			if bound != nil && *bound > hi && *bound <= hi+room {
				hi = *bound
			} else if bound != nil && *bound < lo && *bound >= lo-room {
				lo = *bound
			}
		}
	}
	return lo, hi
}

// words for a chart with nothing in it.
func (w *chart) nothing() string {
	if w.p.Empty != "" {
		return w.p.Empty
	}
	for _, s := range w.series {
		if s.in.cell == nil || s.in.seen != nil && s.in.seen.Has() {
			return w.b.Locale.Say(locale.NoData)
		}
	}
	if w.listed && w.list.seen != nil && w.list.seen.Has() {
		return w.b.Locale.Say(locale.NoData)
	}
	return "—"
}
