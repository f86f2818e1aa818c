package bilinear

import "encoding/binary"

// The functions of this file are those of lanes64.go for machines with 32-bit registers.
// A row looks the same; its words are halves.

const byteLanes = 0x00ff_00ff

func filter32(row []uint64, src []byte, t *pointX, x0, x1 int) {
	off, weight := t.off[x0:x1], t.weight[x0:x1]
	row = row[x0:x1]
	for i := range row {
		in := src[off[i]:][:8]
		p, q := binary.LittleEndian.Uint32(in), binary.LittleEndian.Uint32(in[4:])
		wp, wq := uint32(weight[i]>>32), uint32(weight[i])
		rb := p&byteLanes*wp + q&byteLanes*wq
		ga := p>>8&byteLanes*wp + q>>8&byteLanes*wq
		row[i] = uint64(rb) | uint64(ga)<<32
	}
}

func blend32(dst []byte, a, b []uint64, weight int) {
	w := uint32(weight)
	n := len(dst) / 4
	a, b = a[:n], b[:n]
	for i, p := range a {
		q := b[i]
		rb := blendLanes(uint32(p), uint32(q), w)
		ga := blendLanes(uint32(p>>32), uint32(q>>32), w)
		binary.LittleEndian.PutUint32(dst[4*i:], rb|ga<<8)
	}
}

// blendLanes blends two 16-bit lanes and leaves a byte in each.
func blendLanes(p, q, w uint32) uint32 {
	const round = 1<<(blendBits-1) + 1<<(blendShift-1)
	lo, hi := p&0xffff, p>>16
	lo = lo<<blendBits + (q&0xffff-lo)*w + round
	hi = hi<<blendBits + (q>>16-hi)*w + round
	return lo>>blendShift | hi>>blendShift<<16
}

func sum32(row []uint64, src []byte, off []int, w []uint8, x0, x1, _ int) {
	out := row[2*x0 : 2*x1]
	src = src[4*x0:]
	bytes := 2 * len(out)
	clear(out)
	for ; len(off) >= 2; off, w = off[2:], w[2:] {
		addTwo32(out, src[off[0]:][:bytes], src[off[1]:][:bytes], uint32(w[0]), uint32(w[1]))
	}
	for i, v := range out {
		out[i] = v&0xffff | v>>16<<32
	}
}

// addTwo32 adds to R B and G A in the two 16-bit lanes of the low half of each word.
func addTwo32(out []uint64, a, b []byte, wa, wb uint32) {
	for i := 0; i+4 <= len(a) && i+4 <= len(b) && i/2+2 <= len(out); i += 4 {
		p, q := binary.LittleEndian.Uint32(a[i:]), binary.LittleEndian.Uint32(b[i:])
		rb, ga := uint32(out[i/2]), uint32(out[i/2+1])
		out[i/2] = uint64(rb + p&byteLanes*wa + q&byteLanes*wb)
		out[i/2+1] = uint64(ga + p>>8&byteLanes*wa + q>>8&byteLanes*wb)
	}
}

func shrink32(dst []byte, row []uint64, t *areaX, x0, x1 int) {
	for i, from := range t.start[x0:x1] {
		w := t.weight[(x0+i)*t.stride:][:t.taps]
		in := row[2*from:][:2*len(w)]
		const round = 1 << (shrinkShift - 1)
		r, g, b, a := uint32(round), uint32(round), uint32(round), uint32(round)
		for j, v := range w {
			v := uint32(v)
			rb, ga := in[2*j], in[2*j+1]
			r += uint32(rb) * v
			b += uint32(rb>>32) * v
			g += uint32(ga) * v
			a += uint32(ga>>32) * v
		}
		p := r>>shrinkShift | g>>shrinkShift<<8 | b>>shrinkShift<<16 | a>>shrinkShift<<24
		binary.LittleEndian.PutUint32(dst[4*i:], p)
	}
}
