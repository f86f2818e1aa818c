package fb

import (
	"image"

	"golang.org/x/image/draw"
)

// A Scaler scales pictures. Scale maps all of src to all of dst, but paints only the part dr of dst. Each painted pixel must be the same as
// if dr was all of dst. A painted pixel may only depend on source pixels within the reach of a triangle filter.
type Scaler interface {
	Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA)
}

// PlainScaler is the default Scaler. It uses the bilinear scaler of golang.org/x/image, which averages when it shrinks a picture. It
// accepts any size, allocates memory and is slow.
type PlainScaler struct{}

// Scale implements Scaler.
func (PlainScaler) Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA) {
	part, ok := dst.SubImage(dr).(*image.RGBA)
	if !ok || part.Rect.Empty() {
		return
	}
	draw.BiLinear.Scale(part, dst.Rect, src, src.Rect, draw.Src, nil)
}
