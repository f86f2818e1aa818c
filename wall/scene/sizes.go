package scene

import (
	"cmp"
	"image"
	"maps"
	"slices"

	"dashboard/config"
	"dashboard/output/panel"
	"dashboard/output/trmnl"
	"dashboard/wall/outputs"
)

// measure sets the size and the scale of a scene's frames. The size comes from the first of these that exists: the command line, a phone,
// a panel that the configured size does not fit, the screen of the scene, the configuration. `display` is the configuration of the
// screens.
func (l *loading) measure(name string, s *Scene, display *config.Node) {
	if display.Kind() == config.Null && l.sound {
		display = l.Conf.Display
	}
	d := s.Graphics.DesignSize()
	design := image.Pt(d.Width, d.Height)
	switch asked := l.from.Size; {
	case asked != (config.Size{}):
		s.Size = image.Pt(asked.Width, asked.Height)
	case l.from.Phones[name].Of != "":
		s.Size = image.Pt(l.from.Phones[name].Size.Width, l.from.Phones[name].Size.Height)
	case l.from.Panel != nil && !l.from.Panel.Fits(design):
		s.Size = l.from.Panel.Upright()
	case s.Graphics.Resolution.Screen:
		s.Sizing = outputs.Sizing{Follows: true, Design: design, Shift: pixelShift(display, s.Outputs, true)}
		s.Size = s.Sizing.Frame(l.screenOf(name, s.Outputs))
	default:
		s.Size = design
		s.Sizing.Shift = pixelShift(display, s.Outputs, false)
	}
	// Subtract the margin for the shift against burn-in, because this margin does not grow with the scale.
	s.Scale = enlarged(design.Sub(image.Pt(2*s.Sizing.Shift, 2*s.Sizing.Shift)), s.Size)
	if !s.Sizing.Follows || s.Size == design {
		s.Scale = enlarged(design, s.Size)
	}
	s.Graphics.TextScale *= s.Scale
}

// maxShift is the maximum shift of a picture against burn-in, in px.
const maxShift = 4

// pixelShift returns the maximum shift of a window's picture, in px. If the configuration has no key pixel_shift, the parameter `usual`
// decides whether there is a shift. A virtual screen has no shift, because it has no burn-in.
func pixelShift(display *config.Node, list []config.Output, usual bool) int {
	w := outputs.FirstWindow(list)
	if asked, ok := display.Get("pixel_shift").Value().(bool); ok {
		usual = asked
	}
	if w == nil || w.Driver == config.DriverVirtual || !usual {
		return 0
	}
	return maxShift
}

// screenOf returns the size of the first window's screen, or of the first panel, or of the first
// e-reader. If there is no such output, it returns zero.
func (l *loading) screenOf(name string, outputs []config.Output) image.Point {
	for _, o := range outputs {
		if o.Window != nil {
			return l.Serving.Screen(o.Window)
		}
	}
	for _, o := range outputs {
		if o.Panel == nil {
			continue
		}
		if m, ok := panel.Named(o.Panel.Model); ok {
			return m.Upright()
		}
	}
	return readerSize(name, outputs)
}

// readerSize returns the size of the first e-reader that shows the view and has a known model. If there is none, it returns zero.
func readerSize(view string, outputs []config.Output) image.Point {
	for _, o := range outputs {
		if o.TRMNL == nil {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(o.TRMNL.Devices)) {
			d := o.TRMNL.Devices[key]
			if d == nil || cmp.Or(d.View, config.MainView) != view {
				continue
			}
			if m, ok := trmnl.Named(d.Model); ok {
				return m.Size
			}
		}
	}
	return image.Point{}
}

// enlarged() returns the factor for lengths and texts of a wall. The parameter `from` is the wall's design size, and `to` is the size in
// which the wall is shown. The factor is the smaller of the factors of the long side and the short side. If the picture is only rotated,
// the factor is 1.
func enlarged(from, to image.Point) float64 {
	long := float64(max(to.X, to.Y)) / float64(max(from.X, from.Y))
	short := float64(min(to.X, to.Y)) / float64(min(from.X, from.Y))
	return min(long, short)
}
