package fb

import "image"

// FramePoint returns the pixel of the frame that is shown at a position of the device. The position is given as shares of the width
// and height from the upper left corner, without rotation, as a touchscreen reports it. Outside of the frame it returns the nearest
// pixel. Without a device it returns false. It does not wait.
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

// within returns the number from 0 to n-1 that is nearest to v.
func within(v, n int) int { return max(0, min(v, n-1)) }

// inFrame returns the pixel of the frame that is visible at an upright position, or the nearest pixel.
func (p placement) inFrame(u image.Point) image.Point {
	u = u.Sub(p.origin)
	if p.scaled {
		u = image.Pt(u.X*p.frame.X/p.target.X, u.Y*p.frame.Y/p.target.Y)
	}
	return image.Pt(within(u.X, p.frame.X), within(u.Y, p.frame.Y))
}
