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

// seekAgain is the time between two searches for a monitor or television that was not found. Most
// walls do not have such a device, and a search blocks the cable's data line for a second.
const seekAgain = 10 * time.Minute

// Hardware contains functions that find the devices which switch or dim a screen. Tests replace these functions.
type Hardware struct {
	Lights  string // folder of backlights
	Ports   func() []drm.Port
	Monitor func(card, connector string) (*ddc.Monitor, error)
	TV      func(card, connector string, yield bool) (*cec.Adapter, error)
}

// ThisMachine returns the functions for the devices of this machine.
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

// findTelevision returns the CEC adapter that belongs to a connector. An adapter that does not report its connector is returned only if
// there is no other adapter.
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

// ofConnector reports whether id is the kernel's number of a connector. If the kernel does not report the number, it returns true.
func ofConnector(sysfs, card, connector string, id uint32) bool {
	text, err := os.ReadFile(filepath.Join(sysfs, card+"-"+connector, "connector_id"))
	return err != nil || strings.TrimSpace(string(text)) == strconv.FormatUint(uint64(id), 10)
}

// port returns the connector with the given name, and its card. If the name is "", as for a framebuffer, port returns the connector with
// a screen. If there is not exactly one such connector, ok is false.
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

// `beyond` contains the monitor and the television at the other end of a window's cable. A device is nil until it is found.
type beyond struct {
	mu      sync.Mutex
	monitor *ddc.Monitor
	tv      *cec.Adapter
	yield   bool
	at      string               // connector of the devices that were found
	sought  map[string]time.Time // time of the last search. The key is the name of a backend
	told    []string             // names of backends for which a missing permission was logged
}

// forget must be called when the screen may have been replaced. It makes the monitor repeat the next request even if this request changes
// nothing, and allows a new search for missing devices.
func (b *beyond) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sought = nil
	if b.monitor != nil {
		b.monitor.Forget()
	}
}

// has() reports whether the device of the backend with the given name was found.
func (b *beyond) has(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return name == power.DDC && b.monitor != nil || name == power.CEC && b.tv != nil
}

// backend returns the backend with the given name. If its device is not found, backend returns nil. If the program has no permission for
// the device, backend writes this to the logger `log`, which may be nil.
func (b *beyond) backend(name string, h Hardware, connector string, yield bool, log *slog.Logger) power.Backend {
	b.mu.Lock()
	defer b.mu.Unlock()
	if connector != "" && connector != b.at && (b.monitor != nil || b.tv != nil) {
		b.leave() // the window has moved to another connector
		b.sought = nil
	}
	if b.tv != nil && (b.yield != yield || b.tv.Gone()) {
		_ = b.tv.Close()
		b.tv = nil
		delete(b.sought, power.CEC)
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

// seek searches for the device of a backend. If this fails, it may return the reason. The caller must hold mu.
func (b *beyond) seek(name string, h Hardware, connector string, yield bool) (err error) {
	if at, ok := b.sought[name]; ok && time.Since(at) < seekAgain {
		return nil
	}
	port, ok := h.port(connector)
	if ok && port.Connected && name == power.DDC {
		b.monitor, err = h.Monitor(port.Card, port.Name) // barred logs only a permission error, because most monitors have no DDC
	}
	if ok && name == power.CEC && strings.HasPrefix(port.Name, "HDMI") {
		b.tv, err = h.TV(port.Card, port.Name, yield)
		b.yield = yield
	}
	if b.monitor != nil || b.tv != nil {
		b.at = port.Name
	}
	if b.sought == nil {
		b.sought = map[string]time.Time{}
	}
	b.sought[name] = time.Now()
	return err
}

// barred() logs once for each backend that the program has no permission for the device. The caller must hold mu.
func (b *beyond) barred(name string, err error, log *slog.Logger) {
	if log == nil || !errors.Is(err, fs.ErrPermission) || slices.Contains(b.told, name) {
		return
	}
	b.told = append(b.told, name)
	log.Info("a method to switch the screen is skipped, because it may not be used", "backend", name, "reason", err)
}

// The type needed is the backend for a monitor or television that the settings do not name. It searches for the device only when the screen
// must be switched off or dimmed.
type needed struct {
	kind string
	find func() power.Backend // finds the backend, or returns nil
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

// Leave implements power.Backend. It does nothing, because there is nothing to restore.
func (needed) Leave() error { return nil }

// close restores the devices and forgets them.
func (b *beyond) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.leave()
}

// leave is like close. The caller must hold mu.
func (b *beyond) leave() {
	if b.monitor != nil {
		_ = b.monitor.Leave()
	}
	if b.tv != nil {
		_ = b.tv.Leave()
	}
	b.monitor, b.tv = nil, nil
}

// byMonitor implements power.Backend for a monitor. The monitor is restored when its window is closed.
type byMonitor struct{ *ddc.Monitor }

// Kind implements power.Backend.
func (byMonitor) Kind() string { return power.DDC }

// Power implements power.Backend. For a monitor that can only be dimmed, switching on needs no request.
func (m byMonitor) Power(on bool) error {
	if on && !m.Powers() {
		return nil
	}
	return m.Monitor.Power(on)
}

// byTelevision implements power.Backend for a television. The television is restored when its window is closed.
type byTelevision struct{ *cec.Adapter }

// Kind implements power.Backend.
func (byTelevision) Kind() string { return power.CEC }
