package fb

import (
	"math/bits"
	"unsafe"
)

// The converters in this file are for machines with 32-bit registers. The oldest of these machines have ARMv6 processors. On ARMv6 the
// compiler does not merge byte loads, and a 64-bit value takes two registers. So these converters read and write 32-bit words. They
// require aligned rows, as in pictures and framebuffers.

// wordBytes is the required alignment in this file.
const wordBytes = 4

// aligned() reports whether p begins at a multiple of n bytes.
func aligned(p []byte, n uintptr) bool {
	return uintptr(unsafe.Pointer(unsafe.SliceData(p)))%n == 0
}

// words() returns the bytes of p as 32-bit words, without an incomplete word at the end. p must be aligned.
func words(p []byte) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(p))), len(p)/wordBytes)
}

// opaqueWord is the mask of the alpha bits of one pixel in a word.
const opaqueWord = 0xff000000

// xrgbWords does the same as xrgbPlain, with words of 32 bits.
func xrgbWords(dst, src []byte) {
	if !aligned(dst, wordBytes) || !aligned(src, wordBytes) {
		xrgbPlain(dst, src)
		return
	}
	s, d := words(src), words(dst)
	n := min(len(s), len(d))
	s, d = s[:n], d[:n]
	for len(s) >= 4 && len(d) >= 4 {
		p, q := (*[4]uint32)(s), (*[4]uint32)(d)
		q[0] = bits.ReverseBytes32(p[0])>>8 | opaqueWord
		q[1] = bits.ReverseBytes32(p[1])>>8 | opaqueWord
		q[2] = bits.ReverseBytes32(p[2])>>8 | opaqueWord
		q[3] = bits.ReverseBytes32(p[3])>>8 | opaqueWord
		s, d = s[4:], d[4:]
	}
	for i, v := range s {
		d[i] = bits.ReverseBytes32(v)>>8 | opaqueWord
	}
}

// lane returns the value that the pattern adds to pixel i of a row.
func (p *pattern) lane(i int) uint32 { return uint32(p[i/2&7] >> (32 * (i & 1))) }

// rgb565Words does the same as rgb565Plain, with two pixels in each written word. If a row begins in the middle of a word, it writes the
// first pixel separately.
func rgb565Words(dst, src []byte, p *pattern) {
	n := min(len(src)/4, len(dst)/2)
	if n == 0 || !aligned(dst, 2) || !aligned(src, wordBytes) {
		rgb565Plain(dst, src, p)
		return
	}
	first := 0
	if !aligned(dst, wordBytes) {
		first = 1
		rgb565Plain(dst[:2], src[:4], p)
	}
	lanes := [4]uint32{p.lane(first), p.lane(first + 1), p.lane(first + 2), p.lane(first + 3)}
	s, d := words(src[4*first:4*n]), words(dst[2*first:2*n])
	rgb565Pairs(d, s, &lanes)
	if done := first + 2*len(d); done < n { // one pixel is left
		v := level565Word(s[len(s)-1], p.lane(done))
		dst[2*done], dst[2*done+1] = byte(v), byte(v>>8)
	}
}

// rgb565Pairs writes two pixels into each word of d. Each word of s is one pixel. Its loop over eight pixels takes 20.4 instructions per
// pixel on ARMv6. A loop over four pixels takes 23.9, because fewer pixels share its overhead.
func rgb565Pairs(d, s []uint32, lanes *[4]uint32) {
	t0, t1, t2, t3 := lanes[0], lanes[1], lanes[2], lanes[3]
	n := min(len(s)/8, len(d)/4)
	for i := range n {
		p, q := (*[8]uint32)(s[8*i:8*i+8:8*i+8]), (*[4]uint32)(d[4*i:4*i+4:4*i+4])
		q[0] = level565Word(p[0], t0) | level565Word(p[1], t1)<<16
		q[1] = level565Word(p[2], t2) | level565Word(p[3], t3)<<16
		q[2] = level565Word(p[4], t0) | level565Word(p[5], t1)<<16
		q[3] = level565Word(p[6], t2) | level565Word(p[7], t3)<<16
	}
	s, d = s[8*n:], d[4*n:]
	for i := 0; len(s) >= 2 && len(d) >= 1; i++ {
		d[0] = level565Word(s[0], lanes[2*i&3]) | level565Word(s[1], lanes[2*i&3+1])<<16
		s, d = s[2:], d[1:]
	}
}

// level565Word does the same as level565 for one pixel. It returns the pixel in 16 bits.
func level565Word(v, add uint32) uint32 {
	v = v - v>>5&0x070007 - v>>6&0x000300 + add
	return v&0xf8<<8 | v>>5&0x7e0 | v>>19&0x1f
}
