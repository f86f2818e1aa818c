package bilinear

import (
	"fmt"
	"image"
)

// source is the source picture of one call. `pix` begins at the picture's top left pixel.
type source struct {
	pix           []byte
	stride, width int // distance between rows, and length of a row, both in bytes
}

func (s *source) row(y int) []byte { return s.pix[y*s.stride:][:s.width] }

// pixels() returns the bytes of row y of dst, from the left to the right edge of r.
func pixels(dst *image.RGBA, r image.Rectangle, y int) []byte {
	return dst.Pix[dst.PixOffset(r.Min.X, y):][:4*r.Dx()]
}

// Scale scales src and writes the part `dr` of the scaled picture to dst. Each written pixel is the same as if the whole picture was
// scaled. `dr` is in pixels of the scaled picture. Only the part of `dr` that lies in dst and in the scaled picture is written. dst.Rect is
// the position of dst in the scaled picture. src must be the whole source, whose top left pixel is at src.Rect.Min. src and dst must not
// share memory. Scale panics if src does not have the size given to [New].
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

// ScaleRows writes the complete rows y0 to y1-1 of the scaled picture to `strip`, and sets strip.Rect to (0, y0)-(dstW, y1). So a small
// buffer is enough for a picture of any height. strip.Pix must have room for y1−y0 rows of strip.Stride bytes. ScaleRows panics if
// strip.Pix is too small, or if the rows are outside the picture. Scaling in strips of 16 or more rows takes as long as scaling the whole
// picture. For each strip, at most two source rows are filtered again.
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
