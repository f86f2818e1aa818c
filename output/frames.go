package output

import (
	"image"
	"image/color"

	"dashboard/render/damage"
)

// frames is what File and Post have in common: they take frames over like a Latest, and use one now and then.
type frames struct {
	name  string
	mail  mailbox
	tally tally
	rest  damage.List // of no interest to them
}

// DrawFrame takes over the damage of src. It does not wait and does not fail.
func (f *frames) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	f.mail.put(src, damage)
	return nil
}

// Draw takes over one rectangle of a frame, whose size is unknown before the first DrawFrame: then that rectangle is it.
func (f *frames) Draw(r image.Rectangle, src image.Image, at image.Point) error {
	f.mail.putPart(r, r, src, at)
	return nil
}

// use calls do with the newest frame. It returns false if none has come yet.
func (f *frames) use(do func(*image.RGBA)) bool {
	img := f.mail.take(&f.rest)
	if img == nil {
		return false
	}
	defer f.mail.done(&f.rest, false)
	do(img)
	return true
}

// Bounds returns those of the newest frame, empty before the first: this output takes frames of any size.
func (f *frames) Bounds() image.Rectangle {
	f.mail.mu.Lock()
	defer f.mail.mu.Unlock()
	if n := f.mail.newest(); n != nil {
		return n.Rect
	}
	return image.Rectangle{}
}

// ColorModel implements display.Drawer.
func (f *frames) ColorModel() color.Model { return rgba() }

// Halt does nothing: the end of Run's context stops the output.
func (f *frames) Halt() error { return nil }

// String names the output.
func (f *frames) String() string { return f.name }

// Stats returns what has been done.
func (f *frames) Stats() Stats { return f.tally.read() }
