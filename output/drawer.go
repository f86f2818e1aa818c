package output

import (
	"image"

	"periph.io/x/conn/v3/display"
)

// OfDrawer makes an output from a display of the library periph. If the display has a method DrawFrame, OfDrawer returns the display
// unchanged. For any other display, the output calls Draw once for each frame, with the smallest rectangle that contains all damage. So
// the display never shows half of a change, and a slow panel refreshes only once.
func OfDrawer(d display.Drawer) FrameDrawer {
	if f, ok := d.(FrameDrawer); ok {
		return f
	}
	return drawer{d}
}

// drawer makes an output from a display.Drawer.
type drawer struct{ display.Drawer }

// DrawFrame implements FrameDrawer. The top left pixel of the frame appears at the top left pixel of the display.
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
