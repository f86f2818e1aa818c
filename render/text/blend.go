package text

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
)

// premultiplied returns col with no channel above its alpha. Such a colour does
// not exist; the blend's arithmetic relies on that.
func premultiplied(col color.RGBA) color.RGBA {
	return color.RGBA{R: min(col.R, col.A), G: min(col.G, col.A), B: min(col.B, col.A), A: col.A}
}

// blend paints a colour through a mask, whose origin lies at org, over dst
// within clip, which must lie inside dst. It is draw.DrawMask(Over) to within
// one level, and exact where the mask is 0 or 255 and the colour opaque.
func blend(dst *image.RGBA, clip image.Rectangle, m *mask, org image.Point, col color.RGBA) {
	r := m.rect.Add(org).Intersect(clip)
	if r.Empty() {
		return
	}
	w := m.rect.Dx()
	left := r.Min.X - org.X - m.rect.Min.X
	top := r.Min.Y - org.Y - m.rect.Min.Y
	p := pair{rb: uint32(col.R) | uint32(col.B)<<16, ga: uint32(col.G) | uint32(col.A)<<16}
	for y := range r.Dy() {
		row := (top+y)*w + left
		d := dst.PixOffset(r.Min.X, r.Min.Y+y)
		if col.A == 255 {
			p.overOpaque(dst.Pix[d:d+4*r.Dx()], m.pix[row:row+r.Dx()])
		} else {
			p.over(dst.Pix[d:d+4*r.Dx()], m.pix[row:row+r.Dx()])
		}
	}
}

// pair is a colour as two words of two 16-bit lanes each: red and blue, green
// and alpha. A lane never exceeds 255*255 plus rounding, so lanes never carry
// into each other.
type pair struct{ rb, ga uint32 }

const lanes = 0x00ff00ff

// over blends the colour over a row of pixels.
func (p pair) over(dst, cover []uint8) {
	alpha := p.ga >> 16
	for i, a := range cover {
		if a == 0 {
			continue
		}
		c := uint32(a)
		p.pixel(dst[4*i:4*i+4:4*i+4], c, 255-div255(alpha*c))
	}
}

// overOpaque is over for an opaque colour: what is wholly inside is stored, and
// runs of eight that are wholly outside or inside, most of a big glyph, are
// told apart at a glance.
func (p pair) overOpaque(dst, cover []uint8) {
	for len(cover) >= 8 {
		switch binary.LittleEndian.Uint64(cover) {
		case 0:
		case math.MaxUint64:
			p.fill8(dst[:32:32])
		default:
			p.some(dst[:32:32], cover[:8])
		}
		dst, cover = dst[32:], cover[8:]
	}
	p.some(dst, cover)
}

func (p pair) some(dst, cover []uint8) {
	dst = dst[:4*len(cover)]
	for _, a := range cover {
		switch a {
		case 0:
		case 255:
			binary.LittleEndian.PutUint32(dst, p.rb|p.ga<<8)
		default:
			p.pixel(dst, uint32(a), 255-uint32(a))
		}
		dst = dst[4:]
	}
}

func (p pair) fill8(dst []uint8) {
	v := uint64(p.rb | p.ga<<8)
	v |= v << 32
	for i := 0; i < 32; i += 8 {
		binary.LittleEndian.PutUint64(dst[i:i+8], v)
	}
}

// pixel stores colour*c + pixel*keep, both out of 255.
func (p pair) pixel(dst []uint8, c, keep uint32) {
	d := binary.LittleEndian.Uint32(dst)
	rb := div255Lanes(p.rb*c + (d&lanes)*keep)
	ga := div255Lanes(p.ga*c + (d>>8&lanes)*keep)
	binary.LittleEndian.PutUint32(dst, rb|ga<<8)
}

// div255 is v/255 rounded to nearest, for v up to 255*255.
func div255(v uint32) uint32 {
	v += 128
	return (v + v>>8) >> 8
}

// div255Lanes is div255 of both lanes.
func div255Lanes(v uint32) uint32 {
	v += 0x00800080
	return (v + v>>8&lanes) >> 8 & lanes
}
