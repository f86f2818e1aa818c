package render

import (
	"image"
	"image/color"
	"math"
)

// Corner is the rounded corner of a rectangle: an anti-aliased quarter circle, stored as the coverage of radius x radius pixels. A nil
// Corner is square.
type Corner struct {
	radius int
	masks  [quadrants]Mask // coverage of each corner
}

// MaxCorner bounds the radius of a corner, in px. So it also bounds the memory of the corner's coverage. It is half of the longest side
// of a frame.
const MaxCorner = 3840

// NewCorner returns the corner of a rounded rectangle of the given size. The radius, in px, is limited to half of the shorter side.
// The corner is nil if the radius is 0 or less.
func NewCorner(radius int, size image.Point) *Corner {
	radius = min(radius, size.X/2, size.Y/2, MaxCorner)
	if radius <= 0 {
		return nil
	}
	k := &Corner{radius: radius}
	for q := range k.masks {
		k.masks[q] = *image.NewAlpha(image.Rect(0, 0, radius, radius))
	}
	for y := range radius {
		for x := range radius {
			m := discCoverage(radius, x, y)
			right, down := radius-1-x, radius-1-y
			k.masks[0].Pix[y*radius+x], k.masks[1].Pix[y*radius+right] = m, m
			k.masks[2].Pix[down*radius+x], k.masks[3].Pix[down*radius+right] = m, m
		}
	}
	return k
}

// discCoverage returns the coverage of pixel (x,y) by the circle around (radius, radius). Near the edge, it computes the coverage from the
// distance to the edge. This is exact for straight edges. For radii of a few pixels the error is at most 2 %, which is invisible.
func discCoverage(radius, x, y int) uint8 {
	dx, dy := float64(radius-x)-0.5, float64(radius-y)-0.5
	d := float64(radius) - math.Sqrt(float64(dx*dx)+float64(dy*dy)) + 0.5
	return uint8(math.Round(255 * min(1, max(0, d))))
}

// Radius returns the corner's radius in px, or 0 for nil.
func (k *Corner) Radius() int {
	if k == nil {
		return 0
	}
	return k.radius
}

// FillRound blends col (premultiplied) over the rounded rectangle r. r must be at least two radii wide and high. A rectangle of the size
// that was passed to NewCorner is always large enough.
func (c Canvas) FillRound(r image.Rectangle, k *Corner, col color.RGBA) {
	if k == nil {
		c.Fill(r, col)
		return
	}
	if col.A == 0 || !c.Sees(r) {
		return
	}
	d := k.radius
	c.Fill(image.Rect(r.Min.X+d, r.Min.Y, r.Max.X-d, r.Min.Y+d), col)
	c.Fill(image.Rect(r.Min.X, r.Min.Y+d, r.Max.X, r.Max.Y-d), col)
	c.Fill(image.Rect(r.Min.X+d, r.Max.Y-d, r.Max.X-d, r.Max.Y), col)
	for q := range quadrants {
		c.Mask(&k.masks[q], cornerRect(r, d, q).Min, col)
	}
}

// quadrants is the number of corners of a rectangle. In the index of a corner, bit 0 means right and bit 1 means bottom.
const quadrants = 4

func cornerRect(r image.Rectangle, d, q int) image.Rectangle {
	p := r.Min
	if q&1 != 0 {
		p.X = r.Max.X - d
	}
	if q&2 != 0 {
		p.Y = r.Max.Y - d
	}
	return image.Rectangle{p, p.Add(image.Pt(d, d))}
}

// Stencil clips the content of a cell to a rounded rectangle with anti-aliased corners. The content is painted directly onto the frame.
// Before that, Save stores the background of the corners. Afterwards, Restore blends this background over the parts outside the rounded
// rectangle. A nil Stencil does nothing.
type Stencil struct {
	size   image.Point
	corner *Corner
	saved  [quadrants]*image.RGBA
}

// NewStencil returns the stencil of a cell, or nil if the corners are square. A circle is a square cell whose radius is half of its
// side.
func NewStencil(radius int, size image.Point) *Stencil {
	k := NewCorner(radius, size)
	if k == nil {
		return nil
	}
	s := &Stencil{size: size, corner: k}
	for q := range s.saved {
		s.saved[q] = image.NewRGBA(image.Rect(0, 0, k.radius, k.radius))
	}
	return s
}

// Save stores the background of the corners. Call it before painting, with the canvas of the cell.
func (s *Stencil) Save(c Canvas) {
	if s == nil {
		return
	}
	for q := range quadrants {
		square := cornerRect(image.Rectangle{Max: s.size}, s.corner.radius, q)
		at := square.Min.Add(c.Org)
		r := c.local(square)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			d := s.saved[q].PixOffset(r.Min.X-at.X, y-at.Y)
			i := c.Dst.PixOffset(r.Min.X, y)
			copy(s.saved[q].Pix[d:d+4*r.Dx()], c.Dst.Pix[i:])
		}
	}
}

// Restore blends the stored background over the parts outside the rounded rectangle. Call it after painting, with the same canvas as Save.
func (s *Stencil) Restore(c Canvas) {
	if s == nil {
		return
	}
	for q := range quadrants {
		s.restore(c, q)
	}
}

func (s *Stencil) restore(c Canvas, q int) {
	square := cornerRect(image.Rectangle{Max: s.size}, s.corner.radius, q)
	at := square.Min.Add(c.Org)
	r := c.local(square)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		d := s.saved[q].PixOffset(r.Min.X-at.X, y-at.Y)
		i := c.Dst.PixOffset(r.Min.X, y)
		row := s.corner.masks[q].Pix[(y-at.Y)*s.corner.radius+r.Min.X-at.X:]
		for _, m := range row[:r.Dx()] {
			if m < 255 {
				mix(c.Dst.Pix[i:i+4:i+4], s.saved[q].Pix[d:d+4:d+4], m)
			}
			i, d = i+4, d+4
		}
	}
}

// mix sets p to the mixture of p, with the weight m/255, and old, with the weight (255-m)/255.
func mix(p, old []uint8, m uint8) {
	for k := range 4 {
		p[k] = uint8((uint32(p[k])*uint32(m) + uint32(old[k])*uint32(255-m) + 127) / 255)
	}
}
