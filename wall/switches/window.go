// Package switches contains the backends that switch and dim the screen of a window: its backlight, the monitor, the
// television, its connector.
package switches

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"dashboard/control/power"
	"dashboard/fb"
)

// Usual returns the default order of backends. With it, no request is sent to a monitor or a television until the screen is first
// switched off or dimmed.
func Usual() []string { return []string{power.Backlight, power.DDC, power.CEC, power.DRM, power.FB} }

// A Window switches the screen of a window. Only the switching goroutine may use it, except for Renewed.
type Window struct {
	// Log receives the devices without permission. It may be nil.
	Log *slog.Logger

	keeper   *fb.Keeper
	hardware Hardware
	virtual  bool         // true if there is only a file instead of a screen
	connects bool         // true if the window is shown on a connector, if there is any
	off      bool         // true if the screen was requested to be off
	level    float64      // brightness of the picture
	warmth   float64      // warmth of the picture
	panel    *power.Panel // nil until one is found
	outside  beyond
	fresh    atomic.Bool // true if there may be another screen
}

// New returns the switch of a window that k shows. A virtual window has a file instead of a screen. A window with connects is
// shown on a connector, if there is any.
func New(k *fb.Keeper, h Hardware, virtual, connects bool) *Window {
	return &Window{keeper: k, hardware: h, level: 1, virtual: virtual, connects: connects}
}

// Renewed records that there may be another screen. It may be called from any goroutine.
func (w *Window) Renewed() { w.fresh.Store(true) }

// Keeper returns the keeper of the window.
func (w *Window) Keeper() *fb.Keeper { return w.keeper }

// closeTime is the maximum time for restoring the devices, because a program must end within 1.5 s.
const closeTime = time.Second

// Close restores the monitor and the television. It skips a backend that hangs.
func (w *Window) Close() {
	var g power.Guard
	_ = g.Do(context.Background(), "", closeTime, func() error { w.outside.close(); return nil })
}

// Backends returns the backends that can switch the screen, in the given order. nil is the default order. If yield is true, a
// television with another source is not switched.
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

// backend returns the backend with the given name of the settings, or nil. Devices that the settings do not name are searched when they
// are needed.
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
			find := func() power.Backend { return w.outside.backend(name, w.hardware, st.Geometry.Connector, yield, w.Log) }
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

// Power implements power.Backend. The keeper switches a screen that appears later.
func (w *Window) Power(on bool) error {
	if st := w.keeper.State(); w.off == !on && (!st.Open || st.Off == w.off) {
		return nil
	}
	err := w.keeper.Power(on)
	w.off = !on && err == nil
	return err
}

// Leave implements power.Backend. The keeper restores the screen at its end.
func (w *Window) Leave() error { return nil }

// Dim implements power.Dimmer. It darkens the picture, if nothing else dims the screen.
func (w *Window) Dim(level float64) error {
	if level < 0 {
		level = 1
	}
	w.level = level
	w.keeper.Tint(w.level, w.warmth)
	return nil
}

// Warm implements power.Warmer.
func (w *Window) Warm(warmth float64) {
	w.warmth = warmth
	w.keeper.Tint(w.level, w.warmth)
}
