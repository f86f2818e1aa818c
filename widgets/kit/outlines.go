package kit

import (
	"image"

	"dashboard/render/path"
)

// Outlines holds the tools with which the widgets of a tree build shapes: two paths and a raster. Only the goroutine that updates
// the tree uses them. Their memory is reused.
type Outlines struct {
	Line, Area path.Path
	raster     path.Raster
}

// Begin empties both paths.
func (o *Outlines) Begin() {
	o.Line.Reset()
	o.Area.Reset()
}

// Stroke sets dst to the stroke of the line, clipped to a box.
func (o *Outlines) Stroke(dst *path.Shape, pen path.Pen, box image.Rectangle) {
	o.Area.Reset()
	o.Area.Stroke(&o.Line, pen)
	o.Fill(dst, box)
}

// Fill sets dst to the filled area, clipped to a box.
func (o *Outlines) Fill(dst *path.Shape, box image.Rectangle) {
	o.raster.Fill(dst, &o.Area, box)
}
