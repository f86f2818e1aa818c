package fb

// A Device is the operating-system resource behind a display. Its methods are
// not called at the same time, except WaitVSync.
type Device interface {
	// Geometry asks the device anew. It fails when the device is gone.
	Geometry() (Geometry, error)
	// Pixels returns the memory, Geometry.Size bytes, valid until Close.
	Pixels() []byte
	// Pan makes row yOffset of the memory the first visible one. That it
	// returns nil does not prove that the screen changed.
	Pan(yOffset int) error
	// WaitVSync returns after the next vertical blank. It may return at once,
	// and on a broken driver it may never return.
	WaitVSync() error
	// Unblank switches the screen on.
	Unblank() error
	// Close releases everything.
	Close() error
}

// DefaultPath is the framebuffer that shows the console.
const DefaultPath = "/dev/fb0"
