package classic

import (
	"fmt"
	"image"
	"math"
	"testing"
	"time"

	"dashboard/provider/query"
	"dashboard/provider/sources"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// chartOf paints values in a cell of 100x50 px. It returns the rectangles of the bars.
func chartOf(t *testing.T, params string, value any) (rects []image.Rectangle, w *barChart) {
	t.Helper()
	walltest.Bubble(t, "{widget: providerbarchart, providers: [p], "+params+"}", image.Pt(100, 50), func(d *walltest.Data) {
		d.ByName["p"].Publish(value, walltest.T0)
		d.Step(0)
		w = walltest.Only[*barChart](d)
		for _, b := range w.bars {
			rects = append(rects, b.rect)
		}
	})
	return rects, w
}

func TestBars(t *testing.T) {
	for _, tc := range []struct {
		name, params string
		value        any
		want         string
	}{
		{"thirds", "", []any{1, 2, 3}, "[(0,34)-(32,50) (34,17)-(66,50) (68,0)-(100,50)]"},
		{"limits", "min_value: 1, max_value: 3", []any{0, 2, 9}, "[(0,50)-(32,50) (34,25)-(66,50) (68,0)-(100,50)]"},
		{"wide gap", "bar_gap: 10", []any{1, 1}, "[(0,0)-(45,50) (55,0)-(100,50)]"},
		{"single", "max_value: 4", 1, "[(0,38)-(100,50)]"},
		{"all zero", "", []any{0, 0.0}, "[(0,50)-(49,50) (51,50)-(100,50)]"},
		{"upside down", "min_value: 5, max_value: 1", []any{3}, "[(0,50)-(100,50)]"},
		{"texts and booleans", "max_value: 2", []any{" 1.0 ", true}, "[(0,25)-(49,50) (51,25)-(100,50)]"},
		{"gap in the list", "", []any{nil, 2}, "[(0,50)-(49,50) (51,0)-(100,50)]"},
		{"infinite", "", []any{math.Inf(1), 2}, "[(0,50)-(49,50) (51,50)-(100,50)]"},
		{"fractions of pixels", "bar_gap: 0", []any{1, 1, 1}, "[(0,0)-(33,50) (33,0)-(66,50) (66,0)-(99,50)]"},
		{"picked", "data_path: a, jq_expression: 'map(.x)'", map[string]any{"a": []any{map[string]any{"x": 1}}}, "[(0,0)-(100,50)]"},
		{"nothing", "", []any{}, "[]"},
		{"frost", "bar_gap: 0", []any{-4, 2, 0, -2}, "[(0,17)-(25,50) (25,0)-(50,17) (50,17)-(75,17) (75,17)-(100,34)]"},
		{"hard frost", "bar_gap: 0", []any{-4, -2, nil}, "[(0,0)-(33,50) (33,0)-(66,25) (66,0)-(99,0)]"},
		{"frost on a scale", "bar_gap: 0, min_value: -10, max_value: 10", []any{-5, 5, -20}, "[(0,38)-(33,50) (33,13)-(66,50) (66,50)-(99,50)]"},
		{"frost below a maximum", "bar_gap: 0, max_value: 10", []any{-10, 10}, "[(0,25)-(50,50) (50,0)-(100,25)]"},
		{"endless frost", "", []any{math.Inf(-1), 2}, "[(0,50)-(49,50) (51,50)-(100,50)]"},
	} {
		if got, _ := chartOf(t, tc.params, tc.value); fmt.Sprint(got) != tc.want && !(tc.want == "[]" && got == nil) {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
	many := make([]any, 1000)
	for i := range many {
		many[i] = i
	}
	if got, w := chartOf(t, "", many); len(got) != 34 || got[33] != image.Rect(99, 49, 100, 50) || w.shown.Max != 999 {
		t.Errorf("a thousand: got %d bars, the last %v of at most %v, want those with a column, as high as all say", len(got), got[len(got)-1], w.shown.Max)
	}
}

func TestBarColors(t *testing.T) {
	_, w := chartOf(t, "labels_data_path: l, data_path: v, bar_color: '#000001', bar_colors: {x: '#000002'}, bar_background_colors: {y: '#000003'}, label_size: 10, "+
		"bar_color_thresholds: [{above: 5, color: '#000005'}, {above: '7', color: '#000007'}, {above: 6, color: '#000006'}]",
		map[string]any{"v": []any{4, 5, 6.5, 9, 9, 1}, "l": []any{"a", 2, "y", "b", "x"}})
	for i, want := range []uint8{1, 5, 6, 7, 2, 1} {
		if got := w.bars[i].fill.B; got != want {
			t.Errorf("bar %d: got color %d, want %d", i, got, want)
		}
	}
	if w.bars[2].behind.B != 3 || w.bars[1].behind.A != 0 {
		t.Error("the background is not behind the bar of its label alone")
	}
	if row := w.font.Metrics(10).Height + 2; w.height != 50-row {
		t.Errorf("the bars are %d high, want the cell less a row of %d", w.height, row)
	}
	for i := range w.bars {
		if ink := w.bars[i].ink; !ink.In(image.Rect(0, w.height, 100, 52)) || ink.Empty() != (i == 5) {
			t.Errorf("label %d has ink %v", i, ink)
		}
	}
}

// TestBarsStay checks that an invalid value does not change the shown bars.
func TestBarsStay(t *testing.T) {
	walltest.Bubble(t, "{widget: providerbarchart, providers: [p], data_path: v}", image.Pt(100, 50), func(d *walltest.Data) {
		p := d.ByName["p"]
		p.Promise(time.Minute)
		w := func() *barChart { return walltest.Only[*barChart](d) }
		d.Step(0)
		if w().shown != nil || w().nothing.Block.Ink().Empty() {
			t.Error("before the first values: no placeholder")
		}
		p.Publish(map[string]any{"v": []any{1, 2}}, walltest.T0)
		d.Step(0)
		for _, v := range []any{map[string]any{}, map[string]any{"v": nil}, map[string]any{"v": "x"}, map[string]any{"v": []any{[]any{}}}} {
			p.Publish(v, walltest.T0)
			if damage, _ := d.Step(time.Second); len(w().bars) != 2 || len(damage) != 0 {
				t.Errorf("%v: got %d bars, damage %v, want the old ones", v, len(w().bars), damage)
			}
		}
		fresh := w().bars[0].fill
		p.Fail(walltest.ErrDown, walltest.T0)
		if d.Step(4 * time.Minute); w().bars[0].fill != kit.Faint(fresh) {
			t.Errorf("out of date: got color %v, want it fainter than %v", w().bars[0].fill, fresh)
		}
	})
}

func BenchmarkBarsArrive(b *testing.B) {
	e := walltest.TestEnv()
	src := walltest.NewSources("p")
	e.Sources = sources.New(src, nil)
	root := walltest.Build(b, e, "widgets: [{widget: providerbarchart, providers: [p], data_path: v, labels_data_path: l}]", image.Pt(400, 200))
	w := root.Child.(*kit.Guard).Inner.(*barChart)
	v := &query.Numbers{Count: 24, Max: 23, Min: 0}
	for i := range v.Count {
		v.Values, v.Labels = append(v.Values, float64(i)), append(v.Labels, fmt.Sprint(i))
	}
	r := render.New(root, image.Pt(400, 200))
	r.Step(walltest.T0)
	b.ReportAllocs()
	for b.Loop() {
		w.value.Publish(v, walltest.T0)
		w.shown = nil
		r.Step(walltest.T0)
	}
}

func TestQuartlines(t *testing.T) {
	const lines = "{widget: providerbarchart, providers: [p], quartline: true, quartline_thickness: 2, quartline_color: red}"
	walltest.Bubble(t, lines, image.Pt(100, 50), func(d *walltest.Data) {
		d.ByName["p"].Publish([]any{0.0, 0.0}, walltest.T0)
		d.Step(0)
		for y, want := range map[int]uint8{12: 255, 25: 0, 37: 255} {
			if got := d.R.Frame().RGBAAt(50, y); got.R != want || got.G != 0 {
				t.Errorf("row %d: got %v, want a red of %d", y, got, want)
			}
		}
	})
}
