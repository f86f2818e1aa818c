package startscreen

import (
	"image"
	"image/draw"
)

// A Drawer shows frames. The parameter `damage` lists the changed rectangles. If `damage` is nil, everything has changed.
type Drawer interface {
	DrawFrame(src *image.RGBA, damage []image.Rectangle) error
}

// An Over draws a picture over the frames of a Drawer and restores each frame afterwards. Without a picture it passes frames unchanged.
// Only one goroutine may use it.
type Over struct {
	At image.Rectangle // place of the picture on the frames, or empty. Only Put changes it

	pic    *image.RGBA // picture, or nil. Its upper left corner is at 0, 0
	whole  bool        // true if the picture is opaque
	under  *image.RGBA // pixels of the frame below the picture
	stale  bool        // true if the Drawer has not shown the last change
	before image.Rectangle
	more   []image.Rectangle
}

// Put sets the picture and its place. If `pic` is nil, Put removes the picture.
func (o *Over) Put(pic *image.RGBA, at image.Rectangle) {
	o.stale, o.before = o.stale || pic != nil || o.pic != nil, o.before.Union(o.At)
	o.pic, o.At, o.under, o.whole = pic, at, nil, pic != nil && pic.Opaque()
}

// DrawFrame draws the picture over a frame and passes the frame to a Drawer. After a change of the picture, DrawFrame adds the old and
// the new place of the picture to the damage, until the Drawer has shown the change.
func (o *Over) DrawFrame(to Drawer, src *image.RGBA, damage []image.Rectangle) error {
	if o.stale && damage != nil {
		o.more = append(append(o.more[:0], damage...), o.before.Intersect(src.Rect), o.At)
		damage = o.more
	}
	err := o.draw(to, src, damage)
	if err == nil && o.stale {
		o.stale, o.before = false, image.Rectangle{}
	}
	return err
}

func (o *Over) draw(to Drawer, src *image.RGBA, damage []image.Rectangle) error {
	switch {
	case o.pic == nil || damage != nil && !touches(damage, o.At):
		return to.DrawFrame(src, damage)
	case o.whole && o.pic.Rect == src.Rect:
		return to.DrawFrame(o.pic, damage)
	case o.under == nil:
		o.under = image.NewRGBA(image.Rectangle{Max: o.At.Size()})
	}
	draw.Draw(o.under, o.under.Rect, src, o.At.Min, draw.Src)
	draw.Draw(src, o.At, o.pic, image.Point{}, draw.Over)
	err := to.DrawFrame(src, damage)
	draw.Draw(src, o.At, o.under, image.Point{}, draw.Src)
	return err
}

func touches(damage []image.Rectangle, at image.Rectangle) bool {
	for _, r := range damage {
		if r.Overlaps(at) {
			return true
		}
	}
	return false
}
