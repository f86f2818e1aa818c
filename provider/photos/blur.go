package photos

import (
	"context"
	"image"
	"image/color"
	"image/draw"

	"dashboard/render/picture"
)

const (
	// coarse is the length, in pixels, of the longer side of the small picture from which a blurred background is made. When this picture
	// is enlarged, only soft areas of color remain.
	coarse = 20
	// dim is the opacity of the black layer over a blurred background, from 0 to 255.
	dim = 110
)

// blurred() returns a picture that fills the box: the whole picture on a blurred and darkened copy of itself.
func blurred(ctx context.Context, data []byte, whole *picture.Picture, box image.Point) (*picture.Picture, error) {
	long := max(box.X, box.Y)
	small := image.Pt(max(1, box.X*coarse/long), max(1, box.Y*coarse/long))
	tiny, err := picture.Decode(ctx, data, small, picture.Cover, true)
	if err != nil {
		return nil, err
	}
	opaque := image.NewRGBA(tiny.Frames[0].Img.Rect)
	draw.Draw(opaque, opaque.Rect, image.Black, image.Point{}, draw.Src)
	draw.Draw(opaque, opaque.Rect, tiny.Frames[0].Img, opaque.Rect.Min, draw.Over)
	out := image.NewRGBA(image.Rectangle{Max: box})
	picture.Scale(out, opaque)
	draw.Draw(out, out.Rect, image.NewUniform(color.RGBA{A: dim}), image.Point{}, draw.Over)
	draw.Draw(out, whole.Rect, whole.Frames[0].Img, image.Point{}, draw.Over)
	return &picture.Picture{Frames: []picture.Frame{{Img: out}}, Rect: out.Rect, Opaque: true}, nil
}
