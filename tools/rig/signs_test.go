package rig

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"dashboard/render"
)

// amber is the color of the programs' warnings.
var amber = color.RGBA{255, 176, 32, 255}

// bannerShare limits the height of the banner: the screen's height divided by bannerShare.
const bannerShare = 4

// showsBanner returns the condition that the screen shows a picture, and a banner covers the bottom of the picture.
func (s *screen) showsBanner(want *image.RGBA) condition {
	return func(got *image.RGBA) error {
		n, where := s.lens.differ(got, want)
		size := want.Rect.Max
		switch {
		case n == 0:
			return fmt.Errorf("there is no banner")
		case where.Min.Y < size.Y-size.Y/bannerShare || where.Max.Y != size.Y || where.Dx() != size.X:
			return fmt.Errorf("%d pixels differ, in %v, which is not the banner's place", n, where)
		}
		return s.lens.plain(got, image.Rect(0, where.Min.Y, size.X, where.Min.Y+1), amber)
	}
}

// The triangle is in a square in the lower right corner. triangleShare is the screen's height divided by the size of this square. At
// least 1/amberShare of the square must be amber. The plate around the triangle does not count as amber.
const (
	triangleShare = 8
	amberShare    = 32
)

// corner returns the rectangle of the triangle.
func corner(m *image.RGBA) image.Rectangle {
	side := m.Rect.Dy() / triangleShare
	return image.Rectangle{Min: m.Rect.Max.Sub(image.Pt(side, side)), Max: m.Rect.Max}
}

// mayHaveTriangle returns the condition that the screen shows a picture. It ignores the place of the triangle.
func (s *screen) mayHaveTriangle(want *image.RGBA) condition {
	return func(got *image.RGBA) error {
		if n, where := s.lens.differ(got, want); !where.In(corner(want)) {
			return fmt.Errorf("%d pixels differ, in %v, which is not the triangle's place, %v", n, where, corner(want))
		}
		return nil
	}
}

// showsTriangle returns the condition that the screen shows a picture with a warning triangle in its corner.
func (s *screen) showsTriangle(want *image.RGBA) condition {
	may := s.mayHaveTriangle(want)
	return func(got *image.RGBA) error {
		if err := may(got); err != nil {
			return err
		}
		place := corner(want)
		if n := s.count(got, place, amber); n < place.Dx()*place.Dy()/amberShare {
			return fmt.Errorf("%d pixels of the triangle's place are amber", n)
		}
		return nil
	}
}

// count returns the number of pixels in a rectangle that have a color.
func (s *screen) count(m *image.RGBA, r image.Rectangle, c color.RGBA) (n int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if s.lens.near(m.RGBAAt(x, y), c) {
				n++
			}
		}
	}
	return n
}

// The offline screen blurs the picture, removes two fifths of the light and shows a card in the middle. The standard deviation of
// the blur is offlineBlur px on a screen whose shorter side has blurSide px.
const (
	offlineDim   = 102 // opacity of black over the picture, of 255
	offlineBlur  = 18
	blurSide     = 480
	blurGrowth   = 0.85 // exponent with which the blur grows with the screen
	offlineEdge  = 6    // divisor: 1/offlineEdge of the height stays free of text at the top and at the bottom
	inkShare     = 200  // at least 1/inkShare of the pixels of textPlace must have offlineInk
	dimTolerance = 1
)

// offlineInk is the color of the card's text.
var offlineInk = color.RGBA{238, 242, 248, 255}

// textPlace returns the area in which the offline screen shows text.
func textPlace(m *image.RGBA) image.Rectangle {
	r := m.Rect
	r.Min.Y, r.Max.Y = r.Dy()/offlineEdge, r.Dy()-r.Dy()/offlineEdge
	return r
}

// blurred() returns the blurred picture of the offline screen, before it is darkened.
func blurred(of *image.RGBA) *image.RGBA {
	m := image.NewRGBA(of.Rect)
	size := of.Rect.Size()
	soft := render.NewFrost(size, offlineBlur*math.Pow(float64(min(size.X, size.Y))/blurSide, blurGrowth))
	soft.Take(render.Canvas{Dst: of, Clip: of.Rect}, image.Point{})
	soft.Paint(render.Canvas{Dst: m, Clip: m.Rect}, image.Point{})
	return m
}

// isDarkened compares the channels of two pixels. It reports whether `got` may be a pixel of the offline screen. `of` is the same pixel
// of the blurred picture. If `written` is true, text may cover the pixel.
func isDarkened(got, of []uint8, written bool) bool {
	for i, c := range of[:3] {
		dark := int(c) * (255 - offlineDim) / 255
		if d := int(got[i]) - dark; !written && (d < -dimTolerance || d > dimTolerance) {
			return false
		}
	}
	return true
}

// becomesOffline returns the condition that every pixel belongs either to a picture or to the offline screen over this picture. If `done`
// is true, every pixel must belong to the offline screen.
func (s *screen) becomesOffline(of *image.RGBA, done bool) condition {
	soft := blurred(of)
	return func(got *image.RGBA) error {
		if got.Rect != of.Rect {
			return fmt.Errorf("the screen is %v, want %v", got.Rect, of.Rect)
		}
		text := textPlace(of)
		for i := 0; i < len(of.Pix); i += 4 {
			p := image.Pt(i/4%of.Rect.Dx(), i/4/of.Rect.Dx())
			g, o := got.Pix[i:i+4], of.Pix[i:i+4]
			if !isDarkened(g, soft.Pix[i:i+4], p.In(text)) && (done || !s.lens.same(g, o)) {
				return fmt.Errorf("pixel %v is %v, of %v, which is not the offline screen", p, g, o)
			}
		}
		return nil
	}
}

// showsOffline returns the condition that the offline screen is shown over a picture.
func (s *screen) showsOffline(of *image.RGBA) condition {
	dark := s.becomesOffline(of, true)
	return func(got *image.RGBA) error {
		if err := dark(got); err != nil {
			return err
		}
		text := textPlace(of)
		if n := s.count(got, text, offlineInk); n < text.Dx()*text.Dy()/inkShare {
			return fmt.Errorf("%d pixels of the offline screen are written", n)
		}
		return nil
	}
}
