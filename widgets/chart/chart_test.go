package chart

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/history"
	"dashboard/widgets/walltest"
)

func TestReadPoints(t *testing.T) {
	e := walltest.TestEnv()
	for _, tc := range []struct {
		name  string
		in    any
		want  string
		timed bool
	}{
		{"numbers", []any{1.0, nil, 3.0}, "[{0 1} {1 NaN} {2 3}]", false},
		{"text that is a number", []any{"1.5"}, "[{0 1.5}]", false},
		{"pairs, the later first", []any{[]any{200.0, 2.0}, []any{100.0, 1.0}}, "[{100 1} {200 2}]", true},
		{"milliseconds", []any{[]any{2e12, 2.0}}, "[{2e+09 2}]", true},
		{"mappings", []any{map[string]any{"at": "1970-01-01T00:01:00Z", "value": 5.0}}, "[{60 5}]", true},
		{"a time nobody reads", []any{[]any{"soon", 2.0}, []any{1.0, 1.0}}, "[{1 1}]", true},
		{"no list", "x", "[]", false},
	} {
		got, timed := readPoints(nil, tc.in, e.Location)
		if fmt.Sprint(got) != tc.want || timed != tc.timed {
			t.Errorf("%s: got %v %v, want %v %v", tc.name, got, timed, tc.want, tc.timed)
		}
	}
	many := make([]any, 3*maxPoints)
	if got, _ := readPoints(nil, many, e.Location); len(got) != maxPoints {
		t.Errorf("got %d points of %d, want %d", len(got), len(many), maxPoints)
	}
}

func TestBuckets(t *testing.T) {
	for how, want := range map[string]string{
		"mean": "[{0 2} {100 20}]", "min": "[{0 1} {100 10}]", "max": "[{0 3} {100 30}]", "last": "[{0 3} {100 30}]",
		"sum": "[{0 6} {100 40}]", "change": "[{0 2} {100 27}]",
	} {
		in := []history.Datum{{At: 0, V: 1}, {At: 50, V: 2}, {At: 60, V: math.NaN()}, {At: 99, V: 3}, {At: 100, V: 10}, {At: 150, V: 30}}
		if got := fmt.Sprint(bucket(in, 100, how, time.UTC)); got != want {
			t.Errorf("%s: got %s, want %s", how, got, want)
		}
	}
	tokyo := time.FixedZone("", 9*3600)
	if got := bucket([]history.Datum{{At: 16 * 3600, V: 1}}, 86400, "sum", tokyo); got[0].At != 15*3600 {
		t.Errorf("a day begins at %v, want the midnight of the wall's zone", got[0].At)
	}
}

// TestPastIsBounded checks that the number of a history's entries has a limit, even after 20,000 values. Entries older than the history's
// span are removed.
func TestPastIsBounded(t *testing.T) {
	p := history.New(time.Hour)
	room := cap(p.Data)
	if got := testing.AllocsPerRun(1, func() {
		for i := range 20000 {
			p.Add(float64(i), float64(i))
		}
	}); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
	if cap(p.Data) != room || len(p.Data) > room {
		t.Errorf("got %d of %d entries, want at most %d", len(p.Data), cap(p.Data), room)
	}
	if first := p.Data[0].At; first < 19999-3700 || first > 19999-3500 {
		t.Errorf("the past begins at %v, want about an hour before 19999", first)
	}
	if v, ok := p.Before(19000); !ok || math.Abs(v-19000) > 6 {
		t.Errorf("got %v %v at 19000", v, ok)
	}
	if _, ok := p.Before(10); ok {
		t.Error("what was before all that is kept is known")
	}
}

// chartOfCell returns a chart of a value's history, and the cell to which the test publishes values.
func chartOfCell(t *testing.T) (*chart, *provider.Cell, *render.Renderer) {
	size := image.Pt(400, 220)
	e := walltest.TestEnv()
	e.Picture = image.Pt(1280, 720)
	f := walltest.BuildOne[*kit.Frame](t, e, "{widget: chart, margin: 0, value: 1, history: 10m}", size)
	w, cell := f.Inner.(*chart), provider.NewCell(nil)
	w.series[0].in = kit.Input{Cell: cell}
	return w, cell, render.New(f, size)
}

func TestChartKeepsAValuesPast(t *testing.T) {
	w, cell, r := chartOfCell(t)
	r.Step(walltest.T0)
	if w.empty.Raw != "—" {
		t.Errorf("before the first value: got %q, want a dash", w.empty.Raw)
	}
	for i := range 5 {
		at := walltest.After(time.Duration(i) * time.Minute)
		cell.Publish(float64(i*i), at)
		r.Step(at)
	}
	if got := len(w.series[0].past.Data); got != 5 {
		t.Errorf("got %d entries, want 5", got)
	}
	if s := w.sides[0].scale; s.Min > 0 || s.Max < 16 {
		t.Errorf("got an axis from %v to %v for values from 0 to 16", s.Min, s.Max)
	}
	if from := w.x.from; from != history.Seconds(walltest.After(4*time.Minute-10*time.Minute)) {
		t.Errorf("got an axis from %v, want ten minutes before now", history.Moment(from))
	}
}

// TestChartLabelsNeverTouch checks that a value axis has two to seven ticks. The labels of the chart are inside the chart and do not
// touch each other.
func TestChartLabelsNeverTouch(t *testing.T) {
	for _, size := range []image.Point{{200, 150}, {320, 240}, {640, 300}, {1200, 600}} {
		e := walltest.TestEnv()
		e.Picture = image.Pt(1280, 720)
		f := walltest.BuildOne[*kit.Frame](t, e, "{widget: chart, margin: 0, values: "+walltest.Curve(48, 1200, 0)+"}", size)
		render.New(f, size).Step(walltest.T0)
		w := f.Inner.(*chart)
		if n := len(w.sides[0].ticks); n < 2 || n > 7 {
			t.Errorf("%v: got %d ticks", size, n)
		}
		all := append(w.bottom[:w.shownBottom:w.shownBottom], w.sides[0].texts...)
		for i, a := range all {
			if !a.Ink.In(image.Rectangle{Max: w.size}) {
				t.Errorf("%v: %q at %v leaves the chart of %v", size, a.Raw, a.Ink, w.size)
			}
			for _, b := range all[:i] {
				if a.Ink.Overlaps(b.Ink) {
					t.Errorf("%v: %q and %q touch", size, a.Raw, b.Raw)
				}
			}
		}
	}
}

// TestSmallChartLabelsNeverTouch checks small charts. A chart shows axis labels only if they are inside the chart and do not touch each
// other.
func TestSmallChartLabelsNeverTouch(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {20, 60}, {60, 40}, {60, 60}, {80, 48}, {40, 120}, {96, 64}, {128, 64}, {160, 100}, {240, 80}, {320, 48}} {
		for name, widget := range map[string]string{
			"values": "values: " + walltest.Curve(48, 1200, 0), "two axes": "series: [{text: a, values: [12, 14, 19, 21]}, {text: b, axis: right, values: [0, 140, 30, 1000]}]",
			"names": "kind: bar, labels: [Monday, Tuesday, Wednesday, Thursday], values: [1, -200000, 3, 4]", "large": "unit: W, values: [-1e300, 1e300, 0]",
		} {
			e := walltest.TestEnv()
			e.Picture = size
			f := walltest.BuildOne[*kit.Frame](t, e, "{widget: chart, margin: 0, padding: 0, card: false, "+widget+"}", size)
			render.New(f, size).Step(walltest.T0)
			w := f.Inner.(*chart)
			all := slices.Concat(w.bottom[:w.shownBottom], w.sides[0].texts, w.sides[1].texts, w.legend)
			if w.latest != nil {
				all = append(all, w.latest)
			}
			for i, a := range all {
				if !a.Ink.In(image.Rectangle{Max: w.size}) {
					t.Errorf("%v, %s: %q at %v leaves the chart of %v", size, name, a.Raw, a.Ink, w.size)
				}
				for _, b := range all[:i] {
					if a.Ink.Overlaps(b.Ink) {
						t.Errorf("%v, %s: %q and %q touch", size, name, a.Raw, b.Raw)
					}
				}
			}
		}
	}
}

// TestChartCutsLongNames checks that long names of points are cut before they are measured.
func TestChartCutsLongNames(t *testing.T) {
	e := walltest.TestEnv()
	names := walltest.Flow([]any{strings.Repeat("abcdefghij", 1000), strings.Repeat("ש", 1000), "c"})
	f := walltest.BuildOne[*kit.Frame](t, e, "{widget: chart, labels: "+names+", values: [1, 2, 3]}", image.Pt(400, 300))
	render.New(f, image.Pt(400, 300)).Step(walltest.T0)
	w := f.Inner.(*chart)
	for i, name := range w.names {
		if len(name) > maxName+len(kit.Ellipsis) || !utf8.ValidString(name) {
			t.Errorf("name %d: got %d bytes", i, len(name))
		}
	}
	if len(w.names) != 3 || w.names[2] != "c" {
		t.Errorf("got %d names, %q", len(w.names), w.names)
	}
}

// BenchmarkChart computes the layout and the shapes of a chart with forty numbers.
func BenchmarkChart(b *testing.B) {
	size := image.Pt(640, 300)
	e := walltest.TestEnv()
	e.Picture = image.Pt(1280, 720)
	w := walltest.BuildOne[*kit.Frame](b, e, walltest.RoleGoldens["chart-limit"], size).Inner.(*chart)
	b.ReportAllocs()
	for b.Loop() {
		w.draw(walltest.T0)
	}
}

// TestChartOfAClockThatIsAhead checks numbers from a device whose clock is some seconds ahead. The chart must treat these numbers as
// current numbers, not as future numbers.
func TestChartOfAClockThatIsAhead(t *testing.T) {
	w, cell, r := chartOfCell(t)
	for i, ahead := range []time.Duration{0, time.Second} {
		now := walltest.After(time.Duration(i) * time.Minute)
		cell.Publish(float64(i), now.Add(ahead))
		r.Step(now)
	}
	if w.future || w.x.to <= w.now {
		t.Errorf("got a future of %v s: %v", w.x.to-w.now, w.future)
	}
}

// TestSmallChartSaysItsLastNumber checks that a chart without room for axes shows its last number completely. A chart whose numbers are
// almost equal still draws a curve.
func TestSmallChartSaysItsLastNumber(t *testing.T) {
	for _, c := range []struct {
		size, picture image.Point
		locale, want  string
	}{
		{image.Pt(108, 148), image.Pt(240, 320), "en-GB", "11\u202fW"}, {image.Pt(560, 120), image.Pt(800, 480), "de", "11\u202fW"},
		{image.Pt(108, 148), image.Pt(240, 320), "he", "11\u202fW"}, {image.Pt(253, 210), image.Pt(800, 480), "en-GB", ""}, {image.Pt(300, 700), image.Pt(720, 1280), "en-GB", ""},
	} {
		s := walltest.Scene{Size: c.size, Picture: c.picture, Locale: c.locale}
		walltest.ModernBubble(t, "widgets: [{widget: chart, title: Power, unit: W, series: !data .p}]", s, look.Calm(true), func(d *walltest.Data) {
			d.ByName["p"].Publish(append(walltest.Heights(600), 11.0), walltest.T0)
			d.Step(0)
			w, small := walltest.Only[*kit.Frame](d).Inner.(*chart)
			if !small { // the chart shows the last number in large text
				w = walltest.Only[*kit.Frame](d).Inner.(*heroChart).chart
			}
			got := ""
			if w.latest != nil && !w.latest.Ink.Empty() {
				got = w.latest.Raw
			}
			if got != c.want {
				t.Errorf("%v, %s: got %q, want %q", c.size, c.locale, got, c.want)
			}
			if w.latest != nil && (w.latest.Shortened() || !w.latest.Ink.In(image.Rectangle{Max: w.size})) {
				t.Errorf("%v, %s: %q at %v", c.size, c.locale, w.latest.Raw, w.latest.Ink)
			}
			if w.series[0].zones[0].shape.Bounds().Empty() {
				t.Errorf("%v, %s: no curve is drawn", c.size, c.locale)
			}
		})
	}
}
