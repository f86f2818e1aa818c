package kit

import (
	"image"

	"dashboard/render/path"
)

// Outlines is what the widgets of a tree make shapes with: two paths and a raster. They are used by the goroutine that
// updates the tree, and keep their memory.
type Outlines struct {
	Line, Area path.Path
	raster     path.Raster
}

// Begin empties both paths.
func (o *Outlines) Begin() {
	o.Line.Reset()
	o.Area.Reset()
}

// Stroke makes dst the stroke of the line, within a box.
func (o *Outlines) Stroke(dst *path.Shape, pen path.Pen, box image.Rectangle) {
	o.Area.Reset()
	o.Area.Stroke(&o.Line, pen)
	o.Fill(dst, box)
}

// Fill makes dst what the area covers, within a box.
func (o *Outlines) Fill(dst *path.Shape, box image.Rectangle) {
	o.raster.Fill(dst, &o.Area, box)
}
