package outputs

import (
	"image"
	"reflect"
	"slices"

	"dashboard/config"
	"dashboard/wall/window"
)

// ScreenSize is the size of the screen of a window that is open.
func (o *Set) ScreenSize(c *config.WindowOutput) (size image.Point, open bool) {
	list := o.List()
	i := slices.IndexFunc(list, func(m *Member) bool { return m.screen != nil && reflect.DeepEqual(m.Conf.Window, c) })
	if i < 0 {
		return image.Point{}, false
	}
	return list[i].screen.ScreenSize(), true
}

// follow has the wall laid out anew if a window's screen has another size than its frames.
func (o *Set) follow(m *Member, screen window.Screen) {
	if m.sizing.Follows && m.sizing.Frame(screen.ScreenSize()) != m.size {
		o.Resized()
	}
}
