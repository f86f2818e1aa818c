// Package window makes the window output of a configuration in package fb's form.
package window

import (
	"cmp"
	"fmt"
	"image"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/netstream/bilinear"
)

// Options are the options of a window for frames of a size, in pixels. An error describes settings that can never work
// on any device.
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

// connector is a window's request to a graphics card, nil if it is a framebuffer.
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

// A Screen is a window that has its own size, which a wall may take. Compare it with the last size when the window
// needs its whole picture again.
type Screen interface {
	// ScreenSize is the size of frames that fill the screen upright, in pixels, zero before the first screen. It does
	// not wait.
	ScreenSize() image.Point
}

var _ Screen = (*fb.Keeper)(nil)

// ScreenSize is the size of frames that fill a window's screen upright, in pixels, zero if there is none now. The
// screen is only asked, not changed. A virtual one has the written size.
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
		return image.Point{} // the reason is reported when it is opened
	}
	return size
}

// A scaler fits the sizes that the framebuffer requests, and keeps the tables of the latest pair. Sides that bilinear
// does not take, of several screens driven as one, are left to the plain scaler.
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
