package fb

import (
	"image"

	"golang.org/x/image/draw"
)

// A Scaler scales pictures. Scale maps the whole of src onto the whole of dst and paints the part dr of dst. It must
// paint each pixel as with dr being all of dst, and look no further around a pixel than a triangle filter.
type Scaler interface {
	Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA)
}

// PlainScaler is the Scaler used when none is given: x/image's bilinear one,
// which widens its support when it shrinks. It takes any size, allocates and is
// slow.
type PlainScaler struct{}

// Scale implements Scaler.
func (PlainScaler) Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA) {
	part, ok := dst.SubImage(dr).(*image.RGBA)
	if !ok || part.Rect.Empty() {
		return
	}
	draw.BiLinear.Scale(part, dst.Rect, src, src.Rect, draw.Src, nil)
}
