package widgets

import (
	"image"

	"dashboard/render"
	"dashboard/widgets/kit/geometry"
)

// StackParams are the parameters of the stack widget.
type StackParams struct{ Framed }

// stack shows its children over each other, the last on top.
type stack struct {
	b        *Builder
	size     image.Point
	children []*child
	fits     []image.Point
}

func buildStack(b *Builder, s *Spec, _ *StackParams, size image.Point) render.Widget {
	w := &stack{b: b, size: size, children: b.kids(s, size)}
	w.arrange()
	return w
}

// arrange puts each child to its place.
func (w *stack) arrange() {
	w.fits = w.fits[:0]
	for _, k := range w.children {
		w.b.move(k, w.cell(k))
		w.fits = append(w.fits, k.natural(w.size.X))
	}
}

// cell is the rectangle of a child: all of the stack, or its size at its place.
func (w *stack) cell(k *child) image.Rectangle {
	all := image.Rectangle{Max: w.size}
	in := inset(all, w.b.written(k.common.Inset))
	if k.common.Place == nil && k.common.Size == nil {
		return in
	}
	natural := k.natural(in.Dx())
	size := in.Size()
	if s := k.common.Size; s != nil {
		size.X = sideLength(w.b.track(s.Width), in.Dx(), natural.X)
		size.Y = sideLength(w.b.track(s.Height), in.Dy(), natural.Y)
	} else if natural.X > 0 && natural.Y > 0 {
		size = image.Pt(min(natural.X, in.Dx()), min(natural.Y, in.Dy()))
	}
	place := Place{geometry.Center, geometry.Center}
	if k.common.Place != nil {
		place = *k.common.Place
	}
	at := in.Min.Add(image.Pt(offset(place.X, in.Dx()-size.X), offset(place.Y, in.Dy()-size.Y)))
	return image.Rectangle{Min: at, Max: at.Add(size)}
}

// sideLength is how long one side of a child is.
func sideLength(t geometry.Track, whole, natural int) int {
	switch {
	case t.Fit:
		return min(natural, whole)
	case t.Percent > 0:
		return int(float64(whole) * t.Percent / 100)
	}
	return min(t.Length, whole)
}

// offset is how far from the start something is that leaves so much room.
func offset(j geometry.Justify, room int) int {
	switch j {
	case geometry.Center:
		return room / 2
	case geometry.End:
		return room
	}
	return 0
}

// Update implements render.Widget.
func (w *stack) Update(t render.Tick) {
	changed := refreshAll(t, w.children)
	for i, k := range w.children {
		changed = changed || k.shown && k.natural(w.size.X) != w.fits[i]
	}
	if changed {
		w.arrange()
		t.DamageAll()
	}
	updateAll(t, w.children)
}

// Paint implements render.Widget.
func (w *stack) Paint(c render.Canvas) { paintAll(c, w.children) }

// SpaceParams are the parameters of the space widget.
type SpaceParams struct{}

// space shows nothing and takes room.
type space struct{}

func buildSpace(*Builder, *Spec, *SpaceParams, image.Point) render.Widget { return space{} }

// Update implements render.Widget.
func (space) Update(render.Tick) {}

// Paint implements render.Widget.
func (space) Paint(render.Canvas) {}

func (w *stack) reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return reachAll(p, w.children, each)
}
