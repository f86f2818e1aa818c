package fb

import (
	"cmp"
	"errors"
	"image"
	"time"
)

// DrawFrame is Display.DrawFrame. Without a device its error wraps ErrAbsent. If Options.Frame is zero, Bounds, which is the size
// to draw, can change with the device.
func (k *Keeper) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.usable(); err != nil {
		return err
	}
	return k.drawn(k.known.display.DrawFrame(src, damage))
}

// usable returns the reason why nothing can be drawn, or nil.
func (k *Keeper) usable() error {
	if k.halted {
		return ErrHalted
	}
	if k.known.display == nil {
		k.lost.Add(1)
		if k.opts.Log != nil { // the reason is already logged
			return ErrAbsent
		}
		return k.known.err
	}
	return nil
}

// Absent returns nil if there is a device. Otherwise it counts a lost frame and returns the reason, which wraps ErrAbsent. The
// caller need not store the frame, because Options.OnRepaint is called as soon as a device appears. Absent does not wait.
func (k *Keeper) Absent() error {
	n := k.now()
	if n.display != nil {
		return nil
	}
	k.lost.Add(1)
	if errors.Is(n.err, ErrAbsent) && k.opts.Log != nil { // the reason is already logged
		return ErrAbsent
	}
	return cmp.Or(n.err, ErrAbsent)
}

// drawn schedules a check of the device after a failed draw, and sometimes after other draws, because writing to memory that is no
// longer shown causes no error. A device that can be opened but not drawn on is opened again at once, and then once in each
// RetryInterval.
func (k *Keeper) drawn(err error) error {
	if errors.Is(err, errFault) || errors.Is(err, errFlush) {
		k.drop(err)
		if now := time.Now(); now.Sub(k.failed) < 2*RetryInterval {
			k.failed, k.again = now, now.Add(RetryInterval)
		} else {
			k.failed = now
		}
		k.lookSoon()
	} else if time.Since(k.looked) >= RetryInterval {
		k.lookSoon()
	}
	return err
}

// Bounds returns the size of the frames to draw, from 0,0. It is Options.Frame, or the upright size of the current or last screen,
// or empty. Like State and String it does not wait.
func (k *Keeper) Bounds() image.Rectangle {
	n := k.now()
	switch {
	case n.display != nil:
		return n.display.Bounds()
	case k.opts.Frame != (image.Point{}):
		return image.Rectangle{Max: k.opts.Frame}
	}
	return image.Rectangle{Max: n.last.Frame}
}

// String implements conn.Resource. It returns the path of the device or the name of the connector, even if the device is missing.
func (k *Keeper) String() string {
	c := k.opts.Connector
	if c == nil || k.opts.Virtual != nil {
		return k.opts.device()
	}
	return cmp.Or(c.Name, "screen")
}

// ScreenSize returns the size of frames that fill the current or last screen upright: the screen's own size after rotation. It is
// zero before the first screen. Compare it with the previous size when Options.OnRepaint is called. Like State it does not wait.
func (k *Keeper) ScreenSize() image.Point {
	n := k.now()
	if n.display != nil {
		return n.display.place.screen
	}
	return n.last.Screen
}

// State returns the state of the display, even while a draw hangs.
func (k *Keeper) State() State {
	n := k.now()
	s := n.last
	if n.display != nil {
		s = n.display.State()
		s.Shown += n.last.Shown
	}
	s.Lost, s.Hidden = k.lost.Load(), n.hidden
	s.Open = n.display != nil
	s.Console = k.console.Load().Problem()
	if n.display == nil {
		s.Err = n.err
	}
	return s
}
