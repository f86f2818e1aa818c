package render

import (
	"image"
	"time"

	"dashboard/render/ink"
)

// Renderer owns a tree and the frame on which the tree is painted. Only one goroutine at a time may use it.
type Renderer struct {
	root    Widget
	frame   *image.RGBA
	pass    pass
	full    bool
	painted bool       // true if at least one frame was painted
	fade    *crossFade // nil if no fade is running
}

// New returns a renderer for frames of the given size in px. The root widget must fill the frame and paint every pixel opaque.
func New(root Widget, size image.Point) *Renderer {
	return &Renderer{root: root, frame: image.NewRGBA(image.Rectangle{Max: size}), full: true}
}

// SetRoot replaces the tree. The next Step paints the whole frame.
func (r *Renderer) SetRoot(root Widget) { r.root, r.full = root, true }

// Repaint makes the next Step paint the whole frame.
func (r *Renderer) Repaint() { r.full = true }

// Frame returns the finished picture in premultiplied RGBA. All its pixels are opaque. It is valid until the next Step.
func (r *Renderer) Frame() *image.RGBA { return r.frame }

// Regions returns the photos of the finished picture, and the content that covers parts of the photos. The result is valid until the next
// Step.
func (r *Renderer) Regions() *ink.Regions { return &r.pass.regions }

// Due returns the earliest time that widgets reported with Tick.Due, or the zero time.
func (r *Renderer) Due() time.Time { return r.pass.due }

// Step updates the tree to the time `now` and paints the changes. It returns rectangles of Frame that contain every changed pixel. The
// rectangles are valid until the next Step. `next` is the time of the tree's next scheduled change, or zero. Step allocates nothing.
func (r *Renderer) Step(now time.Time) (changed []image.Rectangle, next time.Time) {
	r.pass.now, r.pass.next, r.pass.due = now, time.Time{}, time.Time{}
	r.pass.damage.Reset()
	r.pass.regions.Reset()
	r.root.Update(r.pass.start(r.frame.Rect))
	if r.full {
		r.pass.damage.Add(r.frame.Rect)
		r.full = false
	}
	for _, clip := range r.pass.damage.Rects() {
		clip = clip.Intersect(r.frame.Rect)
		r.root.Paint(Canvas{Dst: r.target(), Clip: clip, Org: r.frame.Rect.Min})
	}
	r.painted = true
	if r.fade != nil {
		r.mix(now)
	}
	return clipAll(r.pass.damage.Rects(), r.frame.Rect), r.pass.next
}

// Trace paints the whole tree again, although no pixel changes. Callers use it to record where each widget paints. It does nothing if the
// next Step will paint the whole frame, for example before the first Step of a tree.
func (r *Renderer) Trace() {
	if r.full {
		return
	}
	r.root.Paint(Canvas{Dst: r.target(), Clip: r.frame.Rect, Org: r.frame.Rect.Min})
}

// clipAll clips the rectangles to bounds in place.
func clipAll(rects []image.Rectangle, bounds image.Rectangle) []image.Rectangle {
	for i := range rects {
		rects[i] = rects[i].Intersect(bounds)
	}
	return rects
}
