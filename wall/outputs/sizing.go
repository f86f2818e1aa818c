package outputs

import (
	"image"

	"dashboard/config"
	"dashboard/fb"
)

// A Sizing describes whether the size of frames follows the size of a screen. The zero value means that it does not.
type Sizing struct {
	Follows bool        // true for resolution: screen
	Design  image.Point // size in px if the screen is missing
	Shift   int         // maximum shift of the picture, in px
}

// Frame returns the size of the frames for a screen. If the frames do not follow the screen, it returns Design. It also returns Design if
// the screen has no size, or a size that is too large or not valid for frames.
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
