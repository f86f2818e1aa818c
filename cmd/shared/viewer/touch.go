package viewer

import (
	"context"
	"slices"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/control/power"
	"dashboard/fb/evdev"
)

// touched() reports whether an input device belongs to the screen. If the value of the key `touch` is none, no device belongs to it. If the
// value is missing or auto, every device belongs to it, unless the screen is virtual. Otherwise a device belongs to it if the device's name
// contains the value.
func (sc *screen) touched(i evdev.Info) bool {
	switch name := sc.output.Touch; name {
	case "none":
		return false
	case "", "auto":
		return sc.output.Driver != config.DriverVirtual
	default:
		return strings.Contains(strings.ToLower(i.Name), strings.ToLower(name))
	}
}

// listen returns the listener for an input device. If the device does not belong to the screen, it returns nil.
func (sc *screen) listen(i evdev.Info) evdev.Listener {
	if !sc.touched(i) {
		return nil
	}
	return &waker{owner: sc.owner, above: sc.above}
}

// runInput handles touches and keys until ctx ends.
func (sc *screen) runInput(ctx context.Context) {
	if sc.output.Touch == "none" || sc.output.Driver == config.DriverVirtual && !sc.touched(evdev.Info{Name: sc.output.Touch}) {
		return
	}
	(&evdev.Watcher{Listen: sc.listen, Log: sc.log}).Run(ctx)
}

// A waker counts touches and keys as the presence of a person. If the screen is off because the wall's screens are off, a touch or a key
// switches the screen on for a while. Touches and keys also show and hide the codes of an appliance's access point. They have no effect
// on the wall, which the service controls.
type waker struct {
	owner *power.Owner
	above *cover
	down  int // number of fingers on the screen
}

var _ evdev.Listener = (*waker)(nil)

// Packet implements evdev.Listener.
func (w *waker) Packet(p *evdev.Packet) time.Time {
	if p.Down != w.down || len(p.Keys) > 0 {
		w.owner.Touch()
	}
	if p.Down > w.down || slices.Contains(p.Keys, evdev.KeyEnter) || slices.Contains(p.Keys, evdev.KeyEsc) {
		w.above.touched()
	}
	w.down = p.Down
	return time.Time{}
}

// Late implements evdev.Listener.
func (w *waker) Late() time.Time { return time.Time{} }

// Gone implements evdev.Listener.
func (w *waker) Gone() {}
