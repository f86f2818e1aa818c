package outputs

import (
	"image"
	"reflect"
	"slices"

	"dashboard/config"
	"dashboard/control/power"
	"dashboard/output/window"
)

// Kept reports whether there is an output that is not a window and not a stream, such as a file.
func (o *Set) Kept() bool {
	return slices.ContainsFunc(o.List(), func(m *Member) bool { return m.Conf.Stream == nil && m.Conf.Window == nil })
}

// SwitchBy sets which backends may switch the screens of windows.
func (o *Set) SwitchBy(s *power.Settings) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.backends, o.yield = nil, true
	if s != nil {
		o.backends, o.yield = s.Backends, s.Yield
	}
}

// Screens returns the screens of the open windows. Each screen has the backends that may switch it,
// in order. The owner of the screens calls Screens.
func (o *Set) Screens() []power.Screen {
	o.mu.Lock()
	members, order, yield := o.members, o.backends, o.yield
	o.mu.Unlock()
	var all []power.Screen
	for _, m := range members {
		if m.Window == nil {
			continue
		}
		all = append(all, power.Screen{Name: m.String(), Backends: m.Window.Backends(order, yield)})
	}
	return all
}

// FramePoint converts a touch to a point of the frame. x and y are coordinates of the touchscreen. FramePoint reverses the rotation of
// the touchscreen and of the window, the scaling of the frame, and graphics.flip.
func (m *Member) FramePoint(x, y float64) (image.Point, bool) {
	if c := m.Conf.Window.TouchMatrix; len(c) == 6 {
		x, y = c[0]*x+c[1]*y+c[2], c[3]*x+c[4]*y+c[5]
	}
	p, ok := m.Window.Keeper().FramePoint(x, y)
	if m.flip {
		p = m.size.Sub(p).Sub(image.Pt(1, 1))
	}
	return p, ok
}

// ScreenSize returns the size of a window's screen. `open` is false if the window is not open.
func (o *Set) ScreenSize(c *config.WindowOutput) (size image.Point, open bool) {
	list := o.List()
	i := slices.IndexFunc(list, func(m *Member) bool { return m.screen != nil && reflect.DeepEqual(m.Conf.Window, c) })
	if i < 0 {
		return image.Point{}, false
	}
	return list[i].screen.ScreenSize(), true
}

// follow calls Resized if a window's screen now needs frames of another size.
func (o *Set) follow(m *Member, screen window.Screen) {
	if m.sizing.Follows && m.sizing.Frame(screen.ScreenSize()) != m.size {
		o.Resized()
	}
}
