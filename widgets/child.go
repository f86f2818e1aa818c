package widgets

import (
	"image"

	"dashboard/render"
)

// child is one of several in a container that lays them out anew when one comes or goes.
type child struct {
	spec   *Spec
	common *Common
	within within
	widget render.Widget
	rect   image.Rectangle // empty while it is not shown
	shown  bool
	size   image.Point // for which the widget is built
}

// kids makes the children of s, each built once, for the whole of a size, so that all their mistakes are told.
func (b *Builder) kids(s *Spec, size image.Point) []*child {
	all := make([]*child, len(s.Children))
	for i, spec := range s.Children {
		k := &child{spec: spec, within: b.within, size: size, shown: true}
		k.widget = b.Build(spec, size)
		k.common = b.common(spec)
		all[i] = k
	}
	return all
}

// refresh brings what decides about the children's visibility to now, and reports whether it changed.
func refreshAll(t render.Tick, all []*child) (changed bool) {
	for _, k := range all {
		shown := true
		if h, ok := k.widget.(hideable); ok {
			shown = h.refresh(t)
		}
		if shown != k.shown {
			k.shown, changed = shown, true
		}
	}
	return changed
}

// move puts a child to a rectangle and builds it anew if its size is another one.
func (b *Builder) move(k *child, r image.Rectangle) {
	k.rect = r
	if r.Size() == k.size || r.Empty() {
		return
	}
	k.size = r.Size()
	here := b.within
	b.within = k.within
	k.widget = b.Build(k.spec, k.size)
	b.within = here
}

// natural is how large a child's content is in a width, px.
func (k *child) natural(width int) image.Point {
	if n, ok := k.widget.(sized); ok {
		return n.natural(width)
	}
	return image.Point{}
}

func updateAll(t render.Tick, all []*child) {
	for _, k := range all {
		if k.shown && !k.rect.Empty() {
			k.widget.Update(t.In(k.rect))
		} else {
			k.widget.Update(t.Hidden())
		}
	}
}

func paintAll(c render.Canvas, all []*child) {
	for _, k := range all {
		if k.shown && !k.rect.Empty() && c.Sees(k.rect) {
			k.widget.Paint(c.In(k.rect))
		}
	}
}
