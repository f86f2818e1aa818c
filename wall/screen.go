package wall

import (
	"image"

	"dashboard/config"
	"dashboard/wall/window"
)

// screenSize returns the size of a window's screen. If the window is open, it uses the window's size. Otherwise it asks the screen.
func (s *Service) screenSize(c *config.WindowOutput) image.Point {
	for _, v := range s.all() {
		if size, open := v.Outs.ScreenSize(c); open {
			return size
		}
	}
	return window.ScreenSize(c)
}
