package widgets

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"slices"
	"testing"

	"dashboard/theme"
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
		for i, s := range spans(tc.length, tc.ratios) {
			if s.at != tc.at[i] || s.size != tc.sizes[i] {
				t.Errorf("%d by %v, part %d: got %+v, want at %d size %d", tc.length, tc.ratios, i, s, tc.at[i], tc.sizes[i])
			}
		}
	}
}

// gridOf builds a grid of n empty children, named c0, c1, ….
func gridOf(t *testing.T, params map[string]any, n int, size image.Point) *grid {
	children := make([]any, n)
	for i := range children {
		children[i] = map[string]any{"widget": "empty", "name": fmt.Sprint("c", i)}
	}
	params["widget"], params["children"] = "grid", children
	return buildOne[*grid](t, testEnv(), flow(params), size)
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

// The cells of a wall of 1920x1080 px with three rows, four columns and a padding of 10, as Grydgets draws them.
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
				if got := g.cells[i].plate.color; got != want {
					t.Errorf("cell %d: got %v, want %v", i, got, want)
				}
			}
		})
	}
}

func TestGridCellRadii(t *testing.T) {
	g := gridOf(t, map[string]any{"rows": 3, "columns": 1, "widget_corner_radius": 4, "widget_corner_radii": map[string]any{"c0": 0, "c2": 99}}, 3, image.Pt(30, 30))
	for i, want := range []int{0, 4, 5} { // half of a side is the most
		if got := g.cells[i].plate.corner.Radius(); got != want {
			t.Errorf("cell %d: got radius %d, want %d", i, got, want)
		}
	}
}

func TestUnnamedChildrenGoByTheirKind(t *testing.T) {
	for _, name := range []string{"TextWidget", "textwidget", "text"} {
		o := overrides[theme.Color]{byName: map[string]*theme.Color{name: {}}}
		if o.of(0, &Spec{Kind: "text"}, nil) == nil {
			t.Errorf("%s: got nothing for a text widget without a name", name)
		}
		if o.of(0, &Spec{Kind: "text", Name: "kitchen"}, nil) != nil {
			t.Errorf("%s: got a color for a text widget with another name", name)
		}
	}
}

func TestLabelThirds(t *testing.T) {
	for _, tc := range []struct {
		position string
		at, room image.Rectangle
	}{
		{"above", image.Rect(0, 0, 100, 33), image.Rect(0, 33, 100, 99)},
		{"below", image.Rect(0, 66, 100, 99), image.Rect(0, 0, 100, 66)},
	} {
		l := buildOne[*label](t, testEnv(), flow(map[string]any{
			"widget": "label", "text": "x", "position": tc.position, "children": []any{map[string]any{"widget": "empty"}},
		}), image.Pt(100, 100))
		if l.at != tc.at || l.room != tc.room {
			t.Errorf("%s: got label %v and child %v, want %v and %v", tc.position, l.at, l.room, tc.at, tc.room)
		}
	}
}

func TestPillGeometry(t *testing.T) {
	for _, tc := range []struct {
		name        string
		params      string
		size        image.Point
		base, badge image.Rectangle
		radius      int
	}{
		{"plain", "", image.Pt(200, 100), image.Rect(0, 0, 200, 100), image.Rect(20, 70, 180, 90), 10},
		{"circle", "circular_mask: true", image.Pt(200, 101), image.Rect(50, 0, 150, 100), image.Rect(20, 70, 180, 90), 10},
		{"portrait circle", "circular_mask: true", image.Pt(100, 200), image.Rect(0, 50, 100, 150), image.Rect(10, 140, 90, 180), 20},
		{"measured by the circle", "pill_size_relative_to_circle: true, pill_position_y: 0.5, pill_corner_radius: 3", image.Pt(300, 100),
			image.Rect(0, 0, 300, 100), image.Rect(110, 40, 190, 60), 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := buildOne[*pill](t, testEnv(), "{widget: pill, children: [{widget: empty}, {widget: empty}], "+tc.params+"}", tc.size)
			if w.baseAt != tc.base || w.badgeAt != tc.badge {
				t.Errorf("got base %v and badge %v, want %v and %v", w.baseAt, w.badgeAt, tc.base, tc.badge)
			}
			p := paintOnce(buildOne[*pill](t, testEnv(), "{widget: pill, pill_background_color: red, children: [{widget: empty}, {widget: empty}], "+tc.params+"}", tc.size), tc.size, t0)
			corner := tc.badge.Min
			if got := p.RGBAAt(corner.X, corner.Y).A; got == 255 {
				t.Errorf("badge's corner: got alpha %d, want a round corner", got)
			}
			if got := p.RGBAAt(corner.X+tc.radius, corner.Y).A; got != 255 {
				t.Errorf("badge's edge behind the corner: got alpha %d, want 255", got)
			}
		})
	}
}

// The clock of 640x360 px in Grydgets' own font: the rows that have ink there.
func TestDateClockGeometry(t *testing.T) {
	if _, err := os.Stat(grydgetsFont); err != nil {
		t.Skip("needs Grydgets' built-in font, FreeSansBold")
	}
	size := image.Pt(640, 360)
	w := buildOne[*dateClock](t, testEnv(), flow(map[string]any{"widget": "dateclock", "time_font_path": grydgetsFont, "date_font_path": grydgetsFont}), size)
	m := paintOnce(w, size, t0)
	upper, lower := inkOf(m, image.Rect(0, 0, 640, 245)), inkOf(m, image.Rect(0, 245, 640, 360))
	for _, tc := range []struct {
		name      string
		got, want int
	}{
		{"first row of the time", upper.Min.Y, 48}, {"last row of the time", upper.Max.Y - 1, 233},
		{"first row of the date", lower.Min.Y, 256}, {"last row of the date", lower.Max.Y - 1, 310},
	} {
		if d := tc.got - tc.want; d < -1 || d > 1 {
			t.Errorf("%s: got %d, want %d", tc.name, tc.got, tc.want)
		}
	}
	for _, ink := range []image.Rectangle{upper, lower} {
		if d := ink.Min.X - (size.X - ink.Max.X); d < -12 || d > 12 {
			t.Errorf("ink %v is not centred", ink)
		}
	}
}
