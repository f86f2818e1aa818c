package chart

import (
	"image"
	"image/color"
	"math"
	"time"

	"dashboard/config/value"
	"dashboard/internal/locale"
	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/format"
	"dashboard/widgets/kit/history"
)

// usualHistory is the period of a value's past that a chart shows by default.
const usualHistory = 24 * time.Hour

// chart shows series of numbers. The positions on the x axis are times or names.
type chart struct {
	b    *kit.Builder
	size image.Point
	p    *ChartParams
	word *format.Formatter
	span time.Duration // period of the past to show, for series that record a value

	list                     kit.Input // list of series that a program computes
	listed                   bool
	flush                    bool // true if no axis labels are at the side where lines of text start. The plot then starts at this side
	bare                     bool // true for a curve without axes that fills the whole rectangle
	min, max, labels, unit   kit.Input
	series                   []*series
	names                    []string
	limits                   []format.Range
	marks                    struct{ min, max, last bool }
	plot                     image.Rectangle
	x                        ends
	sides                    [2]side // left and right value axis
	timed, future, named     bool
	slot                     float64 // width of a point's slot on the x axis, 0 for lines
	now                      float64
	due                      time.Time
	drawn                    bool
	redrawn                  bool // true if the last update has drawn the chart again
	bottom, words            []*kit.Caption
	shownBottom              int
	legend                   []*kit.Caption
	empty                    *kit.Caption
	large                    bool         // true if the last number is shown in large text next to the chart or above it
	latest                   *kit.Caption // caption with the last number, used if there is no room for axes
	ground, grid, ink, muted color.RGBA
}

func buildChart(b *kit.Builder, s *kit.Spec, p *ChartParams, size image.Point) render.Widget {
	return withHero(b, s, p, size)
}

func newChart(b *kit.Builder, s *kit.Spec, p *ChartParams, size image.Point) *chart {
	w := &chart{
		b: b, size: size, p: p, word: b.Formatter(s, &p.Wording), unit: kit.InputOf(b, s, p.Unit, kit.AnyOf[string]),
		min: kit.InputOf(b, s, p.Min, kit.AnyOf[float64]), max: kit.InputOf(b, s, p.Max, kit.AnyOf[float64]),
		labels: kit.InputOf(b, s, p.Labels, func(v value.Words) any { return anyList(v) }),
		grid:   b.Role("line"), ink: b.Role("text"), muted: b.Role("muted"), ground: b.Role("background"), span: usualHistory,
	}
	if b.Within.Card {
		w.ground = b.Role("surface")
	}
	if p.History != nil {
		w.span = time.Duration(*p.History)
	}
	w.mark(s)
	w.limits = limits(b, p.Thresholds)
	w.addSeries(s)
	w.empty = b.Caption(b.Face("body"), image.Rectangle{Max: size}, kit.EdgeCenter)
	return w
}

func anyList(words []string) []any {
	list := make([]any, len(words))
	for i, s := range words {
		list[i] = s
	}
	return list
}

// mark() reads the parameter `marks`: the points at which the chart draws a mark.
func (w *chart) mark(s *kit.Spec) {
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

// limits() returns the ranges as thresholds. A range without a color gets the color "bad".
func limits(b *kit.Builder, ranges []format.Range) []format.Range {
	all := append([]format.Range(nil), ranges...)
	for i := range all {
		if all[i].Color == nil {
			all[i].Color = &theme.RoleColor{Color: theme.Color{NRGBA: b.Look.Colors["bad"]}, Role: "bad"}
		}
	}
	return all
}

// addSeries creates the series that the file configures.
func (w *chart) addSeries(s *kit.Spec) {
	p := w.p
	switch {
	case p.Series != nil && p.Series.IsLive():
		w.list, w.listed = kit.Input{Cell: w.b.CellOf(s, p.Series.Program)}, true
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

// Natural implements kit.Sized.
func (w *chart) Natural(width int) image.Point { return image.Pt(width, width*9/16) }

// Update implements render.Widget.
func (w *chart) Update(t render.Tick) {
	changed := false
	for _, in := range [...]*kit.Input{&w.min, &w.max, &w.labels, &w.unit} {
		changed = in.Update(t) || changed
	}
	if w.listed && w.list.Update(t) {
		w.takeSeries()
		changed = true
	}
	for _, s := range w.series {
		changed = s.update(t) || changed
	}
	now := t.Now()
	if w.redrawn = changed || !w.drawn || w.moves() && !now.Before(w.due); w.redrawn {
		w.draw(now)
		w.drawn = true
		w.due = now.Add(w.pace())
		t.DamageAll()
	}
	if w.moves() {
		t.Wake(w.due)
	}
}

// moves() reports whether the chart changes with time, even if no value changes.
func (w *chart) moves() bool {
	if w.future || w.endsNow() {
		return true
	}
	for _, s := range w.series {
		if s.past != nil && len(s.past.Data) > 0 {
			return true
		}
	}
	return false
}

// pace() returns the period that one pixel of the x axis represents. After this period, the chart is drawn again. The result is at least
// one second and at most one hour.
func (w *chart) pace() time.Duration {
	seconds := (w.x.to - w.x.from) / math.Max(1, float64(w.plot.Dx()))
	return time.Duration(min(max(seconds, 1), 3600) * float64(time.Second))
}

// takeSeries creates the series from the list that a program returned.
func (w *chart) takeSeries() {
	v, _ := w.list.Value()
	list, _ := v.([]any)
	if len(list) > 0 {
		if _, ok := list[0].(map[string]any); !ok { // the list contains the points of a single series
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

// maxName is the maximum length in bytes of a name below the plot. Longer names are cut before they are measured, because there may be
// thousands of names.
const maxName = 64

// gather reads the current values of all series and computes the range of the x axis. It reports whether there are values to show.
func (w *chart) gather(now time.Time) (some bool) {
	w.now, w.timed, w.future, w.slot = history.Seconds(now), false, false, 0
	w.names = w.names[:0]
	if v, ok := w.labels.Value(); ok {
		list, _ := v.([]any)
		for _, name := range list[:min(len(list), maxPoints)] {
			w.names = append(w.names, format.ShortTo(format.PlainText(name), maxName))
		}
	}
	w.named = len(w.names) > 0
	for i, s := range w.series {
		s.gather(i)
		w.timed = w.timed || s.timed
		for _, d := range s.points {
			some = some || !d.Gap()
		}
	}
	w.timed = w.timed && !w.named
	w.domain()
	return some
}

// nothing() returns the text for a chart without data.
func (w *chart) nothing() string {
	if w.p.Empty != "" {
		return w.p.Empty
	}
	for _, s := range w.series {
		if s.in.Cell == nil || s.in.Seen != nil && s.in.Seen.Has() {
			return w.b.Locale.Say(locale.NoData)
		}
	}
	if w.listed && w.list.Seen != nil && w.list.Seen.Has() {
		return w.b.Locale.Say(locale.NoData)
	}
	return "—"
}
