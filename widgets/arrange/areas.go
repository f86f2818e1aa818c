package arrange

import (
	"image"
	"image/color"
	"slices"

	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/geometry"
)

// AreaGrid is a grid of area names, with the sizes of its columns and rows.
type AreaGrid struct {
	// Rows of area names. Repeat a name to enlarge its area. An area must be a rectangle. '.' is an empty cell.
	Areas []string `yaml:"areas" required:"true"`
	// Width of each column: a number (share of the remaining width), a length (240px), a percentage (30%), or fit (the width of the
	// content). Default: 1.
	Columns []value.Track `yaml:"columns"`
	// Heights of the rows, in the same form as columns.
	Rows []value.Track `yaml:"rows"`
	// Gap between the children.
	Gap *value.Length `yaml:"gap"`
}

// LayoutParams are the parameters of the layout widget.
type LayoutParams struct {
	kit.Framed
	AreaGrid
	// Line in the middle of each gap. Default: true on e-paper, otherwise false.
	Divider *bool `yaml:"divider"`
	// Areas, columns and rows for screens that are taller than wide.
	Portrait *AreaGrid `yaml:"portrait"`
	// Gives rows and columns with urgent content up to twice their share. The layout changes at most once in 10 minutes. Urgent: an event in
	// the next 30 minutes, a value in the color bad, a finished timer, a weather warning.
	Importance bool `yaml:"importance" default:"false"`
}

// layout shows its children in named areas.
type layout struct {
	children   []*kit.Child
	rules      []image.Rectangle
	rule       color.RGBA
	importance *importance // nil if the tracks keep their sizes
}

func buildLayout(b *kit.Builder, s *kit.Spec, p *LayoutParams, size image.Point) render.Widget {
	landscape, ok := newAreas(b, s, "areas", &p.AreaGrid)
	upright, okPortrait := landscape, true
	grid := p.AreaGrid
	if p.Portrait != nil {
		upright, okPortrait = newAreas(b, s, "portrait", p.Portrait)
	}
	kids := b.Kids(s, size)
	if !ok || !okPortrait {
		return nil
	}
	checkAreas(s, kids, landscape, upright)
	areas := landscape
	if p.Portrait != nil && b.Picture.Y > b.Picture.X {
		areas = upright
		gap := grid.Gap
		if grid = *p.Portrait; grid.Gap == nil {
			grid.Gap = gap
		}
	}
	w := &layout{children: kids, rule: b.Role("line")}
	w.place(b, areas, &grid, size)
	divided := p.Divider != nil && *p.Divider || p.Divider == nil && b.Look.Ink
	if p.Importance {
		w.importance = &importance{b: b, areas: areas, grid: grid, size: size, divided: divided}
		w.importance.columns, w.importance.rows = equal(areas.Columns), equal(areas.Rows)
		w.importance.wide, w.importance.high = equal(areas.Columns), equal(areas.Rows)
	}
	if divided {
		w.draw(b, b.Chosen(grid.Gap, b.Look.Sizes.Gap), size)
	}
	return w
}

// newAreas parses the grid of area names. If the grid is malformed, or if the file sets a wrong number of columns or rows, newAreas
// reports an error at `key` and returns false.
func newAreas(b *kit.Builder, s *kit.Spec, key string, g *AreaGrid) (*geometry.Areas, bool) {
	a, err := geometry.ParseAreas(g.Areas)
	if err != nil {
		s.Errorf(key, "%v", err)
		return nil, false
	}
	for _, list := range []struct {
		name string
		have int
		want int
	}{{"columns", len(g.Columns), a.Columns}, {"rows", len(g.Rows), a.Rows}} {
		if list.have > 0 && list.have != list.want {
			s.Errorf(key, "%s has %d sizes for %d %s:\n%s", list.name, list.have, list.want, list.name, a)
			return nil, false
		}
	}
	return a, true
}

// checkAreas reports children without an area, with an unknown area, and with the area of another child. It also reports areas of the
// first grid that have no child, unless a child is missing because of its own error.
func checkAreas(s *kit.Spec, kids []*kit.Child, grids ...*geometry.Areas) {
	used := map[string]bool{}
	for _, k := range kids {
		name := k.Common.Area
		switch {
		case name == "":
			k.Spec.Errorf("", "a child of a layout needs an area, one of:\n%s", grids[0])
		case used[name]:
			k.Spec.Errorf("area", "another child already has the area '%s'", name)
		case !slices.ContainsFunc(grids, func(a *geometry.Areas) bool { _, ok := a.Cells(name); return ok }):
			k.Spec.Errorf("area", "there is no area '%s':\n%s", name, grids[0])
		}
		used[name] = true
	}
	for _, word := range grids[0].Words() {
		if !used[word] && !s.Lost {
			s.Errorf("areas", "no child has the area '%s':\n%s", word, grids[0])
		}
	}
}

// place() computes the rectangles of the children from their areas.
func (w *layout) place(b *kit.Builder, areas *geometry.Areas, g *AreaGrid, size image.Point) {
	gap := b.Chosen(g.Gap, b.Look.Sizes.Gap)
	content := func(upright bool) func(i int) int {
		return func(i int) int { return w.content(areas, i, upright, size.X/max(1, areas.Columns)) }
	}
	across, down := tracks(b, g.Columns, areas.Columns), tracks(b, g.Rows, areas.Rows)
	if m := w.importance; m != nil {
		across, down = weighted(across, m.columns), weighted(down, m.rows)
	}
	columns := geometry.Divide(size.X, gap, across, content(false))
	rows := geometry.Divide(size.Y, gap, down, content(true))
	for _, k := range w.children {
		cells, ok := areas.Cells(k.Common.Area)
		if k.Rect = (image.Rectangle{}); ok {
			b.Move(k, b.Mirrored(geometry.Rect(cells, columns, rows), size.X))
		}
	}
}

// content() returns the length, in px, of the longest child that lies only in track i. The tracks are rows if `upright` is true,
// otherwise columns. `width` is the average width of a column, in px.
func (w *layout) content(areas *geometry.Areas, i int, upright bool, width int) int {
	longest := 0
	for _, k := range w.children {
		cells, ok := areas.Cells(k.Common.Area)
		if !ok {
			continue
		}
		if upright && cells.Min.Y == i && cells.Dy() == 1 {
			longest = max(longest, k.Natural(width*cells.Dx()).Y)
		}
		if !upright && cells.Min.X == i && cells.Dx() == 1 {
			longest = max(longest, k.Natural(width*areas.Columns).X)
		}
	}
	return longest
}

// tracks() converts the sizes in the file to n tracks. A track without a size gets the share 1.
func tracks(b *kit.Builder, list []value.Track, n int) []geometry.Track {
	all := make([]geometry.Track, n)
	for i := range all {
		switch {
		case i >= len(list):
			all[i] = geometry.Track{Share: 1}
		case list[i].Weight > 0:
			all[i] = geometry.Track{Share: list[i].Weight}
		default:
			all[i] = Track(b, list[i].Size)
		}
	}
	return all
}

// Thickness of the lines between rows and between columns on e-paper, in px.
const (
	inkRowRule    = 3
	inkColumnRule = 2
)

// draw adds a line in the middle of each gap between two areas. The ends of each line are extended
// into the neighboring gaps, so that adjacent lines meet.
func (w *layout) draw(b *kit.Builder, gap int, size image.Point) {
	reach := func(from, to, end int) (int, int) {
		if from > 0 {
			from -= gap - gap/2
		}
		if to < end {
			to += gap - gap/2
		}
		return from, to
	}
	thickRow, thickColumn, inset := b.Px(b.Look.Sizes.Line), b.Px(b.Look.Sizes.Line), 0
	if b.Look.Ink {
		thickRow, thickColumn = inkRowRule, inkColumnRule
		w.rule = b.Role("text")
		inset = b.Px(b.Look.Sizes.Padding)
		if b.Shorter() < kit.Small { // cards have less padding
			inset = inset * 3 / 4
		}
	}
	for _, a := range w.children {
		for _, o := range w.children {
			if a.Rect.Empty() || o.Rect.Empty() {
				continue
			}
			if o.Rect.Min.Y >= a.Rect.Max.Y && o.Rect.Min.X < a.Rect.Max.X && o.Rect.Max.X > a.Rect.Min.X && w.next(a, o, true) {
				y := (a.Rect.Max.Y+o.Rect.Min.Y)/2 - thickRow/2
				from, to := max(a.Rect.Min.X, o.Rect.Min.X), min(a.Rect.Max.X, o.Rect.Max.X)
				if inset == 0 {
					from, to = reach(from, to, size.X)
				}
				from, to = from+inset, to-inset
				w.rules = append(w.rules, image.Rect(from, y, to, y+thickRow))
				w.join(gap, gap+2*inset)
			}
			if o.Rect.Min.X >= a.Rect.Max.X && o.Rect.Min.Y < a.Rect.Max.Y && o.Rect.Max.Y > a.Rect.Min.Y && w.next(a, o, false) {
				x := (a.Rect.Max.X+o.Rect.Min.X)/2 - thickColumn/2
				from, to := reach(max(a.Rect.Min.Y, o.Rect.Min.Y), min(a.Rect.Max.Y, o.Rect.Max.Y), size.Y)
				w.rules = append(w.rules, image.Rect(x, from, x+thickColumn, to))
			}
		}
	}
}

// join merges the last rule with other rules at the same height, if an area directly above or below them is as wide as they are together.
// `most` is the maximum distance of the rules in px.
func (w *layout) join(gap, most int) {
	last := len(w.rules) - 1
	r := w.rules[last]
	for i, o := range w.rules[:last] {
		both := r.Union(o)
		if both.Dy() == r.Dy() && both.Dx() <= r.Dx()+o.Dx()+most && slices.ContainsFunc(w.children, func(k *kit.Child) bool {
			near := k.Rect.Inset(-gap - r.Dy()) // without a gap, half of the rule is in the area
			return both.In(near) && both.Min.X >= k.Rect.Min.X && both.Max.X <= k.Rect.Max.X
		}) {
			w.rules[i] = w.rules[last-1]
			w.rules[last-1], w.rules = both, w.rules[:last]
			w.join(gap, most) // the longer rule may reach another one
			return
		}
	}
}

// next() reports whether no other area lies between the areas of the children `a` and `o`. If `below` is true, `o` must be below `a`.
// Otherwise, `o` must be on the right of `a`.
func (w *layout) next(a, o *kit.Child, below bool) bool {
	gap := image.Rectangle{Min: image.Pt(a.Rect.Max.X, max(a.Rect.Min.Y, o.Rect.Min.Y)), Max: image.Pt(o.Rect.Min.X, min(a.Rect.Max.Y, o.Rect.Max.Y))}
	if below {
		gap = image.Rectangle{Min: image.Pt(max(a.Rect.Min.X, o.Rect.Min.X), a.Rect.Max.Y), Max: image.Pt(min(a.Rect.Max.X, o.Rect.Max.X), o.Rect.Min.Y)}
	}
	return !slices.ContainsFunc(w.children, func(k *kit.Child) bool { return k != a && k != o && k.Rect.Overlaps(gap) })
}

// Update implements render.Widget.
func (w *layout) Update(t render.Tick) {
	kit.UpdateAll(t, w.children)
	if w.weigh(t) {
		t.DamageAll()
		kit.UpdateAll(t, w.children)
	}
}

// Paint implements render.Widget.
func (w *layout) Paint(c render.Canvas) {
	for _, r := range w.rules {
		c.Fill(r, w.rule)
	}
	kit.PaintAll(c, w.children)
}
