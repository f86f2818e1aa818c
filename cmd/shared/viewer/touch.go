package viewer

import (
	"context"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/control/power"
	"dashboard/fb/evdev"
)

// touched reports whether an input device belongs to the screen: the named one, or any if the screen names none. A
// virtual screen has only a named touchscreen.
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

// listen returns the listener of an input device, or nil if it is not the screen's.
func (sc *screen) listen(i evdev.Info) evdev.Listener {
	if !sc.touched(i) {
		return nil
	}
	return &waker{owner: sc.owner}
}

// runInput has touches and keys switch the screen on until ctx ends.
func (sc *screen) runInput(ctx context.Context) {
	if sc.output.Touch == "none" || sc.output.Driver == config.DriverVirtual && !sc.touched(evdev.Info{Name: sc.output.Touch}) {
		return
	}
	(&evdev.Watcher{Listen: sc.listen, Log: sc.log}).Run(ctx)
}

// A waker treats fingers and keys as signs of presence: they switch on a screen that is off with its wall's, for a
// while. They have no other effect, because the wall belongs to the service.
type waker struct {
	owner *power.Owner
	down  int // fingers
}

var _ evdev.Listener = (*waker)(nil)

// Packet implements evdev.Listener.
func (w *waker) Packet(p *evdev.Packet) time.Time {
	if p.Down != w.down || len(p.Keys) > 0 {
		w.owner.Touch()
	}
	w.down = p.Down
	return time.Time{}
}

// Late implements evdev.Listener.
func (w *waker) Late() time.Time { return time.Time{} }

// Gone implements evdev.Listener.
func (w *waker) Gone() {}
