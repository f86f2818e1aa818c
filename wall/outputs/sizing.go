package outputs

import (
	"image"

	"dashboard/config"
	"dashboard/fb"
)

// A Sizing decides whether frames follow a screen's size. Zero is no.
type Sizing struct {
	Follows bool        // the screen's size, resolution: screen
	Design  image.Point // without a screen, px
	Shift   int         // how far the picture is moved, px
}

// Frame is the size of the frames for a screen, whose size is zero if there is none. Invalid screen sizes, and sizes
// too large for a frame, are scaled instead.
func (z Sizing) Frame(screen image.Point) image.Point {
	if room := image.Pt(2*z.Shift, 2*z.Shift); screen.X > 2*room.X && screen.Y > 2*room.Y {
		screen = screen.Sub(room)
	}
	o := fb.Options{Frame: screen}
	if !z.Follows || screen == (image.Point{}) || max(screen.X, screen.Y) > config.MaxSide || o.Validate() != nil {
		return z.Design
	}
	return screen
}
