package outputs

import (
	"image"
	"image/draw"
	"sync/atomic"

	"dashboard/appliance/startscreen"
	"dashboard/output"
	"dashboard/render/text"
)

// A Note is what windows draw over the wall.
type Note struct {
	Cache *text.Cache
	Night func() bool
	Now   atomic.Pointer[startscreen.Content] // nil for none
}

// A noted is an output that draws the note over the frames it is given.
type noted struct {
	output.FrameDrawer
	note   *Note
	turned bool // frames come turned by 180 degrees

	shown *startscreen.Content
	wall  image.Point // the size that pic was made for
	pic   *image.RGBA
	at    image.Rectangle // of pic on the frame
	under *image.RGBA     // what the frame has there
	more  []image.Rectangle
}

// DrawFrame implements output.FrameDrawer. The frame is unchanged when it returns.
func (n *noted) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	c := n.note.Now.Load()
	if c == nil && n.shown == nil {
		return n.FrameDrawer.DrawFrame(src, damage)
	}
	if c != n.shown || src.Rect.Size() != n.wall {
		n.more = append(append(n.more[:0], damage...), n.at.Intersect(src.Rect))
		n.change(c, src.Rect)
		damage = append(n.more, n.at)
	}
	if n.pic == nil || !touched(damage, n.at) {
		return n.FrameDrawer.DrawFrame(src, damage)
	}
	draw.Draw(n.under, n.under.Rect, src, n.at.Min, draw.Src)
	draw.Draw(src, n.at, n.pic, image.Point{}, draw.Over)
	err := n.FrameDrawer.DrawFrame(src, damage)
	draw.Draw(src, n.at, n.under, image.Point{}, draw.Src)
	return err
}

// change makes the picture of another note.
func (n *noted) change(c *startscreen.Content, frame image.Rectangle) {
	n.shown, n.wall = c, frame.Size()
	n.pic, n.under, n.at = nil, nil, image.Rectangle{}
	if c == nil {
		return
	}
	n.pic, n.at = startscreen.Note(n.wall, *c, n.note.Night(), n.note.Cache)
	if n.turned {
		turn(n.pic)
		n.at = image.Rectangle{Min: n.wall.Sub(n.at.Max), Max: n.wall.Sub(n.at.Min)}
	}
	n.at = n.at.Add(frame.Min)
	n.under = image.NewRGBA(n.pic.Rect)
}

// turn turns a picture by 180 degrees.
func turn(p *image.RGBA) {
	for i, j := 0, len(p.Pix)-4; i < j; i, j = i+4, j-4 {
		a, b := [4]uint8(p.Pix[i:]), [4]uint8(p.Pix[j:])
		copy(p.Pix[i:], b[:])
		copy(p.Pix[j:], a[:])
	}
}

func touched(damage []image.Rectangle, at image.Rectangle) bool {
	for _, r := range damage {
		if r.Overlaps(at) {
			return true
		}
	}
	return false
}

// noted is a window with the note of the machine, where there may be one.
func (o *Set) noted(window output.FrameDrawer, turned bool) output.FrameDrawer {
	if o.Note == nil {
		return window
	}
	return &noted{FrameDrawer: window, note: o.Note, turned: turned}
}

// Redraw has the windows drawn again.
func (o *Set) Redraw() {
	for _, m := range o.List() {
		if m.Conf.Window != nil {
			m.Invalidate()
		}
	}
}
