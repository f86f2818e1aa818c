package scaledjpeg

import (
	"encoding/binary"
	"fmt"
)

const lookBits = 10 // codes of up to so many bits are found at once

// huffman is a table of codes (annex C, F.2.2.3).
type huffman struct {
	// fast is, for the next lookBits bits: symbol, and above it the code's length; 0 = a longer code.
	fast [1 << lookBits]uint16
	// whole is the same for coefficients whose bits follow within lookBits: value<<16 | run<<8 | all bits; 0 = not. The end of
	// a block is a run to its end, 16 zeros are a run of 15 and a zero.
	whole  [1 << lookBits]int32
	limit  [17]int32 // the first code of each length that is none, shifted to 16 bits
	offset [17]int32 // from a code to the place of its symbol
	values [256]uint8
	ready  bool
}

func (h *huffman) set(counts, values []byte) error {
	*h = huffman{ready: true}
	copy(h.values[:], values)
	code, place := int32(0), int32(0)
	for length := 1; length <= 16; length++ {
		n := int32(counts[length-1])
		h.offset[length] = place - code
		if code+n > 1<<length {
			return fmt.Errorf("%w: Huffman table with too many codes", ErrBroken)
		}
		for i := range n {
			h.fill(uint32(code+i), length, h.values[place+i])
		}
		code, place = code+n, place+n
		h.limit[length] = code << (16 - length)
		code <<= 1
	}
	for look := range h.whole {
		h.whole[look] = h.coefficient(uint32(look))
	}
	return nil
}

// fill notes a code in the quick table.
func (h *huffman) fill(code uint32, length int, symbol uint8) {
	if length > lookBits {
		return
	}
	first := code << (lookBits - length)
	for i := range uint32(1) << (lookBits - length) {
		h.fast[first+i] = uint16(length)<<8 | uint16(symbol)
	}
}

// coefficient is the entry of whole for the next lookBits bits.
func (h *huffman) coefficient(look uint32) int32 {
	f := h.fast[look]
	length, run, size := int(f>>8), int32(f>>4&15), int(f&15)
	switch {
	case length == 0 || length+size > lookBits:
		return 0
	case size == 0 && run != 15:
		run = blockSize
	}
	if size == 0 {
		return run<<8 | int32(length)
	}
	v := int32(look>>(lookBits-length-size)) & (1<<size - 1)
	return extend(v, size)<<16 | run<<8 | int32(length+size)
}

// extend is EXTEND of F.2.2.1.
func extend(v int32, size int) int32 {
	if v < 1<<(size-1) {
		return v - 1<<size + 1
	}
	return v
}

// bitReader reads the entropy-coded bytes of a scan.
type bitReader struct {
	data []byte
	pos  int
	acc  uint64 // the next bits, at the top
	n    int    // how many of them are valid
	over int    // bits made up after the end
}

// fill makes at least 48 bits ready. At a marker or the end they are zeros, which are counted.
func (b *bitReader) fill() {
	if b.pos+8 <= len(b.data) {
		w := binary.BigEndian.Uint64(b.data[b.pos:])
		if inv := ^w; (inv-0x0101010101010101)&^inv&0x8080808080808080 == 0 { // no byte of w is ff
			take := (64 - b.n) / 8
			b.acc |= w >> b.n
			b.n += 8 * take
			b.pos += take
			if b.n < 64 { // bits of the next byte that were not taken
				b.acc &= ^uint64(0) << (64 - b.n)
			}
			return
		}
	}
	b.fillSlowly()
}

func (b *bitReader) fillSlowly() {
	for b.n <= 56 {
		v := byte(0)
		switch {
		case b.pos >= len(b.data), b.data[b.pos] == 0xff && (b.pos+1 >= len(b.data) || b.data[b.pos+1] != 0):
			b.over += 8
		case b.data[b.pos] == 0xff:
			v = 0xff
			b.pos += 2
		default:
			v = b.data[b.pos]
			b.pos++
		}
		b.acc |= uint64(v) << (56 - b.n)
		b.n += 8
	}
}

// ended reports whether more bits were used than there were.
func (b *bitReader) ended() bool { return b.over > b.n }

func (b *bitReader) skip(n int) {
	b.acc <<= n
	b.n -= n
}

// get takes n bits, 0 to 16.
func (b *bitReader) get(n int) int32 {
	if n == 0 {
		return 0
	}
	if b.n < n {
		b.fill()
	}
	v := int32(b.acc >> (64 - n))
	b.skip(n)
	return v
}

// symbol takes one code. At least 16 bits must be ready.
func (b *bitReader) symbol(h *huffman) uint8 {
	if f := h.fast[b.acc>>(64-lookBits)]; f != 0 {
		b.skip(int(f >> 8))
		return uint8(f)
	}
	code := int32(b.acc >> 48)
	for length := lookBits + 1; length <= 16; length++ {
		if code < h.limit[length] {
			b.skip(length)
			return h.values[uint8(code>>(16-length)+h.offset[length])]
		}
	}
	b.skip(16)
	b.over = 1 << 20 // no such code: the end
	return 0
}
