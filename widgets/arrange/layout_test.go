package arrange

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"testing"

	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

func TestSpans(t *testing.T) {
	for _, tc := range []struct {
		length    int
		ratios    []float64
		at, sizes []int
	}{
		{1366, []float64{1, 1, 1}, []int{0, 455, 910}, []int{455, 455, 455}},
		{1920, equal(4), []int{0, 480, 960, 1440}, []int{480, 480, 480, 480}},
		{1080, []float64{1, 2}, []int{0, 360}, []int{360, 720}},
		{768, []float64{3, 2}, []int{0, 460}, []int{460, 307}},
		{100, []float64{0.5, 0.25, 0.25}, []int{0, 50, 75}, []int{50, 25, 25}},
		{10, []float64{1, 0, 1}, []int{0, 5, 5}, []int{5, 0, 5}},
		{7, equal(10), []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
	} {
		for i, s := range Spans(tc.length, tc.ratios) {
			if s.at != tc.at[i] || s.size != tc.sizes[i] {
				t.Errorf("%d by %v, part %d: got %+v, want at %d size %d", tc.length, tc.ratios, i, s, tc.at[i], tc.sizes[i])
			}
		}
	}
}

// TestLayoutFits checks rows and columns with the size fit. They are as long as their longest child.
func TestLayoutFits(t *testing.T) {
	kids := "children: [{widget: text, text: Hello, style: headline, area: a}, {widget: text, text: '2', style: caption, area: b}, {widget: empty, area: c}]"
	of := func(grid string) *layout {
		return walltest.BuildOne[*kit.Frame](t, walltest.TestEnv(), "{widget: layout, "+grid+", "+kids+"}", image.Pt(800, 480)).Inner.(*layout)
	}
	high, wide := of("areas: ['a b', 'c c'], rows: [fit, 1]"), of("areas: ['a c', 'b c'], columns: [fit, 1]")
	if got, want := high.children[0].Rect.Dy(), high.children[0].Natural(400).Y; got != want || want == 0 {
		t.Errorf("the row has a height of %d, want %d", got, want)
	}
	if got, want := wide.children[0].Rect.Dx(), wide.children[0].Natural(800).X; got != want || want == 0 {
		t.Errorf("the column has a width of %d, want %d", got, want)
	}
}

// gridOf builds a grid of n empty children, named c0, c1, ….
func gridOf(t *testing.T, params map[string]any, n int, size image.Point) *grid {
	children := make([]any, n)
	for i := range children {
		children[i] = map[string]any{"widget": "empty", "name": fmt.Sprint("c", i)}
	}
	params["widget"], params["children"] = "grid", children
	return walltest.BuildOne[*grid](t, walltest.TestEnv(), walltest.Flow(params), size)
}

func cellRects(g *grid) (all []image.Rectangle) {
	for _, c := range g.cells {
		all = append(all, c.rect)
	}
	return all
}

func TestGridFillsColumnsFirst(t *testing.T) {
	g := gridOf(t, map[string]any{"rows": 2, "columns": 3}, 5, image.Pt(1366, 769))
	want := []image.Rectangle{
		image.Rect(0, 0, 455, 384), image.Rect(0, 384, 455, 768),
		image.Rect(455, 0, 910, 384), image.Rect(455, 384, 910, 768),
		image.Rect(910, 0, 1365, 384),
	}
	if got := cellRects(g); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestGridPadding checks the cells of a grid with three rows, four columns and a padding of 10 on a wall of 1920x1080 px. They must equal
// the cells that Grydgets, the model for the classic widgets, draws.
func TestGridPadding(t *testing.T) {
	g := gridOf(t, map[string]any{"rows": 3, "columns": 4, "padding": 10}, 12, image.Pt(1920, 1080))
	i := 0
	for _, x := range []int{10, 490, 970, 1450} {
		for _, y := range []int{10, 370, 730} {
			if got, want := g.cells[i].rect, image.Rect(x, y, x+460, y+340); got != want {
				t.Errorf("cell %d: got %v, want %v", i, got, want)
			}
			i++
		}
	}
}

func TestGridRatios(t *testing.T) {
	g := gridOf(t, map[string]any{"rows": 1, "columns": 2, "column_ratios": []int{3, 2}, "padding": 8}, 2, image.Pt(800, 480))
	want := []image.Rectangle{image.Rect(8, 8, 472, 472), image.Rect(488, 8, 792, 472)}
	if got := cellRects(g); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestGridCellColors(t *testing.T) {
	red, blue, gold := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{255, 215, 0, 255}
	for _, tc := range []struct {
		name   string
		params map[string]any
		want   []color.RGBA
	}{
		{"all", map[string]any{"widget_background_color": "red"}, []color.RGBA{red, red, red}},
		{"old name", map[string]any{"widget_color": "red"}, []color.RGBA{red, red, red}},
		{"by name", map[string]any{"widget_background_color": "red", "widget_background_colors": map[string]any{"c1": "blue"}}, []color.RGBA{red, blue, red}},
		{"by number", map[string]any{"widget_background_color": "red", "widget_background_colors": []any{"blue", nil, []int{255, 215, 0}}}, []color.RGBA{blue, red, gold}},
		{"short list", map[string]any{"widget_background_colors": []any{"blue"}}, []color.RGBA{blue, {}, {}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.params["rows"], tc.params["columns"] = 3, 1
			g := gridOf(t, tc.params, 3, image.Pt(30, 30))
			for i, want := range tc.want {
				if got := g.cells[i].plate.Color; got != want {
					t.Errorf("cell %d: got %v, want %v", i, got, want)
				}
			}
		})
	}
}

func TestGridCellRadii(t *testing.T) {
	g := gridOf(t, map[string]any{"rows": 3, "columns": 1, "widget_corner_radius": 4, "widget_corner_radii": map[string]any{"c0": 0, "c2": 99}}, 3, image.Pt(30, 30))
	for i, want := range []int{0, 4, 5} { // a radius is at most half of a cell's shorter side
		if got := g.cells[i].plate.Corner.Radius(); got != want {
			t.Errorf("cell %d: got radius %d, want %d", i, got, want)
		}
	}
}

func TestUnnamedChildrenGoByTheirKind(t *testing.T) {
	for _, name := range []string{"TextWidget", "textwidget", "text"} {
		o := overrides[theme.Color]{byName: map[string]*theme.Color{name: {}}}
		if o.of(0, &kit.Spec{Kind: "text"}, nil) == nil {
			t.Errorf("%s: got nothing for a text widget without a name", name)
		}
		if o.of(0, &kit.Spec{Kind: "text", Name: "kitchen"}, nil) != nil {
			t.Errorf("%s: got a color for a text widget with another name", name)
		}
	}
}
