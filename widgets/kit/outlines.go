package kit

import (
	"image"

	"dashboard/render/path"
)

// Outlines holds two paths and a raster, with which the widgets of a tree build shapes. Their memory is reused. Only the goroutine that
// updates the tree may use them.
type Outlines struct {
	Line, Area path.Path
	raster     path.Raster
}

// Begin removes all points of both paths.
func (o *Outlines) Begin() {
	o.Line.Reset()
	o.Area.Reset()
}

// Stroke sets dst to the outline of the path Line, drawn with a pen and clipped to a box. It overwrites the path Area.
func (o *Outlines) Stroke(dst *path.Shape, pen path.Pen, box image.Rectangle) {
	o.Area.Reset()
	o.Area.Stroke(&o.Line, pen)
	o.Fill(dst, box)
}

// Fill sets dst to the inside of the path Area, clipped to a box.
func (o *Outlines) Fill(dst *path.Shape, box image.Rectangle) {
	o.raster.Fill(dst, &o.Area, box)
}
