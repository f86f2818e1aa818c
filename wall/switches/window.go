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

// Usual is the default order of backends. With it, a monitor and a television are asked nothing until the screen is
// first to be switched off or dimmed.
func Usual() []string { return []string{power.Backlight, power.DDC, power.CEC, power.DRM, power.FB} }

// A Window switches the screen of a window. It belongs to the goroutine that switches, except for Renewed.
type Window struct {
	// Log receives the devices that may not be used. It may be nil.
	Log *slog.Logger

	keeper   *fb.Keeper
	hardware Hardware
	virtual  bool         // there is no screen, but a file
	connects bool         // it is shown on a connector, if there is any
	off      bool         // it was asked to be
	level    float64      // of light in the picture itself, and
	warmth   float64      // its warmth
	panel    *power.Panel // nil while none was found
	outside  beyond
	fresh    atomic.Bool // there may be another screen
}

// New returns the switch of a window that k shows. A virtual window has no screen but a file. One that connects is shown on a
// connector, if there is any.
func New(k *fb.Keeper, h Hardware, virtual, connects bool) *Window {
	return &Window{keeper: k, hardware: h, level: 1, virtual: virtual, connects: connects}
}

// Renewed notes that there may be another screen. It may be called from any goroutine.
func (w *Window) Renewed() { w.fresh.Store(true) }

// Keeper is the keeper of the window.
func (w *Window) Keeper() *fb.Keeper { return w.keeper }

// closeTime bounds how long giving back may take: a program has 1.5 s to end.
const closeTime = time.Second

// Close returns the monitor and the television. A hanging backend is skipped.
func (w *Window) Close() {
	var g power.Guard
	_ = g.Do(context.Background(), "", closeTime, func() error { w.outside.close(); return nil })
}

// Backends are the backends that can switch the screen, by the words of an order, with nil for the usual one. With
// yield a television with another source is not switched.
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

// backend is the backend for a word of the settings, nil for none. Unnamed devices are searched when they are needed.
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

// Power implements power.Backend. A screen that comes later is switched by its keeper.
func (w *Window) Power(on bool) error {
	if st := w.keeper.State(); w.off == !on && (!st.Open || st.Off == w.off) {
		return nil
	}
	err := w.keeper.Power(on)
	w.off = !on && err == nil
	return err
}

// Leave implements power.Backend: a keeper does it at its end.
func (w *Window) Leave() error { return nil }

// Dim implements power.Dimmer in the picture itself, if nothing else dims the screen.
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
