package ink

import (
	"fmt"
	"image"
	"image/color"
)

// A Quantizer converts frames of one size to inks. New allocates its memory. Only one goroutine at a time may use it.
type Quantizer struct {
	palette *Palette
	size    image.Point
	inks    color.Palette // palette of the resulting pictures
	rule    rule
	known   [cacheSize]answer // cache: the inks of recent colors
	photo   dither
}

// cacheSize is the number of colors in the cache, a power of two. A wall has a few hundred colors, most of them at the edges of letters.
const cacheSize = 1 << 12

// answer is an entry of the cache: a color and its ink. The zero value is an empty entry.
type answer struct {
	color uint32 // 0xffRRGGBB
	ink   uint8
}

// New returns a quantizer for frames of the given size, in px. `how` is the dithering method for photos.
func New(p *Palette, size image.Point, how Dither) *Quantizer {
	return &Quantizer{palette: p, size: size, inks: p.Looks(), rule: newRule(p), photo: newDither(p, size, how)}
}

// Palette returns the palette of the resulting pictures.
func (q *Quantizer) Palette() *Palette { return q.palette }

// NewPicture returns a picture that Quantize can write to. It has one byte for each pixel, and its palette has the measured colors of the
// inks.
func (q *Quantizer) NewPicture() *image.Paletted {
	return image.NewPaletted(image.Rectangle{Max: q.size}, q.inks)
}

// Quantize writes the ink of each pixel of a frame to dst. It panics if `frame` or dst does not have the quantizer's size. dst begins at
// (0,0). Regions are relative to the frame's top left corner. Quantize allocates nothing, and does not keep its arguments.
func (q *Quantizer) Quantize(dst *image.Paletted, frame *image.RGBA, regions []Region) {
	all := image.Rectangle{Max: q.size}
	if dst.Rect != all || frame.Rect.Size() != q.size {
		panic(fmt.Sprintf("ink: a frame of %v to a picture of %v with a quantizer of %v", frame.Rect, dst.Rect, q.size))
	}
	q.around(dst, frame, regions)
	for _, r := range regions {
		at := r.Rect.Intersect(all)
		switch {
		case at.Empty():
		case r.Photo:
			q.photo.draw(dst, frame, at)
		default:
			q.flat(dst, frame, at)
		}
	}
}

// around() writes the nearest ink of every pixel outside the photos.
func (q *Quantizer) around(dst *image.Paletted, frame *image.RGBA, regions []Region) {
	for y := range q.size.Y {
		for x := 0; x < q.size.X; {
			next, photo := span(regions, image.Pt(x, y), q.size.X)
			if !photo {
				q.flat(dst, frame, image.Rect(x, y, next, y+1))
			}
			x = next
		}
	}
}

// span examines the pixels from at.X to end-1 in line at.Y. It returns the end of the first run of pixels that are all inside a photo or
// all outside of photos. `photo` is true if the pixels are inside a photo.
func span(regions []Region, at image.Point, end int) (next int, photo bool) {
	for _, r := range regions {
		switch {
		case !r.Photo || at.Y < r.Rect.Min.Y || at.Y >= r.Rect.Max.Y || at.X >= r.Rect.Max.X:
		case at.X >= r.Rect.Min.X:
			return min(end, r.Rect.Max.X), true
		default:
			end = min(end, r.Rect.Min.X)
		}
	}
	return end, false
}

// flat() writes the nearest ink of every pixel in a rectangle.
func (q *Quantizer) flat(dst *image.Paletted, frame *image.RGBA, r image.Rectangle) {
	last, ink := uint32(0), uint8(0) // 0 is not the value of any opaque color
	for y := r.Min.Y; y < r.Max.Y; y++ {
		from := frame.Pix[y*frame.Stride+4*r.Min.X:][:4*r.Dx()]
		to := dst.Pix[y*dst.Stride+r.Min.X:][:r.Dx()]
		for x := range to {
			p := from[4*x : 4*x+4 : 4*x+4]
			c := 0xff<<24 | uint32(p[0])<<16 | uint32(p[1])<<8 | uint32(p[2])
			if c != last {
				last, ink = c, q.inkOf(c)
			}
			to[x] = ink
		}
	}
}

// inkOf returns the nearest ink of a color. It looks in the cache first.
func (q *Quantizer) inkOf(c uint32) uint8 {
	a := &q.known[(c*0x9e3779b1)>>20&(cacheSize-1)] // Knuth's multiplicative hash
	if a.color != c {
		*a = answer{c, q.rule.nearest(color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255})}
	}
	return a.ink
}

// rule maps flat colors to inks.
type rule struct {
	grays   [256]uint8 // for each luma, the nearest ink without a color
	colored []colored
}

// colored is an ink with a color. A flat color can become this ink if its chroma is at least the field `chroma`, and its hue differs from
// the field `hue` by less than the constant `reach`.
type colored struct {
	ink    uint8
	hue    float64
	chroma float64
}

const (
	// reach is the maximum difference between the hue of a color and the hue of its ink, in degrees. With this value amber may become red,
	// but blue may not.
	reach = 60
	// fullChroma is the typical chroma of colored content on walls. An edge pixel that a letter half covers has half of this chroma.
	fullChroma = 0.17
)

func newRule(p *Palette) rule {
	var r rule
	for i, ink := range p.Inks {
		if ink.hue != neutral {
			r.colored = append(r.colored, colored{uint8(i), ink.hue, fullChroma / 2})
		}
	}
	for v := range r.grays {
		best := 1 << 10
		for i, ink := range p.Inks {
			if ink.hue != neutral {
				continue
			}
			if d := abs(luma(ink.Pure) - v); d < best {
				best, r.grays[v] = d, uint8(i)
			}
		}
	}
	return r
}

// nearest() returns the ink of a flat color. If the color has enough chroma, the ink with the nearest hue is chosen. Otherwise an ink
// without a color is chosen by brightness. The nearest ink in a color space would be wrong: the gray edge of a black letter would become
// dark green.
func (r *rule) nearest(c color.RGBA) uint8 {
	if len(r.colored) == 0 || c.R == c.G && c.G == c.B {
		return r.grays[luma(c)]
	}
	chroma, hue := chromaHue(c)
	best, ink := float64(reach), -1
	for _, i := range r.colored {
		if d := between(i.hue, hue); d < best && chroma >= i.chroma {
			best, ink = d, int(i.ink)
		}
	}
	if ink < 0 {
		return r.grays[luma(c)]
	}
	return uint8(ink)
}

func abs(n int) int { return max(n, -n) }
