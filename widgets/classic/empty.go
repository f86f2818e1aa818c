package classic

import (
	"image"

	"dashboard/render"
	"dashboard/theme"
	"dashboard/widgets/kit"
)

// EmptyParams are the parameters of the empty widget.
type EmptyParams struct {
	// Color of the area. Default: nothing is drawn.
	Color *theme.Color `yaml:"color"`
	// Radius of the area's corners, at most half the shorter side.
	CornerRadius int `yaml:"corner_radius" default:"0" unit:"px"`
}

// empty is a plain area.
type empty struct{ plate kit.Plate }

func buildEmpty(_ *kit.Builder, _ *kit.Spec, p *EmptyParams, size image.Point) render.Widget {
	return &empty{kit.NewPlate(p.Color, p.CornerRadius, image.Rectangle{Max: size})}
}

// Update implements render.Widget.
func (*empty) Update(render.Tick) {}

// Paint implements render.Widget.
func (e *empty) Paint(c render.Canvas) { e.plate.Paint(c) }
