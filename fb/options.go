package fb

import (
	"cmp"
	"fmt"
	"image"
	"log/slog"
)

// NoTTY is a value of Options.TTY. With this value, the console is not changed.
const NoTTY = "none"

// Options describe a display. The zero value uses DefaultPath, frames of the screen's size, no rotation, and dithering.
type Options struct {
	// Path is the device, or the file if Virtual is set. "" means DefaultPath.
	Path string
	// Virtual, if not nil, describes a file at Path that is used like a framebuffer.
	Virtual *Virtual
	// Frame is the size of the frames. Zero means the size of the screen after rotation.
	Frame image.Point
	// Rotate rotates the picture clockwise.
	Rotate Rotation
	// Fullscreen scales the frame to the whole screen. Otherwise the frame is shown in its own size in the center of a black screen.
	Fullscreen bool
	// Shift is the greatest distance of the picture from its normal position, in pixels. To prevent burn-in, the picture moves by one
	// pixel each minute. With 0, it does not move. To leave space for the movement, the picture is smaller than the screen by Shift on
	// each side. The picture's outermost pixels are repeated up to the edge of the screen.
	Shift int
	// Scaler scales frames for Fullscreen. nil means PlainScaler, which is slow.
	Scaler Scaler
	// NoDither turns dithering off: each pixel gets the nearest color.
	NoDither bool
	// VSync makes draws wait for the vertical blank if the driver supports it.
	VSync bool
	// Pan uses two pages, if the memory has room for them: a frame is painted on the hidden page, which is then shown. Some drivers accept
	// the request to show a page but do nothing, so set Pan only after a test with that driver.
	Pan bool
	// TTY is the console on which no text may appear, such as "tty1" or "/dev/tty1". "" means the console at standard input, or the
	// active console if standard input is no console. NoTTY means no console.
	TTY string
	// Connector, if not nil, makes the display use a connector instead of a framebuffer.
	Connector *Connector
	// Log, if not nil, receives a line for each new screen, and for each new reason for a missing screen.
	Log *slog.Logger
	// OnRepaint, if not nil, is called when the whole frame must be drawn again. It must not block or draw. It should wake the goroutine
	// that draws.
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

// ScreenSize opens the device of the options, and returns its size after rotation, like Keeper.ScreenSize. Then it closes the device. It
// does not change anything on the screen.
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

// openDevice opens the framebuffer or the file at Path.
func (o Options) openDevice() (Device, error) {
	if o.Virtual != nil {
		return OpenVirtual(o.device(), *o.Virtual)
	}
	return OpenDevice(o.device())
}

// device returns the path of the framebuffer or of the file.
func (o Options) device() string { return cmp.Or(o.Path, DefaultPath) }

// leasesConsole reports whether the display needs a lease of a console.
func (o Options) leasesConsole() bool { return o.Virtual == nil && o.TTY != NoTTY }
