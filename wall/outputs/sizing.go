package outputs

import (
	"image"

	"dashboard/config"
	"dashboard/fb"
)

// A Sizing describes whether frames follow the size of a screen. The zero value does not.
type Sizing struct {
	Follows bool        // true for resolution: screen
	Design  image.Point // size in px if there is no screen
	Shift   int         // maximum shift of the picture, in px
}

// Frame returns the size of the frames for a screen. The size is zero if there is no screen. Frames for an invalid or too large
// screen size are scaled.
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
