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
	c := color32(col)
	lo, hi := c&lanes32, c>>8&lanes32
	if col.A == 255 {
		lerp32(block32{block: b, words: p, pitch: b.stride / pixelBytes}, lo, hi, lanes32, halves32)
		return true
	}
	for y := range b.h {
		mix32(p[y*b.stride/pixelBytes:], b.cover[y*b.coverStride:][:b.w], lo, hi, uint32(col.A))
	}
	return true
}

// color32 returns a color as a word of words32.
func color32(col color.RGBA) uint32 {
	return binary.NativeEndian.Uint32([]byte{col.R, col.G, col.B, col.A})
}

// block32 is a block with its pixels as words. It has so many fields that the compiler keeps them in memory, and not in the registers that
// the inner loop of lerp32 needs.
type block32 struct {
	block
	words    []uint32
	pitch    int // words between two rows
	at, from int // start of the current row in words and in cover
}

// lerp32 blends an opaque color, whose channels are lo and hi, with a block; see wide.lerp. The sum of two products is the same number,
// but ARM processors compute it in fewer instructions. The constants lanes32 and halves32 are parameters, because the compiler would load
// them from memory for each pixel.
//
//go:noinline
func lerp32(b block32, lo, hi, lanes, halves uint32) {
	for ; b.h > 0; b.h-- {
		cover := b.cover[b.from:][:b.w]
		row := b.words[b.at:][:len(cover)]
		b.at, b.from = b.at+b.pitch, b.from+b.coverStride
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
			e, o := lo*c+((row[i]&lanes)*keep+halves), hi*c+((row[i]>>8&lanes)*keep+halves)
			row[i] = e>>8&lanes | o&^lanes
		}
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
