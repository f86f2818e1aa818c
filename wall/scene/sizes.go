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

// measure finds the size of a scene's frames: the command line's, or the size of its window's screen, or the written
// one. display is the configuration of its screens.
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
	s.Scale = enlarged(design.Sub(image.Pt(2*s.Sizing.Shift, 2*s.Sizing.Shift)), s.Size) // the design has the same room around it
	if !s.Sizing.Follows || s.Size == design {
		s.Scale = enlarged(design, s.Size)
	}
	s.Graphics.TextScale *= s.Scale
}

// maxShift is how far a picture is moved against burn-in, px.
const maxShift = 4

// pixelShift is how far the picture of a window is moved, px: the written value, or usual. A virtual screen has no
// burn-in.
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

// screenOf is the size of the screen among the outputs, or the size of a panel or an e-reader, zero without one.
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

// readerSize is the size of the first e-reader that shows a view and whose model is written, zero without one.
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

// enlarged is by how much lengths and texts grow when a wall is drawn in another size: the smaller of the two ratios, after
// turning. A picture that is only turned keeps them.
func enlarged(from, to image.Point) float64 {
	long := float64(max(to.X, to.Y)) / float64(max(from.X, from.Y))
	short := float64(min(to.X, to.Y)) / float64(min(from.X, from.Y))
	return min(long, short)
}
