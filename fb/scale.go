package fb

import (
	"image"

	"golang.org/x/image/draw"
)

// A Scaler scales pictures. Scale maps the whole of src onto the whole of dst and paints the part dr of dst. Each painted pixel
// must be the same as if dr were all of dst. It must not depend on pixels farther away than a triangle filter reaches.
type Scaler interface {
	Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA)
}

// PlainScaler is the default Scaler: x/image's bilinear scaler, whose support grows when it shrinks a picture. It accepts any size,
// allocates and is slow.
type PlainScaler struct{}

// Scale implements Scaler.
func (PlainScaler) Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA) {
	part, ok := dst.SubImage(dr).(*image.RGBA)
	if !ok || part.Rect.Empty() {
		return
	}
	draw.BiLinear.Scale(part, dst.Rect, src, src.Rect, draw.Src, nil)
}
