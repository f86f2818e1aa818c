package scaledjpeg

import "fmt"

const lookBits = 11 // codes of up to this many bits are found in one step

// huffman is a table of codes (annex C, F.2.2.3).
type huffman struct {
	// fast maps the next lookBits bits to the symbol and, above it, the length of the code (0 = a longer code).
	fast [1 << lookBits]uint16
	// whole maps the next lookBits bits to a coefficient whose value bits are among them: value<<16 | run<<8 | number of bits (0 =
	// not complete). The end of a block is a run to its end. 16 zeros are a run of 15 and a zero.
	whole [1 << lookBits]int32
	// pairs maps the next lookBits bits to one or two kept coefficients, or to the end of the block. See pair.
	pairs [1 << lookBits]uint64
	// tail maps the next lookBits bits to the coefficients that are skipped and complete in them, and to the end of the block:
	// ended<<15 | places<<8 | number of bits (0 = not even one is complete).
	tail   [1 << lookBits]uint16
	limit  [17]int32 // the first invalid code of each length, shifted to 16 bits
	offset [17]int32 // difference between a code and the index of its symbol
	values [256]uint8
	ready  bool
}

// set builds the tables. Tables for DC coefficients have no pairs and no tail.
func (h *huffman) set(counts, values []byte, ac bool) error {
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
	for look := uint32(0); ac && look < 1<<lookBits; look++ {
		h.pairs[look], h.tail[look] = h.pair(look), h.passed(look)
	}
	return nil
}

// fill enters a code in the quick table.
func (h *huffman) fill(code uint32, length int, symbol uint8) {
	if length > lookBits {
		return
	}
	first := code << (lookBits - length)
	for i := range uint32(1) << (lookBits - length) {
		h.fast[first+i] = uint16(length)<<8 | uint16(symbol)
	}
}

// coefficient returns the entry of whole for the next lookBits bits.
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

// pair returns the entry of pairs for the next lookBits bits. From the lowest bit on it has the number of bits, and the distances
// of the first, the second and the next coefficient, 8 bits each, and then two values of 16 bits. A single coefficient is entered
// twice. 0 means that not even one is complete.
func (h *huffman) pair(look uint32) uint64 {
	entry := func(w, w2 int32, used, at, at2, next uint64) uint64 {
		return used | at<<8 | at2<<16 | next<<24 | uint64(uint16(w>>16))<<32 | uint64(uint16(w2>>16))<<48
	}
	w := h.whole[look]
	used, run := uint64(w&0xff), uint64(w>>8&0x7f)
	w2 := h.whole[look<<used&(1<<lookBits-1)]
	used2, run2 := used+uint64(w2&0xff), uint64(w2>>8&0x7f)
	switch {
	case w == 0:
		return 0
	case w2 == 0 || used2 > lookBits || run == blockSize:
		return entry(w, w, used, run, run, run+1)
	}
	return entry(w, w2, used2, run, run+1+run2, run+1+run2+1)
}

// tailEnds is the bit of tail that marks the end of the block.
const tailEnds = 1 << 15

// passed returns the entry of tail for the next lookBits bits.
func (h *huffman) passed(look uint32) uint16 {
	used, places := int32(0), int32(0)
	for {
		w := h.whole[look<<used&(1<<lookBits-1)]
		length, run := w&0xff, w>>8&0x7f
		if w == 0 || used+length > lookBits || run < blockSize && places+run+1 > blockSize {
			return uint16(places<<8 | used)
		}
		used += length
		if run == blockSize {
			return uint16(tailEnds | places<<8 | used)
		}
		places += run + 1
	}
}

// extend is the function EXTEND of F.2.2.1.
func extend(v int32, size int) int32 {
	if v < 1<<(size-1) {
		return v - 1<<size + 1
	}
	return v
}
