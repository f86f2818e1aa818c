package notice

import (
	"image"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// Sizes of the buttons, in px on a screen whose shorter side has 720 px. A finger needs a height of 9 mm. On a 7-inch screen, this is 52
// of 720 px.
const (
	buttonHigh  = 52
	buttonGap   = 12
	buttonAbove = 18
)

// A noticeButton is an action of a notification.
type noticeButton struct {
	plate kit.Plate
	inner bool // true for a button that is only a frame. On e-paper, this is each button except the first
	label *kit.Caption
}

// layButtons places the buttons side by side below y. It returns the y coordinate at which they end.
func (n *notice) layButtons(x, y, wide int) int {
	b, count := n.b, len(n.n.Actions)
	if count == 0 {
		return y
	}
	y += b.Px(buttonAbove)
	gap, high := b.Px(buttonGap), b.Px(buttonHigh)
	each := max(1, (wide-(count-1)*gap)/count)
	_, f := styled(b, "body", 0, 600)
	for i, c := range n.n.Actions {
		r := image.Rect(x, y, x+each, y+high).Add(image.Pt(i*(each+gap), 0))
		one := noticeButton{label: b.Caption(f, r.Inset(b.Px(6)), kit.EdgeCenter)}
		one.plate.Rect, one.plate.Color = r, n.rule
		one.plate.Corner = render.NewCorner(high/2, r.Size())
		if i == 0 {
			one.plate.Color = n.accent
		} else if b.Look.Ink {
			one.plate.Color, one.inner = n.ink, true
		}
		one.label.Set(c.Label)
		if one.inner && n.innerCorner == nil {
			in := r.Inset(b.Px(inkFrame))
			n.innerCorner = render.NewCorner(in.Dy()/2, in.Size())
		}
		n.buttons = append(n.buttons, one)
	}
	return y + high
}

// shiftButtons moves the buttons down by y px.
func (n *notice) shiftButtons(y int) {
	for i := range n.buttons {
		one := &n.buttons[i]
		one.plate.Rect = one.plate.Rect.Add(image.Pt(0, y))
		one.label.Place(one.label.Box.Add(image.Pt(0, y)))
	}
}

// paintButtons draws the buttons. The first button is filled with the color of the notification.
func (n *notice) paintButtons(c render.Canvas) {
	for i := range n.buttons {
		one := &n.buttons[i]
		if !c.Sees(one.plate.Rect) {
			continue
		}
		one.plate.Paint(c)
		if one.inner {
			r := one.plate.Rect.Inset(n.frame)
			c.FillRound(r, n.innerCorner, n.ground)
		}
		ink := n.ink
		if i == 0 {
			ink = n.ground
		}
		one.label.Paint(c, ink)
	}
}

// chosen() returns the index of the button at a point of the wall, or a negative number if there is no button.
func (n *notice) chosen(p image.Point) int {
	p = p.Sub(n.rect.Min.Add(n.off))
	for i := range n.buttons {
		if p.In(n.buttons[i].plate.Rect) {
			return i
		}
	}
	return -1
}
