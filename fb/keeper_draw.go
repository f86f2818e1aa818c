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
	return k.drawn(k.display.DrawFrame(src, damage))
}

// usable reports why nothing can be drawn, or nil.
func (k *Keeper) usable() error {
	if k.halted {
		return ErrHalted
	}
	if k.display == nil {
		k.lost++
		return k.err
	}
	return nil
}

// drawn has the device looked at after a failed draw, and now and then after
// others: memory that nobody sees can be written without an error.
func (k *Keeper) drawn(err error) error {
	if errors.Is(err, errFault) {
		k.drop(err)
		k.lookSoon()
	} else if time.Since(k.looked) >= RetryInterval {
		k.lookSoon()
	}
	return err
}

// Bounds is the size of the frames to draw, from 0,0: Options.Frame, or the upright size of
// the screen that is or was there, or empty.
func (k *Keeper) Bounds() image.Rectangle {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.display != nil {
		return k.display.Bounds()
	}
	if k.opts.Frame != (image.Point{}) {
		return image.Rectangle{Max: k.opts.Frame}
	}
	return image.Rectangle{Max: k.last.Frame}
}

// String implements conn.Resource: the path of the device, there or not.
func (k *Keeper) String() string { return cmp.Or(k.opts.Path, DefaultPath) }

// State returns the state of the display.
func (k *Keeper) State() State {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.last
	if k.display != nil {
		s = k.display.State()
		s.Shown += k.last.Shown
	}
	s.Lost, s.Hidden = k.lost, k.hidden
	s.Open = k.display != nil
	s.Console = k.console.Load().Problem()
	if k.display == nil {
		s.Err = k.err
	}
	return s
}
