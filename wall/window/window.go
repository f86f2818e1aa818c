// Package window converts the window output of a configuration to the form of package fb.
package window

import (
	"cmp"
	"fmt"
	"image"

	"dashboard/config"
	"dashboard/fb"
	"dashboard/netstream/bilinear"
)

// Options returns the options of a window for frames of a size in pixels. It returns an error for settings that can never work on
// any device.
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

// connector returns a window's request to a graphics card, or nil for a framebuffer.
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

// A Screen is a window with its own size, which a wall may use. When the window requests its whole picture, compare the size with
// the last one.
type Screen interface {
	// ScreenSize returns the size of frames that fill the upright screen, in pixels, or zero before the first screen. It does not
	// block.
	ScreenSize() image.Point
}

var _ Screen = (*fb.Keeper)(nil)

// ScreenSize returns the size of frames that fill a window's upright screen, in pixels, or zero. It reads from
// the screen but does not change it. A virtual screen has the configured size.
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
		return image.Point{} // the reason is reported when the window is opened
	}
	return size
}

// A scaler scales pictures to the sizes that the framebuffer requests, and caches the tables for the latest sizes. If several
// screens are driven as one, sides may be too long for package bilinear, and the plain scaler is used.
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
