package widgets

import (
	"image"

	"dashboard/render/path"
)

// outlines is what the widgets of a tree make shapes with: two paths and a raster. They are used by the goroutine that
// updates the tree, and keep their memory.
type outlines struct {
	line, area path.Path
	raster     path.Raster
}

// begin empties both paths.
func (o *outlines) begin() {
	o.line.Reset()
	o.area.Reset()
}

// stroke makes dst the stroke of the line, within a box.
func (o *outlines) stroke(dst *path.Shape, pen path.Pen, box image.Rectangle) {
	o.area.Reset()
	o.area.Stroke(&o.line, pen)
	o.fill(dst, box)
}

// fill makes dst what the area covers, within a box.
func (o *outlines) fill(dst *path.Shape, box image.Rectangle) {
	o.raster.Fill(dst, &o.area, box)
}
