package outputs

import (
	"image"
	"image/draw"
	"sync/atomic"

	"dashboard/appliance/about"
	"dashboard/appliance/startscreen"
	"dashboard/netstream/bilinear"
	"dashboard/output"
	"dashboard/render/text"
)

// A Note contains what windows show over the wall. A window shows only the first of these: Guide, a question in Now, Update, another note
// in Now.
type Note struct {
	Cache  *text.Cache
	Night  func() bool
	Now    atomic.Pointer[startscreen.Content] // nil if there is no note about the machine
	Update atomic.Pointer[startscreen.Update]  // note about an update, or nil
	Guide  atomic.Pointer[Guide]               // guide of the set-up, or nil
}

// A Guide is a guide of the set-up. It covers the screen, or it is a badge in an empty corner.
type Guide struct {
	about.Guide
	Shown *image.RGBA // decoded content of Picture, or nil
}

// A noted is a window that draws a Note over the frames.
type noted struct {
	output.FrameDrawer
	note   *Note
	turned bool // true if the picture is rotated by 180 degrees

	shown  *startscreen.Content
	update *startscreen.Update
	guide  *Guide
	wall   image.Point // size of the frame for which the picture was drawn
	over   startscreen.Over
	above  atomic.Pointer[Above] // guide or question over the wall, or nil
}

// An Above describes the guide or the question that a window shows over the wall. The handling of touches and keys needs this
// description.
type Above struct {
	Guide  *Guide               // nil if there is no guide
	Asks   *startscreen.Content // question, or nil
	At     image.Rectangle      // area of the guide or the question in the picture that a person sees
	Button image.Rectangle      // area of the question's button, or empty
}

// DrawFrame implements output.FrameDrawer. It draws the note into the frame, and restores the frame before it returns.
func (n *noted) DrawFrame(src *image.RGBA, damage []image.Rectangle) error {
	c, u, g := n.note.Now.Load(), n.note.Update.Load(), n.note.Guide.Load()
	if c == nil && n.shown == nil && u == nil && n.update == nil && g == nil && n.guide == nil {
		return n.over.DrawFrame(n.FrameDrawer, src, damage)
	}
	if c != n.shown || u != n.update || g != n.guide || src.Rect.Size() != n.wall {
		n.change(c, u, g, src)
	}
	return n.over.DrawFrame(n.FrameDrawer, src, damage)
}

// change draws the picture of the note or guide that must be shown now.
func (n *noted) change(c *startscreen.Content, u *startscreen.Update, g *Guide, src *image.RGBA) {
	before := image.Rectangle{} // place of the current note about an update, which must not move
	if n.update != nil && n.guide == nil && n.wall == src.Rect.Size() {
		before = n.over.At.Sub(src.Rect.Min)
	}
	n.shown, n.update, n.guide, n.wall = c, u, g, src.Rect.Size()
	var pic *image.RGBA
	var at image.Rectangle
	var above *Above
	defer func() { n.above.Store(above) }()
	switch {
	case g != nil:
		pic, at = n.lead(g, src)
		above = &Above{Guide: g, At: at}
	case c != nil && c.Ask != nil:
		above = &Above{Asks: c}
		at = image.Rectangle{Max: n.wall}
		pic, above.At, above.Button = startscreen.Question(n.wall, *c, n.note.Night(), n.note.Cache)
	case u != nil:
		pic = startscreen.UpdateNote(n.wall, *u, n.note.Night(), n.note.Cache)
		if at = n.updatePlace(u, src, pic.Rect.Size()); before.Size() == at.Size() {
			at = before
			if n.turned { // `at` is rotated below, so set it to the place before the rotation
				at = image.Rectangle{Min: n.wall.Sub(before.Max), Max: n.wall.Sub(before.Min)}
			}
		}
	case c != nil:
		pic, at = startscreen.Note(n.wall, *c, n.note.Night(), n.note.Cache)
	default:
		n.over.Put(nil, image.Rectangle{})
		return
	}
	if n.turned {
		turn(pic)
		at = image.Rectangle{Min: n.wall.Sub(at.Max), Max: n.wall.Sub(at.Min)}
	}
	n.over.Put(pic, at.Add(src.Rect.Min))
}

// updatePlace returns the place of a note about an update. A large card is in the lower left
// corner. A small note is in the first empty corner.
func (n *noted) updatePlace(u *startscreen.Update, src *image.RGBA, size image.Point) image.Rectangle {
	if !u.Card {
		return quietCorner(src, size, n.turned)
	}
	margin := loudMargin * min(n.wall.X, n.wall.Y) / 720
	at := image.Pt(margin, n.wall.Y-margin-size.Y)
	return image.Rectangle{Min: at, Max: at.Add(size)}
}

// lead returns the picture of a guide and its place.
func (n *noted) lead(g *Guide, src *image.RGBA) (*image.RGBA, image.Rectangle) {
	if g.Badge {
		badge := startscreen.Badge(n.wall, g.Guide, n.note.Night(), n.note.Cache)
		return badge, quietCorner(src, badge.Rect.Size(), n.turned)
	}
	pic := image.NewRGBA(image.Rectangle{Max: n.wall})
	if g.Shown == nil {
		startscreen.Guide(pic, g.Guide, n.note.Night(), n.note.Cache)
		return pic, pic.Rect
	}
	draw.Draw(pic, pic.Rect, image.Black, image.Point{}, draw.Src)
	size := g.Shown.Rect.Size()
	at := within(size, n.wall)
	to := *pic.SubImage(at).(*image.RGBA)
	to.Rect = to.Rect.Sub(at.Min)
	bilinear.New(to.Rect.Dx(), to.Rect.Dy(), size.X, size.Y).Scale(&to, to.Rect, g.Shown)
	return pic, pic.Rect
}

// within() returns the largest rectangle that fits in the center of the wall and has the aspect ratio of `size`.
func within(size, wall image.Point) image.Rectangle {
	scaled := image.Pt(wall.X, size.Y*wall.X/max(1, size.X))
	if scaled.Y > wall.Y {
		scaled = image.Pt(size.X*wall.Y/max(1, size.Y), wall.Y)
	}
	at := wall.Sub(scaled).Div(2)
	return image.Rectangle{Min: at, Max: at.Add(scaled)}
}

// turn rotates a picture by 180 degrees in place.
func turn(p *image.RGBA) {
	for i, j := 0, len(p.Pix)-4; i < j; i, j = i+4, j-4 {
		a, b := [4]uint8(p.Pix[i:]), [4]uint8(p.Pix[j:])
		copy(p.Pix[i:], b[:])
		copy(p.Pix[j:], a[:])
	}
}

// noted() returns a window that draws notes over the frames. If o has no Note, it returns the parameter `window` unchanged.
func (o *Set) noted(window output.FrameDrawer, m *Member) output.FrameDrawer {
	if o.Note == nil {
		return window
	}
	m.noted = &noted{FrameDrawer: window, note: o.Note, turned: m.flip}
	return m.noted
}

// Above describes the guide or the question that the window shows over the wall. If there is none, Above returns nil.
func (m *Member) Above() *Above {
	if m.noted == nil {
		return nil
	}
	return m.noted.above.Load()
}

// Redraw makes all windows draw their newest frame again.
func (o *Set) Redraw() {
	for _, m := range o.List() {
		if m.Conf.Window != nil {
			m.Invalidate()
		}
	}
}
