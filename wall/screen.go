package wall

import (
	"image"

	"dashboard/config"
	"dashboard/output/window"
)

// screenSize returns the size of a window's screen in px. If the window is not open, screenSize asks the screen's driver.
func (s *Service) screenSize(c *config.WindowOutput) image.Point {
	for _, v := range s.all() {
		if size, open := v.Outs.ScreenSize(c); open {
			return size
		}
	}
	return window.ScreenSize(c)
}
