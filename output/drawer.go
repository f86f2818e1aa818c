package output

import (
	"image"

	"periph.io/x/conn/v3/display"
)

// OfDrawer makes an output from a periph display. A display that has DrawFrame is returned unchanged. Any other display gets one
// Draw for each frame, with the smallest rectangle that contains the damage, so that it never shows half a frame and a slow panel
// refreshes once.
func OfDrawer(d display.Drawer) FrameDrawer {
	if f, ok := d.(FrameDrawer); ok {
		return f
	}
	return drawer{d}
}

// drawer is a display.Drawer as an output.
type drawer struct{ display.Drawer }

// DrawFrame implements FrameDrawer. The frame's upper left pixel is shown at the display's upper left pixel.
func (d drawer) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	var all image.Rectangle
	for _, r := range damage {
		all = all.Union(r)
	}
	if all = all.Intersect(src.Rect); all.Empty() {
		return nil
	}
	at := d.Bounds().Min.Sub(src.Rect.Min)
	return d.Draw(all.Add(at), src, all.Min)
}
