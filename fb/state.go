package fb

import "image"

// A State describes a display for health pages and logs.
type State struct {
	// Open reports that there is a device.
	Open bool
	// Geometry is the device's, or the last one's.
	Geometry Geometry
	// Frame is the size of the frames that are accepted.
	Frame image.Point
	// Screen is the upright size of the screen, or of the last one.
	Screen image.Point
	// Shown counts the draws that reached the device, and Lost the draws while there was none.
	Shown, Lost uint64
	// Hidden reports that another console is in front: draws are left out.
	Hidden bool
	// Off reports that the screen is switched off: draws are left out.
	Off bool
	// VSync and Panning report whether they are in use, and if not why.
	VSync, Panning string
	// Err is why there is no device, or nil.
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
