package outputs

import (
	"image"

	"dashboard/config"
	"dashboard/fb"
)

// A Sizing describes how the size of frames depends on the size of a screen. In the zero value, the size of frames is fixed.
type Sizing struct {
	Follows bool        // true if the key resolution is screen
	Design  image.Point // size of the frames in px if there is no screen
	Shift   int         // maximum shift of the picture, in px
}

// Frame returns the size of the frames for a screen, without the room for the shift of the picture. It returns Design if the frames do
// not follow the screen, if the screen has no size, or if the size is not valid for frames.
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
