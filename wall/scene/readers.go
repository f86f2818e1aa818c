package scene

import (
	"cmp"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/output/trmnl"
)

// checkReaders reports invalid sleep windows of e-readers.
func checkReaders(c *config.Conf, r *config.Report) {
	t := c.Readers()
	if t == nil {
		return
	}
	check := func(n *config.Node) {
		if _, err := sleepOf(n); err != nil {
			r.Errorf(n, "%v", err)
		}
	}
	check(t.Sleep)
	for _, d := range t.Devices {
		if d != nil {
			check(d.Sleep)
		}
	}
}

// sleepOf reads a sleep window. If n has no value, it returns nil.
func sleepOf(n *config.Node) (*value.Window, error) {
	if n == nil || n.Broken() || n.Kind() == config.Null {
		return nil, nil
	}
	w := &value.Window{}
	return w, w.SetNode(n, nil)
}

// Readers returns the settings of all e-readers. The function timeSet reports whether the machine's clock is set.
func (g *Generation) Readers(timeSet func() bool) trmnl.Settings {
	t := g.Conf.Readers()
	if t == nil {
		return trmnl.Settings{}
	}
	s := trmnl.Settings{On: true}
	for key, d := range t.Devices {
		one := g.reader(t, d, timeSet)
		one.Name = key
		if address, ok := t.Address(key); ok {
			one.Name = address
		}
		s.Devices = append(s.Devices, one)
	}
	if t.AutoRegister {
		guest := g.reader(t, nil, timeSet)
		s.Guest = &guest
	}
	return s
}

// reader returns the settings of an e-reader. d contains its keys in conf.yaml. d is nil if conf.yaml does not name the e-reader.
func (g *Generation) reader(t *config.TRMNLOutput, d *config.Reader, timeSet func() bool) trmnl.Device {
	if d == nil {
		d = &config.Reader{}
	}
	one := trmnl.Device{View: cmp.Or(d.View, config.MainView), Model: d.Model, Token: d.Token, Refresh: time.Duration(t.Refresh), Profile: d.Profile, Full: d.Full}
	if d.Refresh != nil {
		one.Refresh = time.Duration(*d.Refresh)
	}
	window, err := sleepOf(cmp.Or(d.Sleep, t.Sleep))
	if sc := g.Scenes[one.View]; err == nil && window != nil && sc != nil {
		one.Asleep = Asleep(*window, sc.Region, timeSet)
	}
	return one
}

// Asleep returns a function for the sleep window w. For a time in the window, the function returns
// the end of the window. For other times it returns zero. It also returns zero while the machine's clock is not set, because a device that
// asks then might sleep until the end of a night that is over.
func Asleep(w value.Window, at Region, timeSet func() bool) func(time.Time) time.Time {
	sun := at.Sun()
	return func(now time.Time) time.Time {
		in, day := w.Holds(now.In(at.Zone), sun, nil)
		if !in || !timeSet() {
			return time.Time{}
		}
		_, to, _ := w.On(day, sun)
		return to
	}
}
