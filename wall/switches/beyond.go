package switches

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"dashboard/control/power"
	"dashboard/fb/cec"
	"dashboard/fb/ddc"
	"dashboard/fb/drm"
)

// seekAgain is the time between two searches for a missing monitor or television: most walls have none, and each search
// costs a second on their wire.
const seekAgain = 10 * time.Minute

// Hardware finds what lights a screen or hangs on its connector. It is the kernel's, but in tests.
type Hardware struct {
	Lights  string // the folder of backlights
	Ports   func() []drm.Port
	Monitor func(card, connector string) (*ddc.Monitor, error)
	TV      func(card, connector string, yield bool) (*cec.Adapter, error)
}

// ThisMachine is the hardware of this machine.
func ThisMachine() Hardware {
	return Hardware{
		Lights: power.BacklightDir,
		Ports:  func() []drm.Port { return drm.Ports(drm.SysFS) },
		Monitor: func(card, connector string) (*ddc.Monitor, error) {
			path := ddc.BusOf(drm.SysFS, card, connector)
			if path == "" {
				return nil, os.ErrNotExist
			}
			bus, err := ddc.OpenBus(path)
			if err != nil {
				return nil, err
			}
			return ddc.New(bus)
		},
		TV: func(card, connector string, yield bool) (*cec.Adapter, error) {
			return findTelevision(drm.SysFS, "/dev", card, connector, yield)
		},
	}
}

// findTelevision is the adapter of a connector: the one that names the connector, otherwise the only one.
func findTelevision(sysfs, dev, card, connector string, yield bool) (*cec.Adapter, error) {
	paths := cec.Paths(dev)
	for _, path := range paths {
		node, err := cec.Open(path)
		if err != nil {
			return nil, err
		}
		a, err := cec.New(node, "dashboard", yield)
		if err != nil {
			continue
		}
		if i := a.Info(); i.Card < 0 && len(paths) == 1 || "card"+strconv.Itoa(i.Card) == card && ofConnector(sysfs, card, connector, i.Connector) {
			if yield {
				a.LookAround()
			}
			return a, nil
		}
		_ = a.Close()
	}
	return nil, os.ErrNotExist
}

// ofConnector reports whether the kernel gives a connector that number.
func ofConnector(sysfs, card, connector string, id uint32) bool {
	text, err := os.ReadFile(filepath.Join(sysfs, card+"-"+connector, "connector_id"))
	return err != nil || strings.TrimSpace(string(text)) == strconv.FormatUint(uint64(id), 10)
}

// port is the connector of a name with its card; of a framebuffer, which has no name, the only one with a screen.
func (h Hardware) port(connector string) (found drm.Port, ok bool) {
	for _, p := range h.Ports() {
		if connector == "" && !p.Connected || connector != "" && p.Name != connector {
			continue
		}
		if ok {
			return drm.Port{}, false
		}
		found, ok = p, true
	}
	return found, ok
}

// beyond is the monitor and the television at the other end of a window's cable.
type beyond struct {
	mu      sync.Mutex
	monitor *ddc.Monitor
	tv      *cec.Adapter
	yield   bool
	sought  map[string]time.Time // when each was looked for in vain
	told    []string             // devices without permission that have been logged
}

// forget schedules another switch of known devices, and another search for missing ones, because there may be another
// screen.
func (b *beyond) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sought = nil
	if b.monitor != nil {
		b.monitor.Forget()
	}
}

// has reports whether the backend of a word was found.
func (b *beyond) has(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return name == power.DDC && b.monitor != nil || name == power.CEC && b.tv != nil
}

// backend returns the backend of a word, or nil for none. log, which may be nil, gets a line about a forbidden one.
func (b *beyond) backend(name string, h Hardware, connector string, yield bool, log *slog.Logger) power.Backend {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tv != nil && b.yield != yield {
		_ = b.tv.Close()
		b.tv = nil
	}
	if name == power.DDC && b.monitor == nil || name == power.CEC && b.tv == nil {
		b.barred(name, b.seek(name, h, connector, yield), log)
	}
	switch {
	case name == power.DDC && b.monitor != nil:
		return byMonitor{b.monitor}
	case name == power.CEC && b.tv != nil:
		return byTelevision{b.tv}
	}
	return nil
}

// seek searches for a backend, and returns the reason if there is none. mu is held.
func (b *beyond) seek(name string, h Hardware, connector string, yield bool) (err error) {
	if at, ok := b.sought[name]; ok && time.Since(at) < seekAgain {
		return nil
	}
	port, ok := h.port(connector)
	if ok && port.Connected && name == power.DDC {
		b.monitor, err = h.Monitor(port.Card, port.Name) // display probe prints the reason
	}
	if ok && name == power.CEC && strings.HasPrefix(port.Name, "HDMI") {
		b.tv, err = h.TV(port.Card, port.Name, yield)
		b.yield = yield
	}
	if b.sought == nil {
		b.sought = map[string]time.Time{}
	}
	b.sought[name] = time.Now()
	return err
}

// barred logs once a device that is there and may not be used. mu is held.
func (b *beyond) barred(name string, err error, log *slog.Logger) {
	if log == nil || !errors.Is(err, fs.ErrPermission) || slices.Contains(b.told, name) {
		return
	}
	b.told = append(b.told, name)
	log.Info("a way to switch the screen may not be used, and is passed over", "backend", name, "reason", err)
}

// A needed is a monitor or a television that the settings do not name: it is searched when the screen is to be switched
// off or dimmed.
type needed struct {
	kind string
	find func() power.Backend // nil without one
}

// Kind implements power.Backend.
func (n needed) Kind() string { return n.kind }

// Power implements power.Backend.
func (n needed) Power(on bool) error {
	if !on {
		if b := n.find(); b != nil {
			return b.Power(false)
		}
	}
	return power.ErrAbsent
}

// Dim implements power.Dimmer.
func (n needed) Dim(level float64) error {
	if level >= 0 && n.kind == power.DDC {
		if d, ok := n.find().(power.Dimmer); ok {
			return d.Dim(level)
		}
	}
	return power.ErrAbsent
}

// Leave implements power.Backend: nothing was done to it.
func (needed) Leave() error { return nil }

// close gives everything back.
func (b *beyond) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.monitor != nil {
		_ = b.monitor.Leave()
	}
	if b.tv != nil {
		_ = b.tv.Leave()
	}
	b.monitor, b.tv = nil, nil
}

// byMonitor is a monitor as a backend. It is given back at its window's end.
type byMonitor struct{ *ddc.Monitor }

// Kind implements power.Backend.
func (byMonitor) Kind() string { return power.DDC }

// Power implements power.Backend. A monitor that only dims is on.
func (m byMonitor) Power(on bool) error {
	if on && !m.Powers() {
		return nil
	}
	return m.Monitor.Power(on)
}

// byTelevision is a television as a backend. It is given back at its window's end.
type byTelevision struct{ *cec.Adapter }

// Kind implements power.Backend.
func (byTelevision) Kind() string { return power.CEC }
