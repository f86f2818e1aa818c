package widgets

import (
	"image"

	"dashboard/render"
)

// unknown stands for what is not known yet.
type unknown struct {
	b    *Builder
	line *caption
}

// unknown returns what is shown as long as nothing is known.
func (b *Builder) unknown(size image.Point) render.Widget {
	d := &unknown{b: b, line: b.caption(b.face("title"), image.Rectangle{Max: size}, b.edgeOf(""))}
	d.line.set("—")
	return d
}

// Update implements render.Widget.
func (*unknown) Update(render.Tick) {}

// Paint implements render.Widget.
func (d *unknown) Paint(c render.Canvas) { d.line.paint(c, d.b.role("muted")) }
