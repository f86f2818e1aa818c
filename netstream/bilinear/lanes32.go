package bilinear

import (
	"encoding/binary"
	"unsafe"
)

// On machines with 32-bit registers, the functions in this file replace the functions of lanes64.go. A pixel of a row is a pair of words
// with two 16-bit lanes each: R and B in the first word, G and A in the second word. On ARM the compiler does not merge byte loads, so
// aligned data is read and written word by word.

const byteLanes = 0x00ff_00ff

// A pair is a pixel of a row: the two halves of its uint64.
type pair [2]uint32

// pairs() returns the pixels of a row.
func pairs(row []uint64) []pair {
	return unsafe.Slice((*pair)(unsafe.Pointer(unsafe.SliceData(row))), len(row))
}

// aligned32 reports whether p begins at a word boundary.
func aligned32(p []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(p)))%4 == 0 }

// words32 returns the pixels in p as 32-bit words. p must be aligned.
func words32(p []byte) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(p))), len(p)/4)
}

func filter32(row []uint64, src []byte, t *pointX, x0, x1 int) {
	off, weight, out := t.off[x0:x1], t.weight[x0:x1], pairs(row[x0:x1])
	weight, out = weight[:len(off)], out[:len(off)]
	if !aligned32(src) {
		for i, at := range off {
			in := src[at:][:8]
			out[i] = mix32(binary.LittleEndian.Uint32(in), binary.LittleEndian.Uint32(in[4:]), weight[i])
		}
		return
	}
	in := words32(src)
	for i, at := range off {
		two := (*pair)(in[uint(at)/4:])
		out[i] = mix32(two[0], two[1], weight[i])
	}
}

// mix32 blends two neighboring pixels of a row. The upper half of `weight` is the weight of p, and the lower half is the weight of q.
func mix32(p, q uint32, weight uint64) pair {
	wp, wq := uint32(weight>>32), uint32(weight)
	return pair{p&byteLanes*wp + q&byteLanes*wq, p>>8&byteLanes*wp + q>>8&byteLanes*wq}
}

func blend32(dst []byte, a, b []uint64, weight int) {
	w := uint32(weight)
	n := len(dst) / 4
	p, q := pairs(a[:n]), pairs(b[:n])
	if !aligned32(dst) {
		for i := range p {
			binary.LittleEndian.PutUint32(dst[4*i:], blendLanes(p[i][0], q[i][0], w)|blendLanes(p[i][1], q[i][1], w)<<8)
		}
		return
	}
	out := words32(dst)
	p, q = p[:len(out)], q[:len(out)]
	for i := range out {
		out[i] = blendLanes(p[i][0], q[i][0], w) | blendLanes(p[i][1], q[i][1], w)<<8
	}
}

// blendLanes blends each of the two 16-bit lanes of p with the same lane of q. The result has one byte in each lane.
func blendLanes(p, q, w uint32) uint32 {
	const round = 1<<(blendBits-1) + 1<<(blendShift-1)
	lo, hi := p&0xffff, p>>16
	lo = lo<<blendBits + (q&0xffff-lo)*w + round
	hi = hi<<blendBits + (q>>16-hi)*w + round
	return lo>>blendShift | hi>>blendShift<<16
}

func sum32(row []uint64, src []byte, off []int, w []uint8, x0, x1, _ int) {
	out := pairs(row[x0:x1])
	src = src[4*x0:]
	size := 4 * len(out)
	for i := 0; i+2 <= len(off) && i+2 <= len(w); i += 2 {
		a, b := src[off[i]:][:size], src[off[i+1]:][:size]
		wa, wb := uint32(w[i]), uint32(w[i+1])
		switch {
		case !aligned32(a) || !aligned32(b):
			addBytes32(out, a, b, wa, wb, i == 0)
		case i == 0:
			setTwo32(out, words32(a), words32(b), wa, wb, byteLanes)
		case wb == 0: // the number of rows is odd, so b is not a real row
			addOne32(out, words32(a), wa, byteLanes)
		default:
			addTwo32(out, words32(a), words32(b), wa, wb, byteLanes)
		}
	}
}

// The functions below are not inlined, and their mask is an argument, so that all values stay in registers.

// setTwo32 sets the sums of a row to the weighted sum of two source rows.
//
//go:noinline
func setTwo32(out []pair, a, b []uint32, wa, wb, mask uint32) {
	b, out = b[:len(a)], out[:len(a)]
	for i, p := range a {
		q, o := b[i], &out[i]
		o[0] = p&mask*wa + q&mask*wb
		o[1] = p>>8&mask*wa + q>>8&mask*wb
	}
}

// addTwo32 adds two more source rows.
//
//go:noinline
func addTwo32(out []pair, a, b []uint32, wa, wb, mask uint32) {
	b, out = b[:len(a)], out[:len(a)]
	for i, p := range a {
		q, o := b[i], &out[i]
		o[0] += p&mask*wa + q&mask*wb
		o[1] += p>>8&mask*wa + q>>8&mask*wb
	}
}

// addOne32 adds one more source row.
//
//go:noinline
func addOne32(out []pair, a []uint32, wa, mask uint32) {
	out = out[:len(a)]
	for i, p := range a {
		o := &out[i]
		o[0] += p & mask * wa
		o[1] += p >> 8 & mask * wa
	}
}

// addBytes32 does the work of setTwo32 (if `first` is true) or of addTwo32 (if `first` is false), for rows that are not aligned.
func addBytes32(out []pair, a, b []byte, wa, wb uint32, first bool) {
	if first {
		clear(out)
	}
	for i := range out {
		p, q := binary.LittleEndian.Uint32(a[4*i:]), binary.LittleEndian.Uint32(b[4*i:])
		out[i][0] += p&byteLanes*wa + q&byteLanes*wb
		out[i][1] += p>>8&byteLanes*wa + q>>8&byteLanes*wb
	}
}

func shrink32(dst []byte, row []uint64, t *areaX, x0, x1 int) {
	sums, weight, start := pairs(row), t.weight[x0*t.stride:], t.start[x0:x1]
	if !aligned32(dst) {
		for i, from := range start {
			binary.LittleEndian.PutUint32(dst[4*i:], columns32(sums[from:], weight[i*t.stride:][:t.taps]))
		}
		return
	}
	out := words32(dst)[:len(start)]
	for i, from := range start {
		out[i] = columns32(sums[from:], weight[i*t.stride:][:t.taps])
	}
}

// columns32 computes a pixel from as many columns as `weight` has entries.
//
//go:noinline
func columns32(in []pair, weight []uint16) uint32 {
	const round = 1 << (shrinkShift - 1)
	r, g, b, a := uint32(round), uint32(round), uint32(round), uint32(round)
	in = in[:len(weight)]
	for j, w := range weight {
		v, rb, ga := uint32(w), in[j][0], in[j][1]
		r += uint32(uint16(rb)) * v
		b += rb >> 16 * v
		g += uint32(uint16(ga)) * v
		a += ga >> 16 * v
	}
	return r>>shrinkShift | g>>shrinkShift<<8 | b>>shrinkShift<<16 | a>>shrinkShift<<24
}
