package fb

import (
	"image"

	"dashboard/fb/drm"
)

// A Device is the operating-system resource behind a display. Its methods are
// not called at the same time, except WaitVSync.
type Device interface {
	// Geometry reads the device's geometry again. It fails when the device is gone.
	Geometry() (Geometry, error)
	// Pixels returns the memory, Geometry.Size bytes, valid until Close.
	Pixels() []byte
	// Pan makes row yOffset of the memory the first visible one. That it
	// returns nil does not prove that the screen changed.
	Pan(yOffset int) error
	// WaitVSync returns after the next vertical blank. It may return at once,
	// and on a broken driver it may never return.
	WaitVSync() error
	// Flush makes the screen show the written rectangles of the visible window. They are in the device's pixels, at
	// most maxFlush, and not empty. If the memory itself is scanned out, Flush does nothing.
	Flush(rs []image.Rectangle) error
	// Power switches the screen on or off.
	Power(on bool) error
	// Close releases everything.
	Close() error
}

// A Tinter is a Device that can make the picture darker and warmer in hardware.
type Tinter interface {
	// Tint lets through this much of each channel, from 0 to 1. It fails if the device cannot do that.
	Tint(red, green, blue float64) error
}

// maxFlush bounds the rectangles of one Flush. More are joined into one.
const maxFlush = drm.MaxClips

// DefaultPath is the framebuffer that shows the console.
const DefaultPath = "/dev/fb0"
