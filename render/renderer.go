package render

import (
	"image"
	"time"

	"dashboard/render/damage"
)

// Renderer owns a tree and the frame it is painted on. One goroutine at a time may use it.
type Renderer struct {
	root    Widget
	frame   *image.RGBA
	flipped *image.RGBA // the frame turned by 180 degrees, nil if it is shown upright
	pass    pass
	turned  damage.List
	full    bool
}

// New returns a renderer of frames of the given size, px. The root fills the frame and paints every
// pixel of it opaque. flip turns the finished frame by 180 degrees.
func New(root Widget, size image.Point, flip bool) *Renderer {
	r := &Renderer{root: root, frame: image.NewRGBA(image.Rectangle{Max: size}), full: true}
	if flip {
		r.flipped = image.NewRGBA(r.frame.Rect)
	}
	return r
}

// SetRoot puts another tree in place; the next frame is painted whole.
func (r *Renderer) SetRoot(root Widget) { r.root, r.full = root, true }

// Repaint makes the next frame be painted whole.
func (r *Renderer) Repaint() { r.full = true }

// Frame is the finished picture: premultiplied RGBA, opaque, valid until the next Step.
func (r *Renderer) Frame() *image.RGBA {
	if r.flipped != nil {
		return r.flipped
	}
	return r.frame
}

// Step brings the tree to now and paints what changed. It returns the damage, rectangles of Frame that
// hold every changed pixel (valid until the next Step; empty if nothing changed), and when the tree
// next changes by itself (zero: never). It allocates nothing.
func (r *Renderer) Step(now time.Time) (changed []image.Rectangle, next time.Time) {
	r.pass.now, r.pass.next = now, time.Time{}
	r.pass.damage.Reset()
	r.root.Update(Tick{pass: &r.pass, clip: r.frame.Rect})
	if r.full {
		r.pass.damage.Add(r.frame.Rect)
		r.full = false
	}
	for _, clip := range r.pass.damage.Rects() {
		clip = clip.Intersect(r.frame.Rect)
		r.root.Paint(Canvas{Dst: r.frame, Clip: clip, Org: r.frame.Rect.Min})
	}
	return r.finish(), r.pass.next
}

// Trace paints the whole tree as it is once more, which changes no pixel: for those who watch what paints where.
// Before the first Step of a tree it does nothing.
func (r *Renderer) Trace() {
	if r.full {
		return
	}
	r.root.Paint(Canvas{Dst: r.frame, Clip: r.frame.Rect, Org: r.frame.Rect.Min})
}

// finish turns the changed parts where the frame is shown upside down, and returns the damage of what
// is shown.
func (r *Renderer) finish() []image.Rectangle {
	if r.flipped == nil {
		return clipAll(r.pass.damage.Rects(), r.frame.Rect)
	}
	r.turned.Reset()
	for _, d := range r.pass.damage.Rects() {
		r.turned.Add(turn180(r.flipped, r.frame, d.Intersect(r.frame.Rect)))
	}
	return r.turned.Rects()
}

// clipAll cuts the rectangles to bounds in place.
func clipAll(rects []image.Rectangle, bounds image.Rectangle) []image.Rectangle {
	for i := range rects {
		rects[i] = rects[i].Intersect(bounds)
	}
	return rects
}

// turn180 copies d of src, turned about the middle of the frame, to dst, and returns where it went.
func turn180(dst, src *image.RGBA, d image.Rectangle) image.Rectangle {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	for y := d.Min.Y; y < d.Max.Y; y++ {
		i := src.PixOffset(d.Min.X, y)
		j := dst.PixOffset(w-1-d.Min.X, h-1-y)
		for range d.Dx() {
			copy(dst.Pix[j:j+4:j+4], src.Pix[i:i+4:i+4])
			i, j = i+4, j-4
		}
	}
	return image.Rect(w-d.Max.X, h-d.Max.Y, w-d.Min.X, h-d.Min.Y)
}
