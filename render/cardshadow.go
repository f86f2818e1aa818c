package render

import (
	"image"
	"image/color"
	"math"

	"dashboard/render/blend"
)

// CardShadow is the soft shadow of a rounded rectangle: the rectangle, blurred with a Gaussian. Only the top left quarter is stored,
// because the other quarters are mirror images. The equal rows and columns between the corners are left out.
type CardShadow struct {
	size  image.Point // size of the rectangle
	reach int
	w, h  int // size of the stored quarter. Its top left corner is `reach` px outside the rectangle
	left  []uint8
	right []uint8 // mirror image of the field `left`
}

// maxReach bounds how far a card's shadow extends, in px. It also bounds the time and memory of NewCardShadow.
const maxReach = 256

// NewCardShadow returns the shadow of a rounded rectangle. `sigma` is the standard deviation of the blur. The shadow extends three times
// `sigma` beyond the rectangle. All lengths are in px.
func NewCardShadow(size image.Point, radius int, sigma float64) *CardShadow {
	radius = max(0, min(radius, size.X/2, size.Y/2, MaxCorner))
	sigma = min(max(sigma, 0.5), maxReach/3)
	s := &CardShadow{size: size, reach: int(math.Ceil(3 * sigma))}
	s.w = s.reach + min((size.X+1)/2, radius+s.reach)
	s.h = s.reach + min((size.Y+1)/2, radius+s.reach)
	s.left, s.right = make([]uint8, s.w*s.h), make([]uint8, s.w*s.h)
	profiles := s.profiles(radius, sigma)
	sum := make([]float64, s.w)
	for y := range s.h {
		s.row(sum, profiles, y, sigma)
		for x, v := range sum {
			level := uint8(math.Round(255 * min(1, max(0, v))))
			s.left[y*s.w+x], s.right[y*s.w+s.w-1-x] = level, level
		}
	}
	return s
}

// Reach returns how far the shadow extends beyond the rectangle, in px.
func (s *CardShadow) Reach() int { return s.reach }

// normal() returns the share of a Gaussian that is below x.
func normal(x, sigma float64) float64 { return 0.5 * (1 + math.Erf(x/(sigma*math.Sqrt2))) }

// profiles() computes the horizontal blur of the rectangle's rows, and returns the blurred rows. There is one row for each row of a
// corner. The last row stands for all rows between the corners.
func (s *CardShadow) profiles(radius int, sigma float64) [][]float64 {
	out := make([][]float64, radius+1)
	for i := range out {
		dy := float64(radius-i) - 0.5
		inset := float64(radius) - math.Sqrt(max(0, float64(radius*radius)-dy*dy))
		if i == radius {
			inset = 0
		}
		out[i] = make([]float64, s.w)
		for x := range s.w {
			at := float64(x-s.reach) + 0.5
			out[i][x] = normal(at-inset, sigma) - normal(at-float64(s.size.X)+inset, sigma)
		}
	}
	return out
}

// row computes row y of the stored quarter by blurring the profiles vertically.
func (s *CardShadow) row(sum []float64, profiles [][]float64, y int, sigma float64) {
	clear(sum)
	at := y - s.reach
	for v := max(0, at-s.reach); v < min(s.size.Y, at+s.reach+1); v++ {
		weight := normal(float64(v-at)+0.5, sigma) - normal(float64(v-at)-0.5, sigma)
		p := profiles[min(v, s.size.Y-1-v, len(profiles)-1)]
		for x := range sum {
			sum[x] += weight * p[x]
		}
	}
}

// CardShadow paints the shadow of a card whose top left corner is at p. col is premultiplied. Pixels in the rectangle `hidden` are not
// painted, usually because the card itself covers them.
func (c Canvas) CardShadow(s *CardShadow, p image.Point, col color.RGBA, hidden image.Rectangle) {
	all := image.Rectangle{p, p.Add(s.size)}.Inset(-s.reach)
	r := c.local(all)
	hidden, all = hidden.Add(c.Org).Intersect(r), all.Add(c.Org)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		at := min(y-all.Min.Y, all.Max.Y-1-y, s.h-1)
		if y < hidden.Min.Y || y >= hidden.Max.Y {
			s.paintRow(c.Dst, all, at, r.Min.X, r.Max.X, y, col)
			continue
		}
		s.paintRow(c.Dst, all, at, r.Min.X, hidden.Min.X, y, col)
		s.paintRow(c.Dst, all, at, hidden.Max.X, r.Max.X, y, col)
	}
}

// paintRow paints row y of the frame in the columns with from <= x < to. It paints the left corner, then a middle part in which all
// pixels have the level of the corner's last pixel, then the mirrored corner. `all` is the rectangle with its shadow. `at` is the row of
// the stored quarter that belongs to y.
func (s *CardShadow) paintRow(dst *image.RGBA, all image.Rectangle, at, from, to, y int, col color.RGBA) {
	left, right := s.left[at*s.w:][:s.w], s.right[at*s.w:][:s.w]
	row := dst.Pix[dst.PixOffset(dst.Rect.Min.X, y):]
	part := func(lo, hi int) (a, b int) { return max(lo, from), min(hi, to) }
	inner, outer := all.Min.X+s.w, max(all.Min.X+s.w, all.Max.X-s.w)
	if a, b := part(all.Min.X, inner); a < b {
		blend.Cover(row[4*(a-dst.Rect.Min.X):4*(b-dst.Rect.Min.X)], left[a-all.Min.X:], col)
	}
	if a, b := part(inner, outer); a < b {
		level := left[s.w-1]
		blend.Fill(row[4*(a-dst.Rect.Min.X):4*(b-dst.Rect.Min.X)], color.RGBA{
			blend.Mul(col.R, level), blend.Mul(col.G, level), blend.Mul(col.B, level), blend.Mul(col.A, level)})
	}
	if a, b := part(outer, all.Max.X); a < b {
		blend.Cover(row[4*(a-dst.Rect.Min.X):4*(b-dst.Rect.Min.X)], right[a-(all.Max.X-s.w):], col)
	}
}
