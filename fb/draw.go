package fb

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"runtime/debug"
)

// Draw implements display.Drawer. It is fast for an *image.RGBA, and also accepts every other kind of image.
func (d *Display) Draw(dstRect image.Rectangle, src image.Image, srcPts image.Point) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := dstRect.Intersect(d.place.bounds())
	r = r.Intersect(src.Bounds().Add(dstRect.Min).Sub(srcPts))
	if r.Empty() {
		return d.usable()
	}
	d.one[0] = r
	return d.show(src, srcPts.Sub(dstRect.Min), d.one[:])
}

// DrawFrame shows all damaged rectangles of a frame together, with at most one wait for the vertical blank. The top left pixel of the frame
// is at src.Rect.Min. `damage` is relative to that pixel. The rectangles may overlap and extend beyond the frame. If `damage` is nil, the
// whole frame is shown.
func (d *Display) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if src.Rect.Size() != d.place.frame {
		return fmt.Errorf("fb: a frame of %v instead of %v", src.Rect.Size(), d.place.frame)
	}
	if damage == nil {
		d.one[0] = d.place.bounds()
		damage = d.one[:]
	}
	if len(damage) == 0 {
		return d.usable()
	}
	return d.show(src, src.Rect.Min, damage)
}

// usable() returns nil if the display can draw, and otherwise the reason why it cannot.
func (d *Display) usable() error {
	if d.halted.Load() {
		return ErrHalted
	}
	return nil
}

// show paints the rectangles rs of the frame. `at` is the position of the frame in src: pixel p of the frame is pixel p+at of src.
func (d *Display) show(src image.Image, at image.Point, rs []image.Rectangle) (err error) {
	if err := d.usable(); err != nil || d.hidden.Load() || d.dark.Load() {
		return err
	}
	defer d.painter.catchFault(debug.SetPanicOnFault(true), &err)
	d.shift(rs)
	frame, at := d.source(src, at, rs)
	whole := d.frameBorders()
	if d.flip == nil {
		d.vsync.wait()
		d.paintAll(frame, at, rs)
		err = d.flush(rs, whole)
	} else {
		err = d.paintFlipped(frame, at, rs)
	}
	if err == nil {
		d.shown.Add(1)
	}
	return err
}

// errFlush is returned if the device does not accept the changed rectangles.
var errFlush = errors.New("fb: the device does not accept the picture")

// flush passes the changed rectangles to the device, in pixels of the device.
func (d *Display) flush(rs []image.Rectangle, whole bool) error {
	told := d.flushed[:0]
	g := d.geometry
	if whole {
		told = append(told, g.bounds())
		rs = nil
	}
	for _, r := range rs {
		r = d.opts.Rotate.rect(d.place.onScreen(r.Intersect(d.place.bounds())), g.Width, g.Height).Intersect(g.bounds())
		switch {
		case r.Empty():
		case len(told) < maxFlush:
			told = append(told, r)
		default:
			for _, t := range told[1:] {
				r = r.Union(t)
			}
			told = append(told[:0], told[0].Union(r))
		}
	}
	if len(told) == 0 {
		return nil
	}
	if err := d.dev.Flush(told); err != nil {
		return fmt.Errorf("%w: %w", errFlush, err)
	}
	return nil
}

// source returns an RGBA picture with the parts rs of the frame, and the position of the frame in it. If possible, the picture is src
// itself. Otherwise it is the display's own copy.
func (d *Display) source(src image.Image, at image.Point, rs []image.Rectangle) (*image.RGBA, image.Point) {
	if m, ok := src.(*image.RGBA); ok && !d.keep {
		return m, at
	}
	if d.copied == nil {
		d.copied = newFrame(d.place.bounds())
	}
	for _, r := range rs {
		r = r.Intersect(d.place.bounds())
		draw.Draw(d.copied, r, src, r.Min.Add(at), draw.Src)
	}
	return d.copied, image.Point{}
}

// frameBorders paints the area around the frame black if necessary. If the picture's edge pixels are repeated in this area, it paints
// nothing, because a draw of the whole frame paints this area. It reports whether the whole screen must be flushed.
func (d *Display) frameBorders() bool {
	if !d.borders {
		return false
	}
	d.borders = false
	if d.place.edged {
		return true
	}
	if d.flip == nil {
		d.painter.black(d.place.covered())
		return true
	}
	for _, row := range d.flip.rows {
		d.painter.pageRow = row
		d.painter.black(d.place.covered())
	}
	return true
}

// paintAll paints the rectangles rs of the frame on the page that begins at painter.pageRow.
func (d *Display) paintAll(frame *image.RGBA, at image.Point, rs []image.Rectangle) {
	for _, r := range rs {
		r = d.place.onTarget(r.Intersect(d.place.bounds()))
		src, from := frame, at
		if d.place.scaled {
			src, from = d.scaled, image.Point{}
			if !r.Empty() {
				d.opts.Scaler.Scale(d.scaled, r, frame)
			}
		}
		seen := r.Add(d.place.origin).Intersect(image.Rectangle{Max: d.place.screen})
		if r.Empty() || seen.Empty() {
			continue
		}
		d.painter.paint(src, from.Sub(d.place.origin), seen)
		d.edges(src, from, r)
	}
}

// paintFlipped paints the outdated parts of the hidden page, and then shows that page. If showing this page fails, panning ends, and the
// visible page is painted instead.
func (d *Display) paintFlipped(frame *image.RGBA, at image.Point, rs []image.Rectangle) error {
	d.painter.pageRow = d.flip.hiddenRow()
	d.paintAll(frame, at, d.flip.stale)
	d.paintAll(frame, at, rs)
	if err := d.dev.Pan(d.painter.pageRow); err == nil {
		d.flip.flipped(rs)
		d.vsync.wait()
		return nil
	}
	d.painter.pageRow = d.flip.shownRow()
	d.flip = nil
	d.flips.Store(false)
	d.paintAll(frame, at, rs)
	return d.flush(rs, true)
}
