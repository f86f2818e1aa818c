package fb

import (
	"encoding/binary"
	"math/bits"
)

// A converter converts a row of RGBA pixels (four bytes each) to pixels of the device. src has len(src)/4 pixels, and dst is long enough
// for them. x and y are the screen position of the first pixel, which determines the dither thresholds.
type converter func(dst, src []byte, x, y int)

// newConverter returns the fastest converter for f on this machine.
func newConverter(f Format, dither bool) converter {
	switch {
	case sameColors(f, XRGB8888):
		return convertXRGB8888
	case sameColors(f, XBGR8888):
		return convertXBGR8888
	case sameColors(f, RGB565):
		return func(dst, src []byte, x, y int) { convertRGB565(dst, src, pattern565(dither, x, y)) }
	case sameColors(f, BGR565):
		return func(dst, src []byte, x, y int) { convertBGR565(dst, src, pattern565(dither, x, y)) }
	}
	return plainConverter(f, dither)
}

// writesWords reports whether the converter for f writes each row from left to right, in whole words, and never reads from dst. Only the
// last pixels of a row may be less than a word.
func writesWords(f Format) bool {
	return sameColors(f, XRGB8888) || sameColors(f, XBGR8888) || sameColors(f, RGB565) || sameColors(f, BGR565)
}

// sameColors reports whether f and g have the same layout of colors. The position of alpha does not matter, because its bits are always
// written as ones.
func sameColors(f, g Format) bool {
	f.Alpha, g.Alpha = Bitfield{}, Bitfield{}
	return f == g
}

// plainConverter returns a converter that works for any format and handles one channel of one pixel at a time. Tests compare the fast
// converters with it.
func plainConverter(f Format, dither bool) converter {
	size := f.BytesPerPixel()
	fill := f.opaque()
	return func(dst, src []byte, x, y int) {
		t := uint32(nearest)
		for ; len(src) >= 4; src, dst = src[4:], dst[size:] {
			if dither {
				t = bayer(x, y)
				x++
			}
			p := fill |
				quantize(src[0], f.Red.Length, t)<<f.Red.Offset |
				quantize(src[1], f.Green.Length, t)<<f.Green.Offset |
				quantize(src[2], f.Blue.Length, t)<<f.Blue.Offset
			for i := range size {
				dst[i] = byte(p >> (8 * i))
			}
		}
	}
}

// alphaLanes is the mask of the alpha bytes of two RGBA pixels in a uint64. The red of the first pixel is the lowest byte, and the alpha of
// the second pixel is the highest byte.
const alphaLanes = 0xff000000_ff000000

// swapRB exchanges red and blue in two pixels and makes them opaque. It reverses the bytes of each pixel, shifts them down by one
// byte, and sets alpha to ones.
func swapRB(v uint64) uint64 {
	return bits.RotateLeft64(bits.ReverseBytes64(v), 32)>>8 | alphaLanes
}

// xrgbPlain exchanges red and blue, eight pixels at a time.
func xrgbPlain(dst, src []byte) {
	for len(src) >= 32 && len(dst) >= 32 {
		s, d := src[:32:32], dst[:32:32]
		binary.LittleEndian.PutUint64(d, swapRB(binary.LittleEndian.Uint64(s)))
		binary.LittleEndian.PutUint64(d[8:], swapRB(binary.LittleEndian.Uint64(s[8:])))
		binary.LittleEndian.PutUint64(d[16:], swapRB(binary.LittleEndian.Uint64(s[16:])))
		binary.LittleEndian.PutUint64(d[24:], swapRB(binary.LittleEndian.Uint64(s[24:])))
		src, dst = src[32:], dst[32:]
	}
	for len(src) >= 4 && len(dst) >= 4 {
		binary.LittleEndian.PutUint32(dst, uint32(swapRB(uint64(binary.LittleEndian.Uint32(src)))))
		src, dst = src[4:], dst[4:]
	}
}

// convertXBGR8888 copies pixels and makes them opaque.
func convertXBGR8888(dst, src []byte, _, _ int) {
	for len(src) >= 32 && len(dst) >= 32 {
		s, d := src[:32:32], dst[:32:32]
		binary.LittleEndian.PutUint64(d, binary.LittleEndian.Uint64(s)|alphaLanes)
		binary.LittleEndian.PutUint64(d[8:], binary.LittleEndian.Uint64(s[8:])|alphaLanes)
		binary.LittleEndian.PutUint64(d[16:], binary.LittleEndian.Uint64(s[16:])|alphaLanes)
		binary.LittleEndian.PutUint64(d[24:], binary.LittleEndian.Uint64(s[24:])|alphaLanes)
		src, dst = src[32:], dst[32:]
	}
	for len(src) >= 4 && len(dst) >= 4 {
		binary.LittleEndian.PutUint32(dst, binary.LittleEndian.Uint32(src)|alphaLanes>>32)
		src, dst = src[4:], dst[4:]
	}
}

// A pattern holds the dither values for sixteen pixels of a row, two pixels in each uint64. They are added to the pixels' channels before
// the low bits of the channels are cut off. The values are threshold>>3 for red and blue, and threshold>>4 for green. They repeat after
// four pixels.
type pattern [8]uint64

// patterns565 lists the dither patterns. Its indices are y&3 and x&3 of the first pixel.
var patterns565 = func() (all [4][4]pattern) {
	for y := range 4 {
		for x := range 4 {
			for i := range 16 {
				all[y][x][i/2] |= lanes565(bayer(x+i, y)) << (32 * (i % 2))
			}
		}
	}
	return all
}()

// flat565 is the pattern without dithering.
var flat565 = func() (p pattern) {
	for i := range p {
		p[i] = lanes565(nearest) * (1<<32 + 1)
	}
	return p
}()

// lanes565 returns the values that the threshold t adds to the channels of one pixel, as one word.
func lanes565(t uint32) uint64 {
	return uint64(t>>3 | t>>4<<8 | t>>3<<16)
}

// pattern565 returns the pattern for a row that begins at (x, y). Without dithering it is flat565.
func pattern565(dither bool, x, y int) *pattern {
	if !dither {
		return &flat565
	}
	return &patterns565[y&3][x&3]
}

// level565 does the work of quantize for all channels of two pixels, but does not cut off the low bits. Its levels are the upper five
// bits of red, six of green and five of blue. No channel overflows, because 255 is first reduced to 248 and then increased by at most 7
// (252 and 3 for green).
func level565(v, add uint64) uint64 {
	return v - v>>5&0x00070007_00070007 - v>>6&0x00000300_00000300 + add
}

// rgb565Plain converts four pixels at a time.
func rgb565Plain(dst, src []byte, p *pattern) {
	for len(src) >= 16 && len(dst) >= 8 {
		a := level565(binary.LittleEndian.Uint64(src), p[0])
		b := level565(binary.LittleEndian.Uint64(src[8:]), p[1])
		a = a&0xf8_000000f8<<8 | a>>5&0x7e0_000007e0 | a>>19&0x1f_0000001f
		b = b&0xf8_000000f8<<8 | b>>5&0x7e0_000007e0 | b>>19&0x1f_0000001f
		binary.LittleEndian.PutUint64(dst, join565(a, b))
		src, dst = src[16:], dst[8:]
	}
	for i := 0; len(src) >= 4 && len(dst) >= 2; i++ {
		v := level565(uint64(binary.LittleEndian.Uint32(src)), p[i/2&1]>>(32*(i&1))&0xffffffff)
		binary.LittleEndian.PutUint16(dst, uint16(v&0xf8<<8|v>>5&0x7e0|v>>19&0x1f))
		src, dst = src[4:], dst[2:]
	}
}

// convertBGR565 does the same as rgb565Plain, with red and blue exchanged.
func convertBGR565(dst, src []byte, p *pattern) {
	for len(src) >= 16 && len(dst) >= 8 {
		a := level565(binary.LittleEndian.Uint64(src), p[0])
		b := level565(binary.LittleEndian.Uint64(src[8:]), p[1])
		a = a>>3&0x1f_0000001f | a>>5&0x7e0_000007e0 | a>>8&0xf800_0000f800
		b = b>>3&0x1f_0000001f | b>>5&0x7e0_000007e0 | b>>8&0xf800_0000f800
		binary.LittleEndian.PutUint64(dst, join565(a, b))
		src, dst = src[16:], dst[8:]
	}
	for i := 0; len(src) >= 4 && len(dst) >= 2; i++ {
		v := level565(uint64(binary.LittleEndian.Uint32(src)), p[i/2&1]>>(32*(i&1))&0xffffffff)
		binary.LittleEndian.PutUint16(dst, uint16(v>>3&0x1f|v>>5&0x7e0|v>>8&0xf800))
		src, dst = src[4:], dst[2:]
	}
}

// join565 packs the 16-bit pixels in a and b into one uint64.
func join565(a, b uint64) uint64 {
	return a&0xffff | a>>16&0xffff0000 | (b&0xffff|b>>16&0xffff0000)<<32
}
