package blend

import (
	"encoding/binary"
	"image/color"
)

// cover32 does the same as coverLanes, for two channels of a pixel at a time. Like fill32, it treats all bytes of a word alike. It does
// nothing and returns false if the pixels are not aligned.
func cover32(b block, col color.RGBA) bool {
	p := words32(b.dst)
	if p == nil || b.stride%pixelBytes != 0 {
		return false
	}
	c, stride := color32(col), b.stride/pixelBytes
	lo, hi := c&lanes32, c>>8&lanes32
	for y := range b.h {
		row, cover := p[y*stride:], b.cover[y*b.coverStride:][:b.w]
		if col.A == 255 {
			lerp32(row, cover, lo, hi, lanes32, halves32)
		} else {
			mix32(row, cover, lo, hi, uint32(col.A))
		}
	}
	return true
}

// color32 returns a color as a word of words32.
func color32(col color.RGBA) uint32 {
	return binary.NativeEndian.Uint32([]byte{col.R, col.G, col.B, col.A})
}

// lerp32 blends an opaque color, whose channels are lo and hi; see wide.lerp. The sum of two products is the same number, but ARM
// processors compute it in fewer instructions. The constants lanes32 and halves32 are parameters, because the compiler would load them
// from memory for each pixel.
//
//go:noinline
func lerp32(row []uint32, cover []uint8, lo, hi, lanes, halves uint32) {
	row = row[:len(cover)]
	for i, a := range cover {
		c := uint32(a)
		if c == 0 {
			continue
		}
		if c == 255 {
			row[i] = lo | hi<<8
			continue
		}
		c += c >> 7
		keep := 256 - c
		e, o := (row[i]&lanes)*keep+(lo*c+halves), (row[i]>>8&lanes)*keep+(hi*c+halves)
		row[i] = e>>8&lanes | o&^lanes
	}
}

// mix32 blends a color with the given alpha; see wide.mix.
func mix32(row []uint32, cover []uint8, lo, hi, alpha uint32) {
	row = row[:len(cover)]
	for i, a := range cover {
		if a == 0 {
			continue
		}
		c, d := uint32(a), row[i]
		keep := 255 - div255(alpha*c)
		e, o := lo*c+(d&lanes32)*keep+halves32, hi*c+(d>>8&lanes32)*keep+halves32
		row[i] = (e+e>>8&lanes32)>>8&lanes32 | (o+o>>8&lanes32)&^lanes32
	}
}
