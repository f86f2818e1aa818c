package fb

import (
	"cmp"
	"fmt"
	"image"
	"log/slog"
)

// NoTTY, as Options.TTY, leaves the console unchanged.
const NoTTY = "none"

// Options describe how frames are shown. The zero value shows frames of the
// screen's own size on DefaultPath, upright and dithered.
type Options struct {
	// Path is the device, or with Virtual the file. "" means DefaultPath.
	Path string
	// Virtual, if not nil, makes Path a file that is used like a framebuffer.
	Virtual *Virtual
	// Frame is the size of the frames. Zero means the upright size of the screen.
	Frame image.Point
	// Rotate rotates the picture clockwise.
	Rotate Rotation
	// Fullscreen scales the frame to the whole screen. Otherwise it is shown
	// unscaled and centred, on black.
	Fullscreen bool
	// Shift is the maximum distance, in pixels, by which the picture moves against burn-in, one pixel each minute. 0 turns the
	// movement off. Otherwise frames of the screen's size are smaller by Shift on each side. A scaled frame leaves the same room,
	// and its outermost pixels are repeated up to the edge.
	Shift int
	// Scaler scales frames for Fullscreen. If nil, a slow scaler of x/image is used.
	Scaler Scaler
	// NoDither rounds to the nearest color instead of dithering.
	NoDither bool
	// VSync waits for the vertical blank if the driver supports it.
	VSync bool
	// Pan shows frames by flipping between two pages if the memory has room for them. With some drivers panning
	// succeeds and changes nothing, so set it only after a test on that driver.
	Pan bool
	// TTY is the console on which no text may appear, such as "tty1" or "/dev/tty1". "" means the console on standard input, or
	// otherwise the active console. NoTTY means no console.
	TTY string
	// Connector, if not nil, requests a connector instead of a framebuffer.
	Connector *Connector
	// Log, if not nil, receives one line for each new screen, and one for each reason for a missing screen.
	Log *slog.Logger
	// OnRepaint, if not nil, is called when the screen needs the whole frame again. It must neither block nor draw, and should
	// notify the drawing goroutine.
	OnRepaint func()
}

// Validate returns an error for options that can never work on any device.
func (o Options) Validate() error {
	if err := o.Rotate.Validate(); err != nil {
		return err
	}
	if o.Frame != (image.Point{}) && (o.Frame.X < 1 || o.Frame.Y < 1 || o.Frame.X > maxSide || o.Frame.Y > maxSide) {
		return fmt.Errorf("fb: frame size %v is not in 1..%d", o.Frame, maxSide)
	}
	if err := checkPixels(o.Frame.X, o.Frame.Y); err != nil {
		return fmt.Errorf("fb: frame size %w", err)
	}
	if o.Shift < 0 || o.Shift > MaxShift {
		return fmt.Errorf("fb: a shift of %d is not in 0..%d", o.Shift, MaxShift)
	}
	return o.Connector.validate()
}

// ScreenSize opens the device of the options and returns the size of frames that fill it upright, like Keeper.ScreenSize. It closes
// the device again and changes nothing.
func ScreenSize(o Options) (image.Point, error) {
	if o.Connector != nil && o.Virtual == nil {
		return newConnectorSource(o).size()
	}
	dev, err := o.openDevice()
	if err != nil {
		return image.Point{}, err
	}
	defer dev.Close()
	g, err := dev.Geometry()
	if err != nil {
		return image.Point{}, err
	}
	return o.Rotate.size(g.Width, g.Height), nil
}

// openDevice opens the device of Path and Virtual.
func (o Options) openDevice() (Device, error) {
	if o.Virtual != nil {
		return OpenVirtual(o.device(), *o.Virtual)
	}
	return OpenDevice(o.device())
}

// device returns the path of the framebuffer or of the file.
func (o Options) device() string { return cmp.Or(o.Path, DefaultPath) }

// leasesConsole reports whether the console should be kept free of text.
func (o Options) leasesConsole() bool { return o.Virtual == nil && o.TTY != NoTTY }
