package bilinear

import (
	"fmt"
	"image"
)

// source is the picture read by one call: pix begins at its upper left pixel.
type source struct {
	pix           []byte
	stride, width int // bytes from row to row, and bytes of a row
}

func (s *source) row(y int) []byte { return s.pix[y*s.stride:][:s.width] }

// pixels returns the bytes of row y of r in dst.
func pixels(dst *image.RGBA, r image.Rectangle, y int) []byte {
	return dst.Pix[dst.PixOffset(r.Min.X, y):][:4*r.Dx()]
}

// Scale writes only the pixels of dr into dst. They equal the bytes of a scaled whole picture. dr is in destination pixels and is
// clipped to the picture and to dst. dst.Rect is the part of the picture that dst holds. src is the whole source, and its upper
// left pixel is src.Rect.Min. src and dst must not share memory. Scale panics if the size of src differs from the size given to
// [New].
func (s *Scaler) Scale(dst *image.RGBA, dr image.Rectangle, src *image.RGBA) {
	if src.Rect.Dx() != s.x.src || src.Rect.Dy() != s.y.src {
		panic(fmt.Sprintf("bilinear: source of %v pixels, want %dx%d", src.Rect.Size(), s.x.src, s.y.src))
	}
	r := dr.Intersect(dst.Rect).Intersect(image.Rect(0, 0, s.x.dst, s.y.dst))
	if r.Empty() {
		return
	}
	in := source{pix: src.Pix[src.PixOffset(src.Rect.Min.X, src.Rect.Min.Y):], stride: src.Stride, width: 4 * s.x.src}
	switch {
	case s.two != nil:
		s.two.scale(dst, r, &in)
	case s.area != nil:
		x0, x1 := s.x.reads(r.Min.X, r.Max.X)
		s.area.scale(dst, r, &in, x0, x1)
	default:
		for y := r.Min.Y; y < r.Max.Y; y++ {
			copy(pixels(dst, r, y), in.row(y)[4*r.Min.X:])
		}
	}
}

// ScaleRows writes whole destination rows y0 to y1 (exclusive) into strip, and moves strip.Rect to them: (0, y0)-(dstW, y1). So a
// buffer of a few rows is enough for a picture of any height. Strip needs Pix for y1−y0 rows of its Stride. ScaleRows panics if it
// is too small or the rows are not in the picture. Strips of 16 rows or more cost as much as a whole picture: at most two source
// rows are filtered again for each.
func (s *Scaler) ScaleRows(strip *image.RGBA, y0, y1 int, src *image.RGBA) {
	if y0 < 0 || y1 > s.y.dst || y0 > y1 {
		panic(fmt.Sprintf("bilinear: rows %d to %d of %d", y0, y1, s.y.dst))
	}
	r := image.Rect(0, y0, s.x.dst, y1)
	if strip.Stride < 4*r.Dx() || len(strip.Pix) < r.Dy()*strip.Stride {
		panic(fmt.Sprintf("bilinear: strip too small for %v pixels", r.Size()))
	}
	strip.Rect = r
	s.Scale(strip, r, src)
}
