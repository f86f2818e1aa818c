// Package switches switches and dims the screen of a window. The backends are the backlight, the monitor, the television and the connector.
package switches

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"dashboard/control/power"
	"dashboard/fb"
)

// Usual returns the default order of backends. With this default, a monitor or a television receives no request until the screen is first
// switched off or dimmed.
func Usual() []string { return []string{power.Backlight, power.DDC, power.CEC, power.DRM, power.FB} }

// A Window switches and dims the screen of one window. Only one goroutine may use it at a time, except for the method Renewed.
type Window struct {
	// Log receives a line for each device for which the program has no permission. It may be nil.
	Log *slog.Logger

	keeper   *fb.Keeper
	hardware Hardware
	virtual  bool         // true if the window has a file instead of a screen
	connects bool         // true if the window uses a graphics connector when there is one
	off      bool         // true if the last call of Power has switched the screen off
	level    float64      // brightness of the picture, from 0 to 1
	warmth   float64      // warmth of the picture
	panel    *power.Panel // nil until a backlight is found
	outside  beyond
	fresh    atomic.Bool // true if the screen may have been replaced
}

// New returns the switch for the window that k shows. `virtual` is true if the window is a file instead of a screen. `connects` is true if
// the window uses a graphics connector when there is one.
func New(k *fb.Keeper, h Hardware, virtual, connects bool) *Window {
	return &Window{keeper: k, hardware: h, level: 1, virtual: virtual, connects: connects}
}

// Renewed records that the screen may have been replaced. It may be called from any goroutine.
func (w *Window) Renewed() { w.fresh.Store(true) }

// Keeper returns the fb.Keeper that shows the window.
func (w *Window) Keeper() *fb.Keeper { return w.keeper }

// closeTime is the maximum time for restoring the devices. It is less than the 1.5 s in which the program must end.
const closeTime = time.Second

// Close restores the monitor and the television. It waits at most closeTime.
func (w *Window) Close() {
	var g power.Guard
	_ = g.Do(context.Background(), "", closeTime, func() error { w.outside.close(); return nil })
}

// Backends returns the backends that may switch the screen, in the given order. If `order` is nil, it uses the order of Usual. If `yield`
// is true, a television that shows another source is not switched.
func (w *Window) Backends(order []string, yield bool) []power.Backend {
	unasked := order == nil
	if unasked {
		order = Usual()
	}
	var all []power.Backend
	for _, name := range order {
		if b := w.backend(name, yield, unasked); b != nil {
			all = append(all, b)
		}
	}
	return all
}

// backend returns the backend with the given name, or nil. `unasked` is true if the settings do not name the backend. For a monitor or
// television that was not found, backend then returns a `needed`, which searches for the device later.
func (w *Window) backend(name string, yield, unasked bool) power.Backend {
	st := w.keeper.State()
	switch name {
	case power.Backlight:
		if w.virtual {
			return nil
		}
		if w.panel != nil && w.panel.Gone() {
			w.panel = nil
		}
		if w.panel == nil && st.Open {
			w.panel = power.FindPanel(w.hardware.Lights, st.Geometry.Connector)
		}
		if w.panel != nil {
			return w.panel
		}
	case power.DDC, power.CEC:
		if !w.virtual {
			if w.fresh.Swap(false) {
				w.outside.forget()
			}
			connector := st.Geometry.Connector
			if connector == "" && (st.Open || !w.connects) { // a framebuffer does not report its connector, which another monitor may use now
				port, _ := w.hardware.port("")
				connector = port.Name
			}
			find := func() power.Backend { return w.outside.backend(name, w.hardware, connector, yield, w.Log) }
			if unasked && !w.outside.has(name) {
				return needed{name, find}
			}
			return find()
		}
	case w.Kind():
		return w
	}
	return nil
}

// Kind implements power.Backend.
func (w *Window) Kind() string {
	if st := w.keeper.State(); st.Geometry.Connector != "" || !st.Open && w.connects {
		return power.DRM
	}
	return power.FB
}

// Power implements power.Backend. If the screen is missing, fb.Keeper switches the screen when it appears, and Power returns
// power.ErrNoScreen.
func (w *Window) Power(on bool) error {
	st := w.keeper.State()
	if w.off == on || st.Open && st.Off != w.off {
		err := w.keeper.Power(on)
		if w.off = !on && err == nil; err != nil {
			return err
		}
	}
	if !w.keeper.State().Open {
		return power.ErrNoScreen
	}
	return nil
}

// Leave implements power.Backend. It does nothing, because fb.Keeper restores the screen at its end.
func (w *Window) Leave() error { return nil }

// Dim implements power.Dimmer. It makes the picture darker, for screens that no other backend can
// dim. A negative level means full brightness.
func (w *Window) Dim(level float64) error {
	if level < 0 {
		level = 1
	}
	w.level = level
	w.keeper.Tint(w.level, w.warmth)
	if !w.keeper.State().Open {
		return power.ErrAbsent
	}
	return nil
}

// Warm implements power.Warmer.
func (w *Window) Warm(warmth float64) {
	w.warmth = warmth
	w.keeper.Tint(w.level, w.warmth)
}
