package render

import (
	"image"
	"image/color"
)

// Shadow draws a soft black shadow under what is painted on a layer of its own. The shadow surrounds
// the content and never darkens it.
type Shadow struct {
	layer  *image.RGBA // the content, premultiplied, transparent where nothing is
	bounds image.Rectangle
	blur   []uint8 // coverage blurred along rows, width x height
	times  int
}

const (
	// ShadowReach is how far a shadow spreads, px: two box blurs of radius 2 and 3 reach the five pixels
	// that a blur of radius 5 shows.
	ShadowReach = 5
	// solid is the least alpha of content that casts a shadow.
	solid = 200
)

// NewShadow returns a shadow for a cell of the given size, drawn times times over itself.
func NewShadow(size image.Point, times int) *Shadow {
	r := image.Rectangle{Max: size}
	return &Shadow{layer: image.NewRGBA(r), bounds: r, blur: make([]uint8, size.X*size.Y), times: times}
}

// Begin clears the layer under c and returns the canvas to paint the content on. Its clip is wider than
// c's by ShadowReach: the shadow depends on content that far away, and the layer may be out of date there
// (content that was out of view was never painted).
func (s *Shadow) Begin(c Canvas) Canvas {
	clip := c.Clip.Sub(c.Org).Intersect(s.bounds)
	if !clip.Empty() {
		clip = clip.Inset(-ShadowReach).Intersect(s.bounds)
	}
	l := Canvas{Dst: s.layer, Clip: clip}
	l.Set(s.bounds, color.RGBA{})
	return l
}

// End blends the shadow and then the content onto c, the canvas Begin was called with.
func (s *Shadow) End(c Canvas) {
	clip := c.Clip.Sub(c.Org).Intersect(s.bounds)
	if clip.Empty() {
		return
	}
	s.blurRows(clip)
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		s.shadeRow(c, clip, y)
	}
	c.Image(image.Point{}, s.layer, false)
}

// kernel weighs a pixel by its distance; a Gaussian of standard deviation 2.5 px, out of 256 in all.
var kernel = [2*ShadowReach + 1]uint32{6, 12, 20, 31, 39, 40, 39, 31, 20, 12, 6}

// blurRows fills blur with the silhouette blurred along x, for the rows that clip's shadow needs.
func (s *Shadow) blurRows(clip image.Rectangle) {
	rows := clip.Inset(-ShadowReach).Intersect(s.bounds)
	w := s.bounds.Dx()
	for y := rows.Min.Y; y < rows.Max.Y; y++ {
		for x := clip.Min.X; x < clip.Max.X; x++ {
			var sum uint32
			for k, weight := range kernel {
				if sx := x + k - ShadowReach; sx >= 0 && sx < w && s.layer.Pix[y*s.layer.Stride+4*sx+3] > solid {
					sum += weight
				}
			}
			s.blur[y*w+x] = uint8(min(255, sum))
		}
	}
}

// shadeRow blends one row of the shadow onto c, leaving out what the content covers.
func (s *Shadow) shadeRow(c Canvas, clip image.Rectangle, y int) {
	w, h := s.bounds.Dx(), s.bounds.Dy()
	i := c.Dst.PixOffset(clip.Min.X+c.Org.X, y+c.Org.Y)
	for x := clip.Min.X; x < clip.Max.X; x, i = x+1, i+4 {
		if s.layer.Pix[y*s.layer.Stride+4*x+3] > solid {
			continue
		}
		var sum uint32
		for k, weight := range kernel {
			if sy := y + k - ShadowReach; sy >= 0 && sy < h {
				sum += weight * uint32(s.blur[sy*w+x])
			}
		}
		for range s.times {
			coverOver(c.Dst.Pix[i:i+4:i+4], color.RGBA{A: 255}, uint8(min(255, sum>>8)))
		}
	}
}
