package kit

import (
	"image"

	"dashboard/render"
)

// stopped is the panel that replaces a widget after a panic, on a modern wall. The panel keeps the widget's title line.
type stopped struct {
	outline, plate Plate
	head           *Head // nil without a title line
	words          *Failing
	box            image.Rectangle // box of `words`
}

// newStopped returns the panel for a guard.
func newStopped(g *Guard) *stopped {
	b := &Builder{Env: *g.env}
	rect := image.Rectangle{Max: g.size}
	pad := min(b.Px(b.Look.Sizes.Padding), min(g.size.X, g.size.Y)/8)
	w, name := &stopped{box: rect.Inset(pad)}, g.name
	if f, ok := g.Inner.(*Frame); ok {
		rect = f.rect
		if f.surface.Color.A > 0 {
			w.box = f.Body
		}
		if f.Head != nil && !f.Head.Inside {
			w.head, w.box, name = f.Head, f.Body, ""
		}
	}
	line, radius := b.Px(1), min(b.Px(b.Look.Sizes.Radius), min(rect.Dx(), rect.Dy())/2)
	inside := Inset(rect, line)
	w.outline = Plate{Rect: rect, Corner: render.NewCorner(radius, rect.Size()), Color: b.Role("line")}
	w.plate = Plate{Rect: inside, Corner: render.NewCorner(max(0, radius-line), inside.Size()), Color: b.Role("surface")}
	w.words = b.Failing(w.box.Size())
	w.words.stopped(name, g.pos)
	return w
}

// paint draws the panel.
func (w *stopped) paint(c render.Canvas) {
	w.outline.Paint(c)
	w.plate.Paint(c)
	w.paintHead(c)
	w.words.Paint(c.In(w.box))
}

// paintHead draws the title line. Because the title line belongs to the widget that panicked, its Paint may also panic. In this case, no
// title line is drawn.
func (w *stopped) paintHead(c render.Canvas) {
	defer func() { _ = recover() }()
	if w.head != nil {
		w.head.Paint(c)
	}
}
