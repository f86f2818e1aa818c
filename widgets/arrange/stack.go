package arrange

import (
	"image"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/geometry"
)

// StackParams are the parameters of the stack widget.
type StackParams struct{ kit.Framed }

// stack shows its children on top of each other, with the last child at the top.
type stack struct {
	b        *kit.Builder
	size     image.Point
	children []*kit.Child
	fits     []image.Point
}

func buildStack(b *kit.Builder, s *kit.Spec, _ *StackParams, size image.Point) render.Widget {
	w := &stack{b: b, size: size, children: b.Kids(s, size)}
	w.arrange()
	return w
}

// arrange computes the rectangles of the children.
func (w *stack) arrange() {
	w.fits = w.fits[:0]
	for _, k := range w.children {
		w.b.Move(k, w.cell(k))
		w.fits = append(w.fits, k.Natural(w.size.X))
	}
}

// cell() returns the rectangle of a child. If the file sets no size and no place, the child fills the stack up to its inset. If the file
// sets only the place, the child has its natural size. If the file sets only the size, the child is in the center.
func (w *stack) cell(k *kit.Child) image.Rectangle {
	all := image.Rectangle{Max: w.size}
	in := kit.Inset(all, w.b.Written(k.Common.Inset))
	if k.Common.Place == nil && k.Common.Size == nil {
		return in
	}
	natural := k.Natural(in.Dx())
	size := in.Size()
	if s := k.Common.Size; s != nil {
		size.X = sideLength(Track(w.b, s.Width), in.Dx(), natural.X)
		size.Y = sideLength(Track(w.b, s.Height), in.Dy(), natural.Y)
	} else if natural.X > 0 && natural.Y > 0 {
		size = image.Pt(min(natural.X, in.Dx()), min(natural.Y, in.Dy()))
	}
	place := kit.Place{X: geometry.Center, Y: geometry.Center}
	if k.Common.Place != nil {
		place = *k.Common.Place
	}
	at := in.Min.Add(image.Pt(offset(place.X, in.Dx()-size.X), offset(place.Y, in.Dy()-size.Y)))
	return image.Rectangle{Min: at, Max: at.Add(size)}
}

// sideLength returns the width or height of a child in px. `whole` is the length of the stack's side, and `natural` is the length of the
// child's content.
func sideLength(t geometry.Track, whole, natural int) int {
	switch {
	case t.Fit:
		return min(natural, whole)
	case t.Percent > 0:
		return int(float64(whole) * t.Percent / 100)
	}
	return min(t.Length, whole)
}

// offset() returns the distance of a child from the start of the stack's side, in px. `room` is the part of this side, in px, that the
// child leaves free.
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
	changed := kit.RefreshAll(t, w.children)
	for i, k := range w.children {
		changed = changed || k.Shown && k.Natural(w.size.X) != w.fits[i]
	}
	if changed {
		w.arrange()
		t.DamageAll()
	}
	kit.UpdateAll(t, w.children)
}

// Paint implements render.Widget.
func (w *stack) Paint(c render.Canvas) { kit.PaintAll(c, w.children) }

// SpaceParams are the parameters of the space widget.
type SpaceParams struct{}

// space is an empty widget that takes room.
type space struct{}

func buildSpace(*kit.Builder, *kit.Spec, *SpaceParams, image.Point) render.Widget { return space{} }

// Update implements render.Widget.
func (space) Update(render.Tick) {}

// Paint implements render.Widget.
func (space) Paint(render.Canvas) {}

// Reach implements kit.Holder.
func (w *stack) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return kit.ReachAll(p, w.children, each)
}
