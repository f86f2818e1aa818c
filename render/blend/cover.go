package blend

import (
	"encoding/binary"
	"image/color"
	"math"
)

// Cover blends col (premultiplied) over a row of pixels. `coverage` holds a value from 0 to 255 for each pixel. The result differs from
// draw.DrawMask(Over) by at most one level. It is exact if the coverage is 0 or 255 and the color is opaque. Cover stops at the end of the
// shorter slice.
func Cover(row, coverage []uint8, col color.RGBA) {
	n := min(len(row)/pixelBytes, len(coverage))
	row, coverage = row[:pixelBytes*n], coverage[:n]
	switch {
	case col.A == 0:
	case n < short && !narrow:
		coverRow(row, coverage, premultiplied(col))
	default:
		cover(block{dst: row, cover: coverage, w: n, h: 1}, premultiplied(col))
	}
}

// For fewer than `short` pixels, the Go loop is faster than a call of the assembly. Most rows at the edges of shapes are shorter than
// this.
const short = 8

// block is a rectangle of pixels with their coverage: h rows of w pixels, both greater than 0. Rows begin every stride bytes in dst and
// every coverStride bytes in cover. Both slices reach at least to the end of the last row.
type block struct {
	dst, cover                []uint8
	stride, coverStride, w, h int
}

// coverLanes is the portable version of cover().
func coverLanes(b block, col color.RGBA) {
	if narrow && cover32(b, col) {
		return
	}
	for y := range b.h {
		coverRow(b.dst[y*b.stride:][:pixelBytes*b.w], b.cover[y*b.coverStride:][:b.w], col)
	}
}

// coverRow does the work of coverLanes for one row.
func coverRow(row, coverage []uint8, col color.RGBA) {
	if p := spread(word(col)); col.A == 255 {
		p.overOpaque(row, coverage)
	} else {
		p.over(row, coverage)
	}
}

// wide is a pixel in four 16-bit lanes: red, blue, green and alpha, from the lowest lane on. A weighted sum of two lanes never exceeds
// 255*255 plus the rounding, so no lane carries into the next lane.
type wide uint64

const (
	lanes  = 0x00ff00ff00ff00ff
	halves = 0x0080008000800080
)

func spread(pixel uint32) wide { return wide(uint64(pixel)|uint64(pixel)<<24) & lanes }

func (p wide) pixel() uint32 { return uint32(p) | uint32(p>>24) }

// over() blends the color over a row of pixels, with the coverage of each pixel.
func (p wide) over(dst, cover []uint8) {
	alpha := uint32(p >> 48)
	for i, a := range cover {
		if a == 0 {
			continue
		}
		c := uint32(a)
		d := dst[4*i : 4*i+4 : 4*i+4]
		binary.LittleEndian.PutUint32(d, p.mix(binary.LittleEndian.Uint32(d), c, 255-div255(alpha*c)))
	}
}

// overOpaque does the same as over() for an opaque color. One comparison finds a run of eight pixels that lie completely outside or
// completely inside, as most pixels of a large glyph do. In a mixed run, all pixels are multiplied, because a wrong branch prediction
// costs more than a multiplication.
func (p wide) overOpaque(dst, cover []uint8) {
	for len(cover) >= 8 && len(dst) >= 32 {
		switch run := binary.LittleEndian.Uint64(cover); run {
		case 0:
		case math.MaxUint64:
			p.fill8((*[32]uint8)(dst))
		default:
			p.lerp4((*[16]uint8)(dst), uint32(run))
			p.lerp4((*[16]uint8)(dst[16:]), uint32(run>>32))
		}
		dst, cover = dst[32:], cover[8:]
	}
	if len(cover) >= 4 && len(dst) >= 16 {
		p.lerp4((*[16]uint8)(dst), binary.LittleEndian.Uint32(cover))
		dst, cover = dst[16:], cover[4:]
	}
	for i, a := range cover {
		d := dst[4*i : 4*i+4 : 4*i+4]
		binary.LittleEndian.PutUint32(d, p.lerp(binary.LittleEndian.Uint32(d), uint32(a)))
	}
}

// lerp4 blends four pixels. The loop is unrolled, because constant offsets need no bounds checks. This saves a quarter of the time.
func (p wide) lerp4(d *[16]uint8, run uint32) {
	if run == 0 {
		return
	}
	le := binary.LittleEndian
	le.PutUint32(d[0:], p.lerp(le.Uint32(d[0:]), run&255))
	le.PutUint32(d[4:], p.lerp(le.Uint32(d[4:]), run>>8&255))
	le.PutUint32(d[8:], p.lerp(le.Uint32(d[8:]), run>>16&255))
	le.PutUint32(d[12:], p.lerp(le.Uint32(d[12:]), run>>24))
}

func (p wide) fill8(d *[32]uint8) {
	v := uint64(p.pixel())
	v |= v << 32
	le := binary.LittleEndian
	le.PutUint64(d[0:], v)
	le.PutUint64(d[8:], v)
	le.PutUint64(d[16:], v)
	le.PutUint64(d[24:], v)
}

// mix returns color*c + pixel*keep, rounded to nearest. c and `keep` are weights from 0 to 255. The result is exact if one weight is 0 and
// the other 255.
func (p wide) mix(pixel, c, keep uint32) uint32 {
	v := p*wide(c) + spread(pixel)*wide(keep) + halves
	return ((v + v>>8&lanes) >> 8 & lanes).pixel()
}

// lerp moves `pixel` towards an opaque color by c/255. The result is exact if c is 0 or 255 or the colors are equal. Otherwise the error
// is at most one level. lerp needs one multiplication and no division, because it scales c to 0..256. In the difference p-d, a lane may
// borrow from the next lane. Adding d<<8 undoes the borrow, because no lane of the sum is negative.
func (p wide) lerp(pixel, c uint32) uint32 {
	d := spread(pixel)
	v := d<<8 + (p-d)*wide(c+c>>7) + halves
	return (v >> 8 & lanes).pixel()
}

// div255 returns v/255 rounded to nearest, for v up to 255*255.
func div255(v uint32) uint32 {
	v += 128
	return (v + v>>8) >> 8
}
