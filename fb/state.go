package fb

import "image"

// A State describes a display for health pages and logs.
type State struct {
	// Open is true if there is a device.
	Open bool
	// Geometry is the geometry of the device, or of the last one.
	Geometry Geometry
	// Frame is the size of the frames that are accepted.
	Frame image.Point
	// Screen is the upright size of the screen, or of the last one.
	Screen image.Point
	// Shown counts the draws that reached the device. Lost counts the draws without a device.
	Shown, Lost uint64
	// Hidden is true if another console is in front. Draws are then ignored.
	Hidden bool
	// Off is true if the screen is switched off. Draws are then ignored.
	Off bool
	// VSync and Panning describe whether each is in use, or the reason why not.
	VSync, Panning string
	// Err is the reason for a missing device, or nil.
	Err error
	// Console is the missing part of the console lease, or nil.
	Console error
}

// State returns the state of d. It does not wait.
func (d *Display) State() State {
	return State{
		Open:     !d.halted.Load(),
		Geometry: d.geometry,
		Frame:    d.place.frame,
		Screen:   d.place.screen,
		Shown:    d.shown.Load(),
		Hidden:   d.hidden.Load(),
		Off:      d.dark.Load(),
		VSync:    d.vsync.String(),
		Panning:  d.panning(),
		Err:      d.usable(),
	}
}

func (d *Display) panning() string {
	switch {
	case !d.opts.Pan:
		return "off"
	case !d.flips.Load():
		return "off: the device does not do it"
	}
	return "on"
}
