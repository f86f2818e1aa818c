package fb

import (
	"cmp"
	"errors"
	"image"
	"time"
)

// DrawFrame is Display.DrawFrame, or an error that is ErrAbsent. Bounds, and
// with it the size to draw, can change with the device if Options.Frame is
// zero.
func (k *Keeper) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if err := k.usable(); err != nil {
		return err
	}
	return k.drawn(k.known.display.DrawFrame(src, damage))
}

// usable reports why nothing can be drawn, or nil.
func (k *Keeper) usable() error {
	if k.halted {
		return ErrHalted
	}
	if k.known.display == nil {
		k.lost.Add(1)
		if k.opts.Log != nil { // the reason was logged
			return ErrAbsent
		}
		return k.known.err
	}
	return nil
}

// Absent returns why there is no device, which is ErrAbsent, or nil if there is one. A frame need not be kept for a
// missing device, because Options.OnRepaint is called as soon as one is there. The frame counts as lost. Absent does
// not wait.
func (k *Keeper) Absent() error {
	n := k.now()
	if n.display != nil {
		return nil
	}
	k.lost.Add(1)
	if errors.Is(n.err, ErrAbsent) && k.opts.Log != nil { // the reason was logged
		return ErrAbsent
	}
	return cmp.Or(n.err, ErrAbsent)
}

// drawn schedules a look at the device after a failed draw, and now and then after others, because writing to memory
// that is no longer scanned out causes no error. A device that can be opened but not drawn on is opened again at once,
// then once in RetryInterval.
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

// Bounds is the size of the frames to draw, from 0,0: Options.Frame, or the upright size of the present or last screen,
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

// String implements conn.Resource: the path of the device, or the connector's
// name, there or not.
func (k *Keeper) String() string {
	c := k.opts.Connector
	if c == nil || k.opts.Virtual != nil {
		return k.opts.device()
	}
	return cmp.Or(c.Name, "screen")
}

// ScreenSize is the size of frames that fill the present or last screen, upright: its own size after it is turned. It
// is zero before the first screen. Compare it with the last one when Options.OnRepaint is called. Like State it does
// not wait.
func (k *Keeper) ScreenSize() image.Point {
	n := k.now()
	if n.display != nil {
		return n.display.place.screen
	}
	return n.last.Screen
}

// State returns the state of the display, also while a draw hangs.
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
