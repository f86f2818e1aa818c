package render

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"

	"dashboard/render/blend"
)

// Blur holds the weights of a blur. The same weights are used horizontally and vertically.
type Blur struct {
	weights []uint32 // weights of the pixels at the distances -Reach to Reach. Their sum is blurWhole
}

const (
	blurBits  = 16
	blurWhole = 1 << blurBits
)

// Gaussian returns a Gaussian blur with the given standard deviation in px, which is at least 1. The blur extends two standard
// deviations.
func Gaussian(sigma int) Blur {
	sigma = max(1, sigma)
	reach := 2 * sigma
	w := make([]float64, 2*reach+1)
	for i := range w {
		d := float64(i - reach)
		w[i] = math.Exp(-d * d / float64(2*sigma*sigma))
	}
	return weighted(w)
}

// Box returns a blur that gives all pixels up to `radius` px away the same weight.
func Box(radius int) Blur {
	w := make([]float64, 2*max(1, radius)+1)
	for i := range w {
		w[i] = 1
	}
	return weighted(w)
}

// weighted() scales the weights so that their sum is blurWhole.
func weighted(w []float64) Blur {
	sum, left := 0.0, uint32(blurWhole)
	for _, v := range w {
		sum += v
	}
	b := Blur{make([]uint32, len(w))}
	for i, v := range w {
		b.weights[i] = uint32(v / sum * blurWhole)
		left -= b.weights[i]
	}
	b.weights[len(w)/2] += left
	return b
}

// Reach returns how far the blur extends, in px.
func (b Blur) Reach() int { return len(b.weights) / 2 }

const (
	// `solid` is a limit of alpha. Pixels with a greater alpha cast a shadow.
	solid = 200
	// shadowTile is the side of a tile, in px. A shadow is computed and invalidated tile by tile.
	shadowTile = 32
)

// Shadow draws a soft black shadow around content that is painted on a separate layer. It never darkens the content itself. The shadow is
// computed again only where the silhouette of the content changes.
type Shadow struct {
	layer  *Layer
	bounds image.Rectangle
	blur   Blur
	times  int

	sides   []uint8 // the silhouette: 1 for each pixel that casts a shadow (width x height)
	shade   []uint8 // alpha of the shadow (width x height), valid in the known tiles
	known   []bool  // for each tile, whether shade is valid
	columns int     // number of columns of tiles
	rows    []uint8 // working memory: the rows of a tile after the horizontal blur
}

// NewShadow returns a shadow for a cell of the given size. The argument `times` is the number of times that the shadow is painted in the
// same place. With a greater number, the shadow is darker.
func NewShadow(size image.Point, blur Blur, times int) *Shadow {
	r := image.Rectangle{Max: size}
	columns, n := (size.X+shadowTile-1)/shadowTile, size.X*size.Y
	return &Shadow{
		layer: NewLayer(size), bounds: r, blur: blur, times: times,
		sides: make([]uint8, n), shade: make([]uint8, n), columns: columns,
		known: make([]bool, columns*((size.Y+shadowTile-1)/shadowTile)),
		rows:  make([]uint8, shadowTile*(shadowTile+2*blur.Reach())),
	}
}

// Reach returns how far the shadow extends, in px.
func (s *Shadow) Reach() int { return s.blur.Reach() }

// around() returns the clip in the layer's coordinates, and the part of the layer on which the shadow inside the clip depends.
func (s *Shadow) around(c Canvas) (clip, around image.Rectangle) {
	clip = c.Clip.Sub(c.Org).Intersect(s.bounds)
	if clip.Empty() {
		return clip, clip
	}
	return clip, clip.Inset(-s.Reach()).Intersect(s.bounds)
}

// Begin clears the layer under c and returns a canvas for the content. The clip of this canvas is wider than c.Clip by Reach, because the
// shadow depends on content at this distance. Outside c.Clip, the layer may be out of date, because hidden content is not painted.
func (s *Shadow) Begin(c Canvas) Canvas {
	_, around := s.around(c)
	return s.layer.Begin(around, c.Base.Add(c.Org))
}

// End blends first the shadow and then the content onto c. c must be the canvas that was passed to Begin.
func (s *Shadow) End(c Canvas) {
	clip, around := s.around(c)
	if clip.Empty() {
		return
	}
	for y := around.Min.Y; y < around.Max.Y; y++ {
		s.look(around, y)
	}
	s.learn(clip)
	for y := clip.Min.Y; y < clip.Max.Y; y++ {
		row := s.shade[y*s.bounds.Max.X:][clip.Min.X:clip.Max.X]
		dst := rowOf(c.Dst, clip.Add(c.Org), y+c.Org.Y)
		for range s.times {
			blend.Cover(dst, row, color.RGBA{A: 255})
		}
	}
	s.layer.Show(c, image.Point{}, 255)
}

// look compares row y of the content's silhouette with the stored silhouette, in the columns of r.
// It invalidates the tiles whose shadow may have changed.
func (s *Shadow) look(r image.Rectangle, y int) {
	row := rowOf(s.layer.pic, r, y)
	old := s.sides[y*s.bounds.Max.X:][r.Min.X:r.Max.X]
	first, last := len(old), -1
	for x := 0; x < len(old); x++ {
		if x+2 <= len(old) && old[x]|old[x+1]<<1 == solidPair(row[4*x:]) {
			x++
			continue
		}
		if now := solidAt(row[4*x+3]); now != old[x] {
			old[x] = now
			first, last = min(first, x), x
		}
	}
	if last >= 0 {
		s.forget(image.Rect(r.Min.X+first, y, r.Min.X+last+1, y+1))
	}
}

// solidPair does the work of solidAt for two pixels at once. Bit 0 of the result is for the first pixel, and bit 1 for the second.
func solidPair(p []uint8) uint8 {
	const alphas, carry = 0x000000ff_000000ff, (255 - solid) * 0x00000001_00000001
	v := binary.LittleEndian.Uint64(p)>>24&alphas + carry
	return uint8(v>>8&1 | v>>39&2)
}

func solidAt(alpha uint8) uint8 {
	if alpha > solid {
		return 1
	}
	return 0
}

// tiles() returns the range of tiles that r touches.
func (s *Shadow) tiles(r image.Rectangle) image.Rectangle {
	r = r.Intersect(s.bounds)
	return image.Rect(r.Min.X/shadowTile, r.Min.Y/shadowTile, (r.Max.X+shadowTile-1)/shadowTile, (r.Max.Y+shadowTile-1)/shadowTile)
}

// forget invalidates the tiles whose shadow depends on pixels in r.
func (s *Shadow) forget(r image.Rectangle) {
	t := s.tiles(r.Inset(-s.Reach()))
	for y := t.Min.Y; y < t.Max.Y; y++ {
		clear(s.known[y*s.columns+t.Min.X : y*s.columns+t.Max.X])
	}
}

// learn computes the shadow of the invalid tiles that touch `clip`. The silhouette outside `clip` may be out of date. When that part
// becomes visible, the method look() finds the change and invalidates the tiles.
func (s *Shadow) learn(clip image.Rectangle) {
	t := s.tiles(clip)
	for y := t.Min.Y; y < t.Max.Y; y++ {
		for x := t.Min.X; x < t.Max.X; x++ {
			if known := &s.known[y*s.columns+x]; !*known {
				*known = true
				at := image.Pt(x*shadowTile, y*shadowTile)
				s.blurTile(image.Rectangle{at, at.Add(image.Pt(shadowTile, shadowTile))}.Intersect(s.bounds))
			}
		}
	}
}

// blurTile computes the shadow of one tile: first the horizontal blur, then the vertical blur.
func (s *Shadow) blurTile(t image.Rectangle) {
	reach, w := s.Reach(), s.bounds.Max.X
	top, bottom := max(0, t.Min.Y-reach), min(s.bounds.Max.Y, t.Max.Y+reach)
	some := false
	for y := top; y < bottom; y++ {
		some = s.blurRow(s.rows[(y-top)*shadowTile:][:t.Dx()], y, t) || some
	}
	for y := t.Min.Y; y < t.Max.Y; y++ {
		out := s.shade[y*w:][t.Min.X:t.Max.X]
		if !some {
			clear(out)
			continue
		}
		s.blurColumns(out, y, top, bottom)
		for x, in := range s.sides[y*w:][t.Min.X:t.Max.X] {
			if in != 0 {
				out[x] = 0 // there is no shadow under the content
			}
		}
	}
}

// blurRow blurs row y of the silhouette horizontally, for the columns of the tile t. `some` is true if any pixel of the result is not 0.
// Within Reach of most pixels, the silhouette is completely empty or completely solid. For these pixels, blurRow needs no weights.
func (s *Shadow) blurRow(out []uint8, y int, t image.Rectangle) (some bool) {
	reach, row := s.Reach(), s.sides[y*s.bounds.Max.X:][:s.bounds.Max.X]
	n := 0 // number of solid pixels within Reach of x
	for _, v := range row[max(0, t.Min.X-reach):min(len(row), t.Min.X+reach)] {
		n += int(v)
	}
	for x := t.Min.X; x < t.Max.X; x++ {
		if x+reach < len(row) {
			n += int(row[x+reach])
		}
		switch n {
		case 0:
			out[x-t.Min.X] = 0
		case len(s.blur.weights):
			out[x-t.Min.X], some = 255, true
		default:
			out[x-t.Min.X], some = s.blurred(row, x), true
		}
		if x >= reach {
			n -= int(row[x-reach])
		}
	}
	return some
}

// blurred() returns the result of the horizontal blur at x.
func (s *Shadow) blurred(row []uint8, x int) uint8 {
	var sum uint32
	reach := s.Reach()
	from := max(0, x-reach)
	for i, v := range row[from:min(len(row), x+reach+1)] {
		sum += s.blur.weights[from+i-x+reach] * uint32(v)
	}
	return uint8((sum*255 + blurWhole/2) >> blurBits)
}

// blurColumns computes row y of a tile's shadow by blurring s.rows vertically. s.rows contains the rows from `top` to bottom-1.
func (s *Shadow) blurColumns(out []uint8, y, top, bottom int) {
	var sums [shadowTile]uint32
	reach := s.Reach()
	for v := max(top, y-reach); v < min(bottom, y+reach+1); v++ {
		weight := s.blur.weights[v-y+reach]
		for x, level := range s.rows[(v-top)*shadowTile:][:len(out)] {
			sums[x] += weight * uint32(level)
		}
	}
	for x := range out {
		out[x] = uint8((sums[x] + blurWhole/2) >> blurBits)
	}
}
