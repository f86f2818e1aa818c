package fb

import (
	"cmp"
	"errors"
	"image"
	"time"
)

// DrawFrame is Display.DrawFrame on the present device. Without a device, its error wraps ErrAbsent. If Options.Frame is zero, another
// device may need frames of another size: see Bounds.
func (k *Keeper) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.usable(); err != nil {
		return err
	}
	return k.drawn(k.known.display.DrawFrame(src, damage))
}

// usable() returns nil if there is a device to draw on, and otherwise the reason why not.
func (k *Keeper) usable() error {
	if k.halted {
		return ErrHalted
	}
	if k.known.display == nil {
		k.lost.Add(1)
		if k.opts.Log != nil { // ErrAbsent is enough, because the log already contains the reason
			return ErrAbsent
		}
		return k.known.err
	}
	return nil
}

// Absent returns nil if there is a device. Otherwise it counts a lost frame and returns the reason: ErrHalted after Halt, or an error
// that wraps ErrAbsent. The caller may drop the frame, because Options.OnRepaint is called as soon as a device appears. Absent does not
// wait.
func (k *Keeper) Absent() error {
	n := k.now()
	if n.display != nil {
		return nil
	}
	k.lost.Add(1)
	if errors.Is(n.err, ErrAbsent) && k.opts.Log != nil { // ErrAbsent is enough, because the log already contains the reason
		return ErrAbsent
	}
	return cmp.Or(n.err, ErrAbsent)
}

// drawn() handles the result of a draw. If the device failed, drawn() closes the device and requests a check, which opens the device
// again. If drawing fails again soon, drawn() allows the next attempt only after RetryInterval. After any other result, drawn() requests
// a check if the latest check is older than RetryInterval. This is needed because a draw into memory that is no longer visible causes no
// error.
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

// Bounds returns the size of frames, as a rectangle that begins at (0,0). It is Options.Frame. If Options.Frame is zero, it is the
// upright size of the present or last screen. Before the first screen it may be empty. Like State and String, it does not wait.
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

// String implements conn.Resource. It returns the device's path or the connector's name, even if the device is missing.
func (k *Keeper) String() string {
	c := k.opts.Connector
	if c == nil || k.opts.Virtual != nil {
		return k.opts.device()
	}
	return cmp.Or(c.Name, "screen")
}

// ScreenSize returns the size of the present or last screen after rotation. Frames of this size fill the screen. It is zero before the
// first screen. In Options.OnRepaint, compare it with the previous size to find out whether it has changed. Like State, it does not wait.
func (k *Keeper) ScreenSize() image.Point {
	n := k.now()
	if n.display != nil {
		return n.display.place.screen
	}
	return n.last.Screen
}

// State returns the state of the display. It does not wait, even if a draw hangs.
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
