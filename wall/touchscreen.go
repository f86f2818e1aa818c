package wall

import (
	"context"
	"strings"

	"dashboard/config"
	"dashboard/fb/evdev"
	"dashboard/wall/outputs"
	"dashboard/wall/view"
)

// screenFor returns the view and the window to which an input device belongs. It prefers a window whose key `touch` is a part of the
// device's name. Otherwise it returns the first window that names no device and is not virtual. It skips windows with `touch: none`. If
// there is no such window, screenFor returns nil.
func (s *Service) screenFor(i evdev.Info) (*view.View, *outputs.Member) {
	var first *view.View
	var window *outputs.Member
	for _, name := range s.names() {
		v := s.all()[name]
		if v == nil || v.Shown.Load() == nil {
			continue // the view is being added or removed
		}
		for _, m := range v.Outs.List() {
			switch c := m.Conf.Window; {
			case c == nil || c.Touch == "none":
			case namesTouch(c) && strings.Contains(strings.ToLower(i.Name), strings.ToLower(c.Touch)):
				return v, m
			case !namesTouch(c) && first == nil && c.Driver != config.DriverVirtual:
				first, window = v, m
			}
		}
	}
	return first, window
}

// namesTouch reports whether the key `touch` of a window has a value other than auto.
func namesTouch(c *config.WindowOutput) bool { return c.Touch != "" && c.Touch != "auto" }

// wantsInput reports whether a window can have input devices.
func (s *Service) wantsInput() bool {
	for _, v := range s.all() {
		for _, m := range v.Outs.List() {
			if c := m.Conf.Window; c != nil && c.Touch != "none" && (namesTouch(c) || c.Driver != config.DriverVirtual) {
				return true
			}
		}
	}
	return false
}

// touchable() reports whether a touchscreen or a device with keys is open.
func (s *Service) touchable() bool { return s.input != nil && s.input.Open() }

// runInput handles input devices until ctx ends.
func (s *Service) runInput(ctx context.Context) {
	if s.hears {
		s.input.Run(ctx)
	}
}
