package fb

import (
	"image"

	"dashboard/fb/drm"
)

// A Device is the resource of the operating system behind a display. Only WaitVSync may be called concurrently with other methods.
type Device interface {
	// Geometry reads the device's geometry again. It returns an error if the device was removed.
	Geometry() (Geometry, error)
	// Pixels returns the device's memory, which has Geometry.Size bytes. It is valid until Close.
	Pixels() []byte
	// Pan makes row yOffset of the memory the first visible row. Some drivers return no error although the screen does not change.
	Pan(yOffset int) error
	// WaitVSync waits for the next vertical blank. Some drivers return at once, and a broken driver may never return.
	WaitVSync() error
	// Flush makes the screen show the given parts of the visible window. rs has at most maxFlush rectangles, in pixels of the device, and
	// none is empty. If the hardware reads the memory directly, Flush does nothing.
	Flush(rs []image.Rectangle) error
	// Power switches the screen on or off.
	Power(on bool) error
	// Close releases everything.
	Close() error
}

// A Tinter is a Device whose hardware can make the picture darker and warmer.
type Tinter interface {
	// Tint sets the shares of red, green and blue that are shown, from 0 to 1. It returns an error if the device does not support tints.
	Tint(red, green, blue float64) error
}

// maxFlush bounds the rectangles of one Flush. Callers join more rectangles into one.
const maxFlush = drm.MaxClips

// DefaultPath is the first framebuffer, which usually shows the console.
const DefaultPath = "/dev/fb0"
