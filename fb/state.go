package fb

import "image"

// A State describes a display for health pages and logs.
type State struct {
	// Open is true if there is a device.
	Open bool
	// Geometry is the geometry of the present or last device.
	Geometry Geometry
	// Frame is the size that frames must have.
	Frame image.Point
	// Screen is the size of the present or last screen, after rotation.
	Screen image.Point
	// Shown counts the draws that reached the device. Lost counts the draws while there was no device.
	Shown, Lost uint64
	// Hidden is true while another console is in front. Draws then do nothing.
	Hidden bool
	// Off is true while the screen is switched off. Draws then do nothing.
	Off bool
	// VSync and Panning describe whether vertical sync and panning are in use. If not, they contain the reason.
	VSync, Panning string
	// Err is the reason for a missing device, or nil.
	Err error
	// Console is the error of the failed steps of the console lease, or nil.
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
