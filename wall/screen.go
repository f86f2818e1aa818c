package wall

import (
	"image"

	"dashboard/config"
	"dashboard/wall/window"
)

// screenSize is the size of a window's screen: the size that the open window knows, or else the reported one.
func (s *Service) screenSize(c *config.WindowOutput) image.Point {
	for _, v := range s.all() {
		if size, open := v.Outs.ScreenSize(c); open {
			return size
		}
	}
	return window.ScreenSize(c)
}
