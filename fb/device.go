package fb

import (
	"image"

	"dashboard/fb/drm"
)

// A Device is the resource of the operating system behind a display. Its methods are not called concurrently, except for WaitVSync.
type Device interface {
	// Geometry reads the device's geometry again. It returns an error if the device was removed.
	Geometry() (Geometry, error)
	// Pixels returns the memory, Geometry.Size bytes. It is valid until Close.
	Pixels() []byte
	// Pan makes row yOffset of the memory the first visible row. A nil error does not prove that the screen changed.
	Pan(yOffset int) error
	// WaitVSync returns after the next vertical blank. It may return at once,
	// and on a broken driver it may never return.
	WaitVSync() error
	// Flush makes the screen show the given rectangles of the visible window. They are in the device's pixels, at most maxFlush,
	// and not empty. If the hardware reads the memory directly, Flush does nothing.
	Flush(rs []image.Rectangle) error
	// Power switches the screen on or off.
	Power(on bool) error
	// Close releases everything.
	Close() error
}

// A Tinter is a Device that can make the picture darker and warmer in hardware.
type Tinter interface {
	// Tint sets the share of each channel that is shown, from 0 to 1. It returns an error if the device does not support that.
	Tint(red, green, blue float64) error
}

// maxFlush bounds the rectangles of one Flush. If there are more, they are joined into one.
const maxFlush = drm.MaxClips

// DefaultPath is the framebuffer of the console.
const DefaultPath = "/dev/fb0"
