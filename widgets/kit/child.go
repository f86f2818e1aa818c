package kit

import (
	"image"

	"dashboard/render"
)

// Child is a child of a container. When a child is hidden or shown again, the container arranges its children again.
type Child struct {
	Spec   *Spec
	Common *Common
	Within within
	Widget render.Widget
	Rect   image.Rectangle // empty while the child is hidden
	Shown  bool
	Size   image.Point // size for which the widget was built
}

// Kids builds all children of s for the given size. It also builds hidden children, so that all errors are reported.
func (b *Builder) Kids(s *Spec, size image.Point) []*Child {
	all := make([]*Child, len(s.Children))
	for i, spec := range s.Children {
		k := &Child{Spec: spec, Within: b.Within, Size: size, Shown: true}
		k.Widget = b.Build(spec, size)
		k.Common = b.Common(spec)
		all[i] = k
	}
	return all
}

// RefreshAll updates the visibility of the children and reports whether the visibility of a child changed.
func RefreshAll(t render.Tick, all []*Child) (changed bool) {
	for _, k := range all {
		shown := true
		if h, ok := k.Widget.(Hideable); ok {
			shown = h.Refresh(t)
		}
		if shown != k.Shown {
			k.Shown, changed = shown, true
		}
	}
	return changed
}

// Move sets the rectangle of a child. If the rectangle has a new size and is not empty, Move builds the child again in this size.
func (b *Builder) Move(k *Child, r image.Rectangle) {
	k.Rect = r
	if r.Size() == k.Size || r.Empty() {
		return
	}
	k.Size = r.Size()
	here := b.Within
	b.Within = k.Within
	before, old := b.pictured, k.Widget
	k.Widget = b.Build(k.Spec, k.Size)
	b.dropPictures(k.Spec, before)
	b.Within = here
	succeed(old, k.Widget)
}

// A Successor is a widget that replaces an earlier widget of another size. Until its own picture is loaded, it shows the picture of the
// earlier widget.
type Successor interface {
	// Succeed is called with the earlier widget, without its frame.
	Succeed(old render.Widget)
}

// succeed() passes the widget `old` to the widget `fresh`, which replaces it.
func succeed(old, fresh render.Widget) {
	before, ok := old.(*Guard)
	after, ok2 := fresh.(*Guard)
	if !ok || !ok2 {
		return
	}
	in, _ := after.Content()
	if s, ok := in.(Successor); ok {
		of, _ := before.Content()
		s.Succeed(of)
	}
}

// Natural returns the natural size of a child's content for a width in px.
func (k *Child) Natural(width int) image.Point {
	if n, ok := k.Widget.(Sized); ok {
		return n.Natural(width)
	}
	return image.Point{}
}

// UpdateAll updates the children. It updates hidden children with a hidden tick.
func UpdateAll(t render.Tick, all []*Child) {
	for _, k := range all {
		if k.Shown && !k.Rect.Empty() {
			k.Widget.Update(t.In(k.Rect))
		} else {
			k.Widget.Update(t.Hidden())
		}
	}
}

// PaintAll paints the children that are shown.
func PaintAll(c render.Canvas, all []*Child) {
	for _, k := range all {
		if k.Shown && !k.Rect.Empty() && c.Sees(k.Rect) {
			k.Widget.Paint(c.In(k.Rect))
		}
	}
}
