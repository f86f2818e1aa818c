package scaledjpeg

import "encoding/binary"

// bitReader reads the entropy-coded bytes of a scan.
type bitReader struct {
	data []byte
	pos  int
	acc  uint64 // the next bits, starting at the highest bit. Bits after the first n are undefined
	n    uint   // number of valid bits
	over uint   // number of zero bits that were added after the end of the data
}

// fill loads bits until at least 48 are available. At a marker or the end of the data, it adds zero bits and counts them.
func (b *bitReader) fill() {
	if b.pos+8 <= len(b.data) {
		if w := binary.BigEndian.Uint64(b.data[b.pos:]); !marked(w) {
			b.acc |= w >> (b.n & 63)
			b.pos += int((63 - b.n) / 8)
			b.n |= 56
			return
		}
	}
	b.fillSlowly()
}

// marked() reports whether one of the bytes of w is 0xff.
func marked(w uint64) bool { return (^w-0x0101010101010101)&w&0x8080808080808080 != 0 }

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
		b.acc |= uint64(v) << ((56 - b.n) & 63)
		b.n += 8
	}
}

// ended() reports whether the decoder used more bits than the data has.
func (b *bitReader) ended() bool { return b.over > b.n }

func (b *bitReader) skip(n uint) {
	b.acc <<= n & 63
	b.n -= n
}

// get reads an n-bit number. n is 0 to 16.
func (b *bitReader) get(n uint) int32 {
	if n == 0 {
		return 0
	}
	if b.n < n {
		b.fill()
	}
	v := int32(b.acc >> ((64 - n) & 63))
	b.skip(n)
	return v
}

// symbol reads one Huffman code and returns its symbol. At least 16 bits must be loaded.
func (b *bitReader) symbol(h *huffman) uint8 {
	if f := h.fast[b.acc>>(64-lookBits)]; f != 0 {
		b.skip(uint(f >> 8))
		return uint8(f)
	}
	code := int32(b.acc >> 48)
	for length := uint(lookBits + 1); length <= 16; length++ {
		if code < h.limit[length] {
			b.skip(length)
			return h.values[uint8(code>>(16-length)+h.offset[length])]
		}
	}
	b.skip(16)
	b.over = 1 << 20 // there is no such code: treat it as the end of the data
	return 0
}
