package viewer

import (
	"context"
	"strings"
	"time"

	"dashboard/config"
	"dashboard/control/power"
	"dashboard/fb/evdev"
)

// touched reports whether an input device belongs to the screen: the named device, or any device if the screen names none. A
// virtual screen only has a named touchscreen.
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

// listen returns the listener for an input device, or nil if the device does not belong to the screen.
func (sc *screen) listen(i evdev.Info) evdev.Listener {
	if !sc.touched(i) {
		return nil
	}
	return &waker{owner: sc.owner}
}

// runInput makes touches and keys switch the screen on, until ctx ends.
func (sc *screen) runInput(ctx context.Context) {
	if sc.output.Touch == "none" || sc.output.Driver == config.DriverVirtual && !sc.touched(evdev.Info{Name: sc.output.Touch}) {
		return
	}
	(&evdev.Watcher{Listen: sc.listen, Log: sc.log}).Run(ctx)
}

// A waker treats touches and keys as presence. For a while, they switch on a screen that is off because the wall's screens are
// off. They have no other effect, because the service controls the wall.
type waker struct {
	owner *power.Owner
	down  int // number of fingers
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
