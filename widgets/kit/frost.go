package kit

import (
	"image"
	"image/color"

	"dashboard/render"
	"dashboard/render/path"
)

// frost is the blur behind a translucent card and the light line along the card's edge. A nil frost draws nothing: the card is opaque or
// has no blur.
type frost struct {
	rect   image.Rectangle
	behind *render.Frost
	rim    path.Shape
}

// frosted() creates the blur behind a translucent card. `blur` is a standard deviation in px.
func (w *Frame) frosted(blur, radius int) {
	if w.surface.Color.A == 255 || w.surface.Color.A == 0 {
		return
	}
	behind := render.NewFrost(w.rect.Size(), float64(blur))
	if behind == nil {
		return
	}
	w.frost = &frost{rect: w.rect, behind: behind}
	w.corners = render.NewStencil(radius, w.rect.Size())
	w.surface.Corner = nil // the stencil already rounds the corners
	line := max(1, w.b.Px(1))
	o := &w.b.Outlines
	o.Begin()
	half := float64(line) / 2
	o.Line.RoundRect(half, half, float64(w.rect.Dx())-half, float64(w.rect.Dy())-half, float64(radius)-half)
	o.Stroke(&w.frost.rim, path.Pen{Width: float64(line)}, image.Rectangle{Max: w.rect.Size()})
}

// update requests a new blur if the content behind the card changed.
func (f *frost) update(t render.Tick) {
	if f == nil || !t.Damaged(f.rect) {
		return
	}
	f.behind.Stale()
	t.Damage(f.rect)
}

// take copies the content behind the card from the canvas. If the card is painted into another buffer, that buffer lacks the content.
func (f *frost) take(c render.Canvas) {
	if f != nil {
		f.behind.Take(c, f.rect.Min)
	}
}

func (f *frost) paint(c render.Canvas) {
	if f != nil && c.Sees(f.rect) {
		f.behind.Paint(c, f.rect.Min)
	}
}

func (f *frost) paintRim(c render.Canvas) {
	if f != nil && c.Sees(f.rect) {
		c.Shape(&f.rim, f.rect.Min, color.RGBA{31, 31, 31, 31}) // white with an opacity of 12 %
	}
}
