package widgets

import (
	"image"
	"image/color"
	"slices"

	"dashboard/config/value"
	"dashboard/render"
	"dashboard/widgets/kit/geometry"
)

// AreaGrid is a grid of words, and how its columns and rows divide the room.
type AreaGrid struct {
	Areas   []string      `yaml:"areas" required:"true" doc:"Rows of words; equal words that touch are one area, '.' is empty."`
	Columns []value.Track `yaml:"columns" doc:"Widths: a number is a share of what is left, 240px a length, 30% a part, fit as wide as the content. 1 each without it."`
	Rows    []value.Track `yaml:"rows" doc:"Heights, as the columns."`
	Gap     *value.Length `yaml:"gap" doc:"Room between areas; the theme's without it."`
}

// LayoutParams are the parameters of the layout widget.
type LayoutParams struct {
	Framed
	AreaGrid
	Divider  *bool     `yaml:"divider" doc:"A rule in the middle of each gap; true on paper, else false."`
	Portrait *AreaGrid `yaml:"portrait" doc:"Replaces areas, columns and rows while the picture is higher than wide."`
}

// layout shows its children in areas named by words.
type layout struct {
	children []*child
	rules    []image.Rectangle
	rule     color.RGBA
}

func buildLayout(b *Builder, s *Spec, p *LayoutParams, size image.Point) render.Widget {
	landscape, ok := b.areas(s, "areas", &p.AreaGrid)
	upright, okPortrait := landscape, true
	grid := p.AreaGrid
	if p.Portrait != nil {
		upright, okPortrait = b.areas(s, "portrait", p.Portrait)
	}
	kids := b.kids(s, size)
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
	w := &layout{children: kids, rule: b.role("line")}
	w.place(b, areas, &grid, size)
	if divider := b.Look.Ink; p.Divider != nil && *p.Divider || p.Divider == nil && divider {
		w.draw(b, b.chosen(grid.Gap, b.Look.Sizes.Gap), size)
	}
	return w
}

// areas reads a grid of words.
func (b *Builder) areas(s *Spec, key string, g *AreaGrid) (*geometry.Areas, bool) {
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

// checkAreas reports children without an area and areas without a child.
func checkAreas(s *Spec, kids []*child, grids ...*geometry.Areas) {
	used := map[string]bool{}
	for _, k := range kids {
		name := k.common.Area
		switch {
		case name == "":
			k.spec.Errorf("", "a child of a layout needs an area, one of:\n%s", grids[0])
		case used[name]:
			k.spec.Errorf("area", "'%s' is the area of another child already", name)
		case !slices.ContainsFunc(grids, func(a *geometry.Areas) bool { _, ok := a.Cells(name); return ok }):
			k.spec.Errorf("area", "there is no area '%s':\n%s", name, grids[0])
		}
		used[name] = true
	}
	for _, word := range grids[0].Words() {
		if !used[word] {
			s.Errorf("areas", "no child has the area '%s':\n%s", word, grids[0])
		}
	}
}

// place puts the children into their areas.
func (w *layout) place(b *Builder, areas *geometry.Areas, g *AreaGrid, size image.Point) {
	gap := b.chosen(g.Gap, b.Look.Sizes.Gap)
	content := func(upright bool) func(i int) int {
		return func(i int) int { return w.content(areas, i, upright, size.X/max(1, areas.Columns)) }
	}
	columns := geometry.Divide(size.X, gap, b.tracks(g.Columns, areas.Columns), content(false))
	rows := geometry.Divide(size.Y, gap, b.tracks(g.Rows, areas.Rows), content(true))
	for _, k := range w.children {
		cells, ok := areas.Cells(k.common.Area)
		if k.rect = (image.Rectangle{}); ok {
			b.move(k, geometry.Rect(cells, columns, rows))
		}
	}
}

// content is how long the content of a track is: the longest of the children that are in it alone.
func (w *layout) content(areas *geometry.Areas, i int, upright bool, width int) int {
	longest := 0
	for _, k := range w.children {
		cells, ok := areas.Cells(k.common.Area)
		if !ok {
			continue
		}
		if upright && cells.Min.Y == i && cells.Dy() == 1 {
			longest = max(longest, k.natural(width*cells.Dx()).Y)
		}
		if !upright && cells.Min.X == i && cells.Dx() == 1 {
			longest = max(longest, k.natural(width*areas.Columns).X)
		}
	}
	return longest
}

// tracks turns sizes of the file into those of the picture; without any all are equal.
func (b *Builder) tracks(list []value.Track, n int) []geometry.Track {
	all := make([]geometry.Track, n)
	for i := range all {
		switch {
		case i >= len(list):
			all[i] = geometry.Track{Share: 1}
		case list[i].Weight > 0:
			all[i] = geometry.Track{Share: list[i].Weight}
		default:
			all[i] = b.track(list[i].Size)
		}
	}
	return all
}

// ruleWidths are the thickness of rules on paper, px: between rows, between columns.
const (
	inkRowRule    = 3
	inkColumnRule = 2
)

// draw adds the rules in the middle of the gaps where areas end. Rules that cross or follow each other touch.
func (w *layout) draw(b *Builder, gap int, size image.Point) {
	reach := func(from, to, end int) (int, int) {
		if from > 0 {
			from -= gap - gap/2
		}
		if to < end {
			to += gap - gap/2
		}
		return from, to
	}
	thickRow, thickColumn := b.px(b.Look.Sizes.Line), b.px(b.Look.Sizes.Line)
	if b.Look.Ink {
		thickRow, thickColumn = inkRowRule, inkColumnRule
		w.rule = b.role("text")
	}
	for _, a := range w.children {
		for _, o := range w.children {
			if a.rect.Empty() || o.rect.Empty() {
				continue
			}
			if o.rect.Min.Y >= a.rect.Max.Y && o.rect.Min.X < a.rect.Max.X && o.rect.Max.X > a.rect.Min.X && w.next(a, o, true) {
				y := (a.rect.Max.Y+o.rect.Min.Y)/2 - thickRow/2
				from, to := reach(max(a.rect.Min.X, o.rect.Min.X), min(a.rect.Max.X, o.rect.Max.X), size.X)
				w.rules = append(w.rules, image.Rect(from, y, to, y+thickRow))
			}
			if o.rect.Min.X >= a.rect.Max.X && o.rect.Min.Y < a.rect.Max.Y && o.rect.Max.Y > a.rect.Min.Y && w.next(a, o, false) {
				x := (a.rect.Max.X+o.rect.Min.X)/2 - thickColumn/2
				from, to := reach(max(a.rect.Min.Y, o.rect.Min.Y), min(a.rect.Max.Y, o.rect.Max.Y), size.Y)
				w.rules = append(w.rules, image.Rect(x, from, x+thickColumn, to))
			}
		}
	}
}

// next reports whether nothing is between two areas.
func (w *layout) next(a, o *child, below bool) bool {
	gap := image.Rectangle{Min: image.Pt(a.rect.Max.X, max(a.rect.Min.Y, o.rect.Min.Y)), Max: image.Pt(o.rect.Min.X, min(a.rect.Max.Y, o.rect.Max.Y))}
	if below {
		gap = image.Rectangle{Min: image.Pt(max(a.rect.Min.X, o.rect.Min.X), a.rect.Max.Y), Max: image.Pt(min(a.rect.Max.X, o.rect.Max.X), o.rect.Min.Y)}
	}
	return !slices.ContainsFunc(w.children, func(k *child) bool { return k != a && k != o && k.rect.Overlaps(gap) })
}

// Update implements render.Widget.
func (w *layout) Update(t render.Tick) { updateAll(t, w.children) }

// Paint implements render.Widget.
func (w *layout) Paint(c render.Canvas) {
	for _, r := range w.rules {
		c.Fill(r, w.rule)
	}
	paintAll(c, w.children)
}
