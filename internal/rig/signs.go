package main

import (
	"fmt"
	"image"
	"image/color"
)

// amber is the colour in which the programs warn.
var amber = color.RGBA{255, 176, 32, 255}

// bannerShare is how high the banner may be, as a share of the screen's height.
const bannerShare = 4

// showsBanner is the condition that a picture is on the screen but for a banner across its bottom.
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

// The triangle's place: a square in the lower right corner, as a share of the screen's height; and how much of
// that square is amber at least, the plate around it left aside.
const (
	triangleShare = 8
	amberShare    = 32
)

// showsTriangle is the condition that a picture is on the screen but for a warning triangle in its corner.
func (s *screen) showsTriangle(want *image.RGBA) condition {
	return func(got *image.RGBA) error {
		n, where := s.lens.differ(got, want)
		side := want.Rect.Dy() / triangleShare
		corner := image.Rectangle{Min: want.Rect.Max.Sub(image.Pt(side, side)), Max: want.Rect.Max}
		switch {
		case n == 0:
			return fmt.Errorf("there is no triangle")
		case !where.In(corner):
			return fmt.Errorf("%d pixels differ, in %v, which is not the triangle's place, %v", n, where, corner)
		}
		if n := s.count(got, corner, amber); n < side*side/amberShare {
			return fmt.Errorf("%d pixels of the triangle's place are amber", n)
		}
		return nil
	}
}

// count returns how many pixels of a rectangle have a colour.
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

// What the offline screen does to a picture: it takes three quarters of the light away, to the level, and
// writes in white across the middle. The share of white is less than the clock's figures have.
const (
	offlineDim   = 191 // of 255
	offlineEdge  = 6   // the share of the height, above and below, that stays free of text
	whiteShare   = 50  // of the rest, at least
	dimTolerance = 1
)

// showsOffline is the condition that the offline screen is shown, made of a picture.
func (s *screen) showsOffline(of *image.RGBA) condition {
	return func(got *image.RGBA) error {
		if got.Rect != of.Rect {
			return fmt.Errorf("the screen is %v, want %v", got.Rect, of.Rect)
		}
		text := of.Rect
		text.Min.Y, text.Max.Y = text.Dy()/offlineEdge, text.Dy()-text.Dy()/offlineEdge
		for i, c := range got.Pix {
			p := image.Pt(i/4%of.Rect.Dx(), i/4/of.Rect.Dx())
			dark := int(of.Pix[i]) * (255 - offlineDim) / 255
			if i%4 != 3 && (int(c) < dark-dimTolerance || int(c) > dark+dimTolerance && !p.In(text)) {
				return fmt.Errorf("pixel %v is %v, of %v, which is not the offline screen", p, got.At(p.X, p.Y), of.At(p.X, p.Y))
			}
		}
		white := color.RGBA{255, 255, 255, 255}
		if n := s.count(got, text, white); n < text.Dx()*text.Dy()/whiteShare {
			return fmt.Errorf("%d pixels of the offline screen are white", n)
		}
		return nil
	}
}
