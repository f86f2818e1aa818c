package outputs

import (
	"slices"

	"dashboard/control/power"
)

// Kept reports whether any output takes frames that is neither a screen nor a stream.
func (o *Set) Kept() bool {
	return slices.ContainsFunc(o.List(), func(m *Member) bool { return m.Conf.Stream == nil && m.Conf.Window == nil })
}

// SwitchBy says what the screens may be switched by.
func (o *Set) SwitchBy(s *power.Settings) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.backends, o.yield = nil, true
	if s != nil {
		o.backends, o.yield = s.Backends, s.Yield
	}
}

// Screens are those of the windows that are open, with what can switch them, in order. It is called by their owner.
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
