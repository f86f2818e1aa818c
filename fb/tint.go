package fb

import "math"

// A tint makes a picture darker and warmer on its way to the screen. It contains the new value for every value of each channel.
type tint struct{ red, green, blue [256]uint8 }

// warmGreen and warmBlue are the shares of green and blue in the warmest light, which is like a lamp of 2700 K.
const (
	warmGreen = 0.82
	warmBlue  = 0.6
)

// steps is the number of different levels of brightness and of warmth.
const steps = 256

// newTint returns the tint for the brightness `level` and a warmth, both from 0 to 1. For full brightness without warmth it returns nil.
func newTint(level, warmth float64) *tint {
	level, warmth = min(max(level, 0), 1), min(max(warmth, 0), 1)
	if level >= 1-0.5/steps && warmth < 0.5/steps {
		return nil
	}
	t := &tint{}
	red, green, blue := shares(level, warmth)
	for i := range 256 {
		v := float64(i)
		t.red[i], t.green[i], t.blue[i] = uint8(math.Round(v*red)), uint8(math.Round(v*green)), uint8(math.Round(v*blue))
	}
	return t
}

// shares() returns the share of red, green and blue that remains.
func shares(level, warmth float64) (red, green, blue float64) {
	level, warmth = min(max(level, 0), 1), min(max(warmth, 0), 1)
	return level, level * (1 - warmth*(1-warmGreen)), level * (1 - warmth*(1-warmBlue))
}

// apply writes a row of RGBA pixels to dst, changed by the tint.
func (t *tint) apply(dst, src []byte) {
	for len(src) >= 4 && len(dst) >= 4 {
		dst[0], dst[1], dst[2], dst[3] = t.red[src[0]], t.green[src[1]], t.blue[src[2]], 255
		src, dst = src[4:], dst[4:]
	}
}

// tint makes the screen darker and warmer. If the device cannot do that itself, later draws change the pixels.
func (d *Display) tint(level, warmth float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.painter.tint
	d.painter.tint = newTint(level, warmth)
	if dev, ok := d.dev.(Tinter); ok && dev.Tint(shares(level, warmth)) == nil {
		d.painter.tint = nil
		if before == nil {
			return // the picture stays the same
		}
	}
	if d.painter.tint != nil && d.painter.tinted == nil {
		d.painter.tinted = make([]byte, 4*d.geometry.Width)
	}
	d.borders = true
	if d.flip != nil {
		d.flip.forget(d.place.bounds())
	}
}

// Tint sets the brightness and the warmth of the picture, both from 0 to 1, for this screen and all later screens. A change of the screen's
// own light, such as its backlight, is not part of `level`. Full brightness without warmth costs no time in draws.
func (k *Keeper) Tint(level, warmth float64) {
	level, warmth = math.Round(level*steps)/steps, math.Round(warmth*steps)/steps
	k.mu.Lock()
	same := k.level == level && k.warmth == warmth
	k.level, k.warmth = level, warmth
	if d := k.known.display; d != nil && !same {
		d.tint(level, warmth)
	}
	k.mu.Unlock()
	if !same {
		repaint(k.opts)
	}
}
