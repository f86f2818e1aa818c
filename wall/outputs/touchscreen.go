package outputs

import (
	"image"
)

// FramePoint is where on the frame a place of the screen is touched, which is given as the touchscreen has it: its own turn, that
// of the window, scaling and graphics.flip are undone.
func (m *Member) FramePoint(x, y float64) (image.Point, bool) {
	if c := m.Conf.Window.TouchMatrix; len(c) == 6 {
		x, y = c[0]*x+c[1]*y+c[2], c[3]*x+c[4]*y+c[5]
	}
	p, ok := m.Window.Keeper().FramePoint(x, y)
	if m.flip {
		p = m.size.Sub(p).Sub(image.Pt(1, 1))
	}
	return p, ok
}
