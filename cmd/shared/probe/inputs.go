package probe

import (
	"path/filepath"
	"strings"

	"dashboard/control/light"
	"dashboard/fb/board"
	"dashboard/fb/cec"
	"dashboard/fb/ddc"
	"dashboard/fb/drm"
	"dashboard/fb/evdev"
)

// maxInputsTold is the maximum number of input devices that are listed. A usual machine has about a dozen.
const maxInputsTold = 32

// wires() prints the results of requests to monitors and televisions over their cables. Such a request may wake a monitor that is off.
func (p prober) wires() {
	for _, port := range drm.Ports(p.sysfs) {
		path := ddc.BusOf(p.sysfs, port.Card, port.Name)
		if !port.Connected || path == "" {
			continue
		}
		m, err := askMonitor(path)
		if err != nil {
			p.say("Monitor on %s, ddc by %s: %v", port.Name, path, err)
			continue
		}
		p.say("Monitor on %s, ddc by %s: brightness %s, power %s", port.Name, path, yesNo(m.Dims()), yesNo(m.Powers()))
		_ = m.Close()
	}
	for _, path := range cec.Paths(p.devices) {
		node, err := cec.Open(path)
		if err != nil {
			p.say("Television at %s: %v", path, err)
			continue
		}
		a, err := cec.New(node, "dashboard", true)
		if err != nil {
			p.say("Television at %s: %v", path, err)
			continue
		}
		on, err := a.Ask()
		if err != nil {
			p.say("Television at %s, %s: %v", path, a.Info().Driver, err)
		} else {
			p.say("Television at %s, %s: it says that it is %s", path, a.Info().Driver, map[bool]string{true: "on", false: "off"}[on])
		}
		_ = a.Close()
	}
}

func askMonitor(path string) (*ddc.Monitor, error) {
	bus, err := ddc.OpenBus(path)
	if err != nil {
		return nil, err
	}
	return ddc.New(bus)
}

func yesNo(v bool) string { return map[bool]string{true: "yes", false: "no"}[v] }

// inputs() prints descriptions of touchscreens, keys, light sensors and the pins of the board.
func (p prober) inputs() {
	paths, _ := filepath.Glob(filepath.Join(p.devices, "input", "event*"))
	for _, path := range paths[:min(len(paths), maxInputsTold)] {
		i, err := evdev.Describe(path)
		switch {
		case err != nil:
			p.say("Input %s: it cannot be read: %v", path, err)
		case i.Touch:
			p.say("Touchscreen %s: %s, several fingers: %s", path, i.Name, yesNo(i.Multi))
		case i.Keys:
			p.say("Keys %s: %s, a whole keyboard: %s", path, i.Name, yesNo(i.Full))
		}
	}
	if s, err := light.Find(light.Dir); err == nil {
		if lux, err := s.Lux(); err == nil {
			p.say("Light sensor %s: %.0f lux now", strings.TrimSpace(s.Name()), lux)
		}
	}
	for _, chip := range board.Lines() {
		p.say("Pins %s", chip)
	}
}
