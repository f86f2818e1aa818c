package piece

import (
	"image"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// unknown is shown instead of a value that is not known yet.
type unknown struct {
	b    *kit.Builder
	line *kit.Caption
}

// Unknown returns a widget that is shown instead of a value that is not known yet.
func Unknown(b *kit.Builder, size image.Point) render.Widget {
	d := &unknown{b: b, line: b.Caption(b.Face("title"), image.Rectangle{Max: size}, b.EdgeOf(""))}
	d.line.Set("—")
	return d
}

// Update implements render.Widget.
func (*unknown) Update(render.Tick) {}

// Paint implements render.Widget.
func (d *unknown) Paint(c render.Canvas) { d.line.Paint(c, d.b.Role("muted")) }
