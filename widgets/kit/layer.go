package kit

import (
	"image"

	"dashboard/render"
)

// A Layer is drawn above the widgets of a screen.
type Layer interface {
	render.Widget
	// Regions reports the rectangles that the layer covers. It is called after the widgets have reported their own rectangles.
	Regions(t render.Tick)
}

// Larger returns a builder for widgets that must be readable from far away. The builder multiplies text sizes and lengths by `zoom`. Its
// widgets have a card only if the file sets the card. The widgets also use this builder when they are built again.
func (b *Builder) Larger(zoom float64) *Builder {
	large := *b
	large.groups, large.Within, large.watch, large.pictures = map[groupKey]*textGroup{}, within{}, nil, nil
	large.Zoom, large.bare = zoom, true
	return &large
}

// Outermost builds a widget that fills the whole picture. A panic becomes an error of the configuration. In this case, the result is nil.
func (b *Builder) Outermost(k Kind, s *Spec, size image.Point) render.Widget {
	b.Within = within{outer: true}
	return b.construct(k, s, size)
}
