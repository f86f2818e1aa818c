package fb

import "image"

// FramePoint returns the frame's pixel shown at a place of the device. The place is given as shares of the width and
// height from the upper left corner, unturned, as a touchscreen reports a finger. Outside the frame it returns the
// nearest pixel, and without a device false. It does not wait.
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

// within is the nearest number from 0 to below n.
func within(v, n int) int { return max(0, min(v, n-1)) }

// inFrame is the frame's pixel that is seen at an upright position, or the nearest one.
func (p placement) inFrame(u image.Point) image.Point {
	u = u.Sub(p.origin)
	if p.scaled {
		u = image.Pt(u.X*p.frame.X/p.target.X, u.Y*p.frame.Y/p.target.Y)
	}
	return image.Pt(within(u.X, p.frame.X), within(u.Y, p.frame.Y))
}
