package render

import (
	"image"
	"image/color"

	"dashboard/render/blend"
)

// Shadow draws a soft black shadow under what is painted on a layer of its own. The shadow surrounds
// the content and never darkens it.
type Shadow struct {
	layer  *image.RGBA // the content, premultiplied, transparent where nothing is
	bounds image.Rectangle
	blur   []uint8 // coverage blurred along rows, width x height
	near   []int8  // by column: rows of the window around the current one in which blur has something
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
	return &Shadow{
		layer: image.NewRGBA(r), bounds: r, blur: make([]uint8, size.X*size.Y), near: make([]int8, size.X), times: times,
	}
}

// Begin clears the layer under c and returns the canvas to paint the content on. Its clip is wider than
// c's by ShadowReach: the shadow depends on content that far away, and the layer may be out of date there
// (content that was out of view was never painted).
func (s *Shadow) Begin(c Canvas) Canvas {
	clip := c.Clip.Sub(c.Org).Intersect(s.bounds)
	if !clip.Empty() {
		clip = clip.Inset(-ShadowReach).Intersect(s.bounds)
	}
	l := Canvas{Dst: s.layer, Clip: clip, Base: c.Base.Add(c.Org)}
	l.Set(s.bounds, color.RGBA{})
	return l
}

// End blends the shadow and then the content onto c, the canvas Begin was called with.
func (s *Shadow) End(c Canvas) {
	clip := c.Clip.Sub(c.Org).Intersect(s.bounds)
	if clip.Empty() {
		return
	}
	rows := clip.Inset(-ShadowReach).Intersect(s.bounds)
	for y := rows.Min.Y; y < rows.Max.Y; y++ {
		s.blurRow(clip, y)
	}
	clear(s.near[clip.Min.X:clip.Max.X])
	for y := rows.Min.Y; y < clip.Min.Y+ShadowReach; y++ {
		s.count(clip, y, 1)
	}
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		s.count(clip, y+ShadowReach, 1)
		s.shadeRow(c, clip, y)
		s.count(clip, y-ShadowReach, -1)
	}
	c.Image(image.Point{}, s.layer, false)
}

// window is how many pixels of a row or column make one of its shadow.
const window = 2*ShadowReach + 1

// kernel weighs a pixel by its distance; a Gaussian of standard deviation 2.5 px, out of 256 in all.
var kernel = [window]uint32{6, 12, 20, 31, 39, 40, 39, 31, 20, 12, 6}

// blurRow fills a row of blur with the silhouette blurred along x, for the columns of clip. Most pixels
// have nothing around them, or nothing else than content; the weights are only needed along edges.
func (s *Shadow) blurRow(clip image.Rectangle, y int) {
	row := s.layer.Pix[y*s.layer.Stride:][:s.layer.Stride]
	out := s.blur[y*s.bounds.Max.X:][:s.bounds.Max.X]
	n := 0 // solid pixels in the window around x
	for x := clip.Min.X - ShadowReach; x < clip.Min.X+ShadowReach; x++ {
		n += solidAt(row, x)
	}
	for x := clip.Min.X; x < clip.Max.X; x++ {
		n += solidAt(row, x+ShadowReach)
		switch n {
		case 0:
			out[x] = 0
		case window:
			out[x] = 255
		default:
			out[x] = blurred(row, x)
		}
		n -= solidAt(row, x-ShadowReach)
	}
}

// solidAt is 1 where a row of the layer casts a shadow, else 0.
func solidAt(row []uint8, x int) int {
	if i := 4*x + 3; i >= 0 && i < len(row) && row[i] > solid {
		return 1
	}
	return 0
}

// blurred is the weighted silhouette around x.
func blurred(row []uint8, x int) uint8 {
	var sum uint32
	for k, weight := range kernel {
		sum += weight * uint32(solidAt(row, x+k-ShadowReach))
	}
	return uint8(min(255, sum))
}

// count adds n to near in the columns where row y of blur has something.
func (s *Shadow) count(clip image.Rectangle, y, n int) {
	if y < 0 || y >= s.bounds.Max.Y {
		return
	}
	row := s.blur[y*s.bounds.Max.X:][:s.bounds.Max.X]
	for x := clip.Min.X; x < clip.Max.X; x++ {
		if row[x] != 0 {
			s.near[x] += int8(n)
		}
	}
}

// shadeRow blends one row of the shadow onto c, leaving out what the content covers.
func (s *Shadow) shadeRow(c Canvas, clip image.Rectangle, y int) {
	w, h := s.bounds.Max.X, s.bounds.Max.Y
	row := s.layer.Pix[y*s.layer.Stride:][:s.layer.Stride]
	i := c.Dst.PixOffset(clip.Min.X+c.Org.X, y+c.Org.Y)
	for x := clip.Min.X; x < clip.Max.X; x, i = x+1, i+4 {
		if s.near[x] == 0 || row[4*x+3] > solid {
			continue
		}
		var sum uint32
		for k, weight := range kernel {
			if sy := y + k - ShadowReach; sy >= 0 && sy < h {
				sum += weight * uint32(s.blur[sy*w+x])
			}
		}
		for range s.times {
			blend.Fill(c.Dst.Pix[i:i+4:i+4], color.RGBA{A: uint8(min(255, sum>>8))})
		}
	}
}
