package fb

import "image"

// FramePoint is the frame's pixel that is shown at a place of the device, which is given as the shares of its width and height
// from the upper left corner, unturned: where a finger on a touchscreen is. It is the nearest one where the frame does not reach,
// and false as long as there is no device. It waits for nobody.
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
