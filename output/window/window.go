// Package window converts a window output of the configuration to the options of package fb.
package window

import (
	"cmp"
	"fmt"
	"image"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/netstream/bilinear"
)

// Options returns the options of a window. `frame` is the size of the frames in px. Options returns an error if the settings cannot work on
// any machine.
func Options(c *config.WindowOutput, frame image.Point) (fb.Options, error) {
	o := fb.Options{
		Path: c.Device, Frame: frame, Rotate: fb.Rotation(c.Rotate), Fullscreen: c.Fullscreen,
		Scaler: &scaler{}, VSync: c.VSync == nil || *c.VSync, Pan: c.Pan, TTY: c.TTY, Connector: connector(c),
	}
	if c.Driver == config.DriverVirtual {
		v := fb.Virtual{Width: frame.X, Height: frame.Y}
		if c.Size != nil {
			v.Width, v.Height = c.Size.Width, c.Size.Height
		}
		var err error
		if v.Format, err = fb.ParseFormat(cmp.Or(c.Format, "xrgb8888")); err != nil {
			return o, fmt.Errorf("format: %w", err)
		}
		o.Virtual = &v
	}
	return o, o.Validate()
}

// connector returns the graphics connector that a window requests. If the window uses a framebuffer, connector returns nil.
func connector(c *config.WindowOutput) *fb.Connector {
	if !c.Connects() {
		return nil
	}
	k := &fb.Connector{Name: c.Connector, Mode: c.Mode, Range: c.RGBRange, Else: c.Driver == config.DriverAuto}
	if c.MaxSize != nil {
		k.MaxSize = image.Pt(c.MaxSize.Width, c.MaxSize.Height)
	}
	return k
}

// A Screen is a window whose frames follow the size of its screen. The size may change, so callers check it again whenever the window
// requests a whole picture.
type Screen interface {
	// ScreenSize returns the size of frames that fill the screen after the configured rotation, in
	// px. Until a screen is found, it returns zero. It does not block.
	ScreenSize() image.Point
}

var _ Screen = (*fb.Keeper)(nil)

// ScreenSize returns the size of frames that fill a window's screen after the configured rotation, in px. If the size is not known, it
// returns zero. It opens the screen only for reading. A virtual screen has the configured size.
func ScreenSize(c *config.WindowOutput) image.Point {
	if c.Driver == config.DriverVirtual {
		if c.Size == nil {
			return image.Point{}
		}
		if c.Rotate == 90 || c.Rotate == 270 {
			return image.Pt(c.Size.Height, c.Size.Width)
		}
		return image.Pt(c.Size.Width, c.Size.Height)
	}
	size, err := fb.ScreenSize(fb.Options{Path: c.Device, Rotate: fb.Rotation(c.Rotate), Connector: connector(c)})
	if err != nil {
		return image.Point{} // the error is reported when the window is opened
	}
	return size
}

// A scaler scales frames to the sizes that the framebuffer requests. It keeps the tables for the latest pair of sizes. If a side is too
// long for package bilinear, for example on a large screen that consists of several screens, it uses fb.PlainScaler.
type scaler struct {
	dst, src image.Point
	s        *bilinear.Scaler
}

var _ fb.Scaler = (*scaler)(nil)

// Scale implements fb.Scaler.
func (s *scaler) Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA) {
	if max(dst.Rect.Dx(), dst.Rect.Dy(), src.Rect.Dx(), src.Rect.Dy()) > bilinear.MaxSide {
		fb.PlainScaler{}.Scale(dst, dr, src)
		return
	}
	if s.s == nil || s.dst != dst.Rect.Size() || s.src != src.Rect.Size() {
		s.dst, s.src = dst.Rect.Size(), src.Rect.Size()
		s.s = bilinear.New(s.dst.X, s.dst.Y, s.src.X, s.src.Y)
	}
	s.s.Scale(dst, dr, src)
}
