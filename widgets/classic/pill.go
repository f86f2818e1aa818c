package classic

import (
	"image"

	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// PillParams are the parameters of the pill widget.
type PillParams struct {
	// Cuts the first child to a circle as wide as the shorter side.
	CircularMask bool `yaml:"circular_mask" default:"false"`
	// Color behind the first child. With circular_mask, only inside the circle.
	WidgetBackgroundColor *theme.Color `yaml:"widget_background_color"`
	// Color of the badge behind the second child.
	PillBackgroundColor *theme.Color `yaml:"pill_background_color"`
	// Width of the badge. 1 is the width of the widget.
	Width float64 `yaml:"pill_width_percent" default:"0.8" min:"0"`
	// Height of the badge. 1 is the height of the widget.
	Height float64 `yaml:"pill_height_percent" default:"0.2" min:"0"`
	// Center of the badge: 0 is the left edge, 1 the right edge.
	X float64 `yaml:"pill_position_x" default:"0.5"`
	// Center of the badge: 0 is the top edge, 1 the bottom edge.
	Y float64 `yaml:"pill_position_y" default:"0.8"`
	// Radius of the badge's corners. Default: half circles at its ends.
	CornerRadius *int `yaml:"pill_corner_radius" unit:"px"`
	// Width and height of the badge are shares of the widget's shorter side, the circle's diameter.
	RelativeToCircle bool `yaml:"pill_size_relative_to_circle" default:"false"`
}

// pill shows a badge on top of a widget.
type pill struct {
	base, badge           render.Widget
	baseAt, badgeAt       image.Rectangle
	basePlate, badgePlate kit.Plate       // backgrounds of the two children, each in the coordinates of its child
	circle, ends          *render.Stencil // stencils that cut the base to a circle and the badge to a shape with round ends
}

// pillChildren is the number of children of a pill: the base and the badge.
const pillChildren = 2

func buildPill(b *kit.Builder, s *kit.Spec, p *PillParams, size image.Point) render.Widget {
	if len(s.Children) != pillChildren {
		s.Warnf("children", "a pill shows nothing unless it has 2 children, and this one has %d", len(s.Children))
		b.CheckChildren(s, size)
		return nil
	}
	w := &pill{baseAt: p.baseRect(size), badgeAt: p.badgeRect(size)}
	if p.CircularMask {
		w.circle = render.NewStencil(w.baseAt.Dx()/2, w.baseAt.Size())
	}
	radius := w.badgeAt.Dy() / 2
	if p.CornerRadius != nil {
		radius = *p.CornerRadius
	}
	w.ends = render.NewStencil(radius, w.badgeAt.Size())
	w.basePlate = kit.NewPlate(p.WidgetBackgroundColor, 0, image.Rectangle{Max: w.baseAt.Size()})
	w.badgePlate = kit.NewPlate(p.PillBackgroundColor, 0, image.Rectangle{Max: w.badgeAt.Size()})
	w.base = b.Build(s.Children[0], w.baseAt.Size())
	w.badge = b.Build(s.Children[1], w.badgeAt.Size())
	return w
}

// baseRect returns the rectangle of the first child: the whole widget or, with a circular mask, the square around the centered circle.
func (p *PillParams) baseRect(size image.Point) image.Rectangle {
	if !p.CircularMask {
		return image.Rectangle{Max: size}
	}
	r := min(size.X, size.Y) / 2
	centre := size.Div(2)
	return image.Rect(centre.X-r, centre.Y-r, centre.X+r, centre.Y+r)
}

// badgeRect returns the rectangle of the badge. The widget clips parts outside its own rectangle.
func (p *PillParams) badgeRect(size image.Point) image.Rectangle {
	across := size
	if p.RelativeToCircle {
		across = image.Pt(min(size.X, size.Y), min(size.X, size.Y))
	}
	w, h := int(float64(across.X)*p.Width), int(float64(across.Y)*p.Height)
	w, h = min(w, piece.MaxBadge), min(h, piece.MaxBadge)
	x := int(float64(float64(size.X)*p.X) - float64(w)/2)
	y := int(float64(float64(size.Y)*p.Y) - float64(h)/2)
	return image.Rect(x, y, x+w, y+h)
}

// Update implements render.Widget.
func (w *pill) Update(t render.Tick) {
	w.base.Update(t.In(w.baseAt))
	w.badge.Update(t.In(w.badgeAt))
}

// Paint implements render.Widget.
func (w *pill) Paint(c render.Canvas) {
	paintCut(c, w.baseAt, w.circle, &w.basePlate, w.base)
	paintCut(c, w.badgeAt, w.ends, &w.badgePlate, w.badge)
}

// paintCut paints a plate and a widget into r and cuts both to the shape of the stencil.
func paintCut(c render.Canvas, r image.Rectangle, s *render.Stencil, p *kit.Plate, w render.Widget) {
	if !c.Sees(r) {
		return
	}
	c = c.In(r)
	s.Save(c)
	p.Paint(c)
	w.Paint(c)
	s.Restore(c)
}

// Reach implements kit.Holder.
func (w *pill) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return p.In(w.badgeAt) && each(w.badge, p.Sub(w.badgeAt.Min)) || p.In(w.baseAt) && each(w.base, p.Sub(w.baseAt.Min))
}
