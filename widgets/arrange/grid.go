package arrange

import (
	"image"

	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
)

// GridParams are the parameters of the grid widget.
type GridParams struct {
	// Number of rows.
	Rows int `yaml:"rows" default:"1" min:"1" max:"512"`
	// Number of columns.
	Columns int `yaml:"columns" default:"1" min:"1" max:"512"`
	// Heights of the rows, in proportion to each other. Default: equal heights.
	RowRatios []float64 `yaml:"row_ratios" min:"0"`
	// Widths of the columns, in proportion to each other. Default: equal widths.
	ColumnRatios []float64 `yaml:"column_ratios" min:"0"`
	// Padding around each cell. The gap between two cells is twice as wide.
	Padding int `yaml:"padding" default:"0" min:"0" else:"0" unit:"px"`

	// Color behind the cells.
	BackgroundColor *theme.Color `yaml:"background_color" alias:"color"`
	// Picture behind the cells, instead of background_color, scaled until it covers the grid. Its top left corner stays
	// visible.
	ImagePath string `yaml:"image_path"`
	// Corner radius of the whole grid. The corners also clip the content.
	CornerRadius int `yaml:"corner_radius" default:"0" unit:"px"`
	// Color of each cell that has a child.
	WidgetBackgroundColor *theme.Color `yaml:"widget_background_color" alias:"widget_color"`
	// Colors of single cells: a mapping by the child's name, or a list in the order of the children. null: widget_background_color.
	WidgetBackgroundColors cellColors `yaml:"widget_background_colors"`
	// Corner radius of each cell's color.
	WidgetCornerRadius int `yaml:"widget_corner_radius" default:"0" unit:"px"`
	// Radii of single cells, in the same form as widget_background_colors.
	WidgetCornerRadii cellRadii `yaml:"widget_corner_radii"`
	// Draws a soft shadow under the cells.
	DropShadow bool `yaml:"drop_shadow" default:"false"`
}

// gridShadow is the number of times that a grid's shadow is painted. Each repetition makes the shadow darker.
const gridShadow = 3

// grid shows its children in cells.
type grid struct {
	size    image.Point
	plate   kit.Plate
	picture kit.Film
	stencil *render.Stencil
	shadow  *render.Shadow
	cells   []cell
}

// cell is a cell of a grid with its child.
type cell struct {
	rect  image.Rectangle // rectangle without the padding
	plate kit.Plate       // background, in the grid's coordinates
	child render.Widget
}

func buildGrid(b *kit.Builder, s *kit.Spec, p *GridParams, size image.Point) render.Widget {
	rects, ok := p.cellRects(s, size)
	if !ok {
		b.CheckChildren(s, size)
		return nil
	}
	all := image.Rectangle{Max: size}
	g := &grid{size: size, plate: kit.NewPlate(p.BackgroundColor, 0, all), stencil: render.NewStencil(p.CornerRadius, size)}
	if p.ImagePath != "" {
		g.picture.Pic = b.Cover(s, "image_path", p.ImagePath, size)
	}
	if p.DropShadow {
		g.shadow = render.NewShadow(size, render.Gaussian(kit.ShadowRadius), gridShadow)
	}
	p.WidgetBackgroundColors.check(s, "widget_background_colors")
	p.WidgetCornerRadii.check(s, "widget_corner_radii")
	for i, child := range s.Children {
		r := rects[i]
		color := p.WidgetBackgroundColors.of(i, child, p.WidgetBackgroundColor)
		radius := p.WidgetCornerRadii.of(i, child, &p.WidgetCornerRadius)
		g.cells = append(g.cells, cell{r, kit.NewPlate(color, *radius, r), b.Build(child, r.Size())})
	}
	return g
}

// cellRects returns the rectangles of the children's cells, without the padding. The children fill one column after the other, from top
// to bottom. If the children do not fit, or if the padding leaves no room, cellRects reports an error and returns false.
func (p *GridParams) cellRects(s *kit.Spec, size image.Point) (rects []image.Rectangle, ok bool) {
	columns, okColumns := p.lengths(s, "column_ratios", size.X, p.Columns, p.ColumnRatios)
	rows, okRows := p.lengths(s, "row_ratios", size.Y, p.Rows, p.RowRatios)
	if !okColumns || !okRows {
		return nil, false
	}
	if n := len(columns) * len(rows); len(s.Children) > n {
		s.Errorf("children", "%d children do not fit into %d rows and %d columns, which are %s",
			len(s.Children), len(rows), len(columns), kit.Plural(n, "cell", "cells"))
		return nil, false
	}
	for i := range s.Children {
		c, r := columns[i/len(rows)], rows[i%len(rows)]
		cell := image.Rect(c.at, r.at, c.at+c.size, r.at+r.size)
		if min(c.size, r.size) < 2*p.Padding {
			s.Errorf("padding", "a padding of %d px leaves no room in a cell of %dx%d px", p.Padding, c.size, r.size)
			return nil, false
		}
		rects = append(rects, cell.Inset(p.Padding))
	}
	return rects, true
}

// lengths() divides a side of the grid by ratios. The parameter `length` is the length of this side in px. If there are no ratios, it
// returns n equal parts. If the sum of the ratios is not positive, it reports an error and returns false.
func (p *GridParams) lengths(s *kit.Spec, key string, length, n int, ratios []float64) ([]span, bool) {
	if len(ratios) == 0 {
		return Spans(length, equal(n)), true
	}
	sum := 0.0
	for _, r := range ratios {
		sum += r
	}
	if !(sum > 0) {
		s.Errorf(key, "the ratios must add up to more than 0")
		return nil, false
	}
	if len(ratios) != n {
		s.Warnf(key, "%s for %d: the ratios count", kit.Plural(len(ratios), "ratio", "ratios"), n)
	}
	return Spans(length, ratios), true
}

// Update implements render.Widget.
func (g *grid) Update(t render.Tick) {
	g.picture.Update(t)
	if g.shadow != nil {
		t = t.Grow(g.shadow.Reach())
	}
	for i := range g.cells {
		cell := &g.cells[i]
		if cell.plate.Color.A == 255 {
			t.Flat(cell.rect)
		}
		cell.child.Update(t.In(cell.rect))
	}
}

// Paint implements render.Widget.
func (g *grid) Paint(c render.Canvas) {
	g.stencil.Save(c)
	if g.picture.Pic == nil {
		g.plate.Paint(c)
	}
	g.picture.Paint(c)
	if g.shadow == nil {
		g.paintCells(c)
	} else {
		g.paintCells(g.shadow.Begin(c))
		g.shadow.End(c)
	}
	g.stencil.Restore(c)
}

func (g *grid) paintCells(c render.Canvas) {
	for i := range g.cells {
		cell := &g.cells[i]
		if c.Sees(cell.rect) {
			cell.plate.Paint(c)
			cell.child.Paint(c.In(cell.rect))
		}
	}
}

// Reach implements kit.Holder.
func (g *grid) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	for i := range g.cells {
		if c := &g.cells[i]; p.In(c.rect) {
			return each(c.child, p.Sub(c.rect.Min))
		}
	}
	return false
}
