package fb

import "image"

// FramePoint converts a position on a touchscreen to the pixel of the frame that is shown there. x and y are shares of the device's width
// and height, as the touchscreen reports them, without rotation. For a position outside the frame, it returns the nearest pixel of the
// frame. `ok` is false if there is no device. FramePoint does not wait.
func (k *Keeper) FramePoint(x, y float64) (image.Point, bool) {
	d := k.now().display
	if d == nil {
		return image.Point{}, false
	}
	return d.framePoint(x, y), true
}

func (d *Display) framePoint(x, y float64) image.Point {
	w, h := d.geometry.Width, d.geometry.Height
	u := d.opts.Rotate.upright(within(int(x*float64(w)), w), within(int(y*float64(h)), h), w, h)
	d.told.Lock()
	defer d.told.Unlock()
	return d.place.inFrame(u)
}

// within() returns the number in 0..n-1 that is nearest to v.
func within(v, n int) int { return max(0, min(v, n-1)) }

// inFrame returns the pixel of the frame at a position of the upright screen, or the nearest pixel.
func (p placement) inFrame(u image.Point) image.Point {
	u = u.Sub(p.origin)
	if p.scaled {
		u = image.Pt(u.X*p.frame.X/p.target.X, u.Y*p.frame.Y/p.target.Y)
	}
	return image.Pt(within(u.X, p.frame.X), within(u.Y, p.frame.Y))
}
