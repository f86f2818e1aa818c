package path

import "image"

// Outlines holds two paths and a raster, with which widgets build shapes. Their memory is reused. Only one goroutine at a time may use them.
type Outlines struct {
	Line, Area Path
	raster     Raster
}

// Begin removes all points of both paths.
func (o *Outlines) Begin() {
	o.Line.Reset()
	o.Area.Reset()
}

// Stroke sets dst to the outline of the path Line, drawn with a pen and clipped to a box. It overwrites the path Area.
func (o *Outlines) Stroke(dst *Shape, pen Pen, box image.Rectangle) {
	o.Area.Reset()
	o.Area.Stroke(&o.Line, pen)
	o.Fill(dst, box)
}

// Fill sets dst to the inside of the path Area, clipped to a box.
func (o *Outlines) Fill(dst *Shape, box image.Rectangle) {
	o.raster.Fill(dst, &o.Area, box)
}
