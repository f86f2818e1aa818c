package output

import (
	"image"

	"periph.io/x/conn/v3/display"
)

// OfDrawer makes an output of any display of periph. One that has DrawFrame itself is returned as it is. Any other gets
// one Draw a frame, of the smallest rectangle that holds the damage: it never shows half a frame, and a panel that is
// slow to refresh does so once.
func OfDrawer(d display.Drawer) FrameDrawer {
	if f, ok := d.(FrameDrawer); ok {
		return f
	}
	return drawer{d}
}

// drawer is a display.Drawer as an output.
type drawer struct{ display.Drawer }

// DrawFrame implements FrameDrawer. The frame's upper left pixel is shown at the display's.
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
