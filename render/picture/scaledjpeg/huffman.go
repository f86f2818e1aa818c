package scaledjpeg

import "fmt"

const lookBits = 11 // lookBits is the length of the longest code that one table lookup decodes.

// huffman is a Huffman table (annex C, F.2.2.3).
type huffman struct {
	// fast is indexed by the next lookBits bits. An entry describes the code at the start of these bits: length<<8 | symbol. 0 means that
	// the code is longer.
	fast [1 << lookBits]uint16
	// `whole` is indexed by the next lookBits bits. An entry is value<<16 | run<<8 | number of bits, where `run` counts the zeros before the
	// value. 0 means that the coefficient has more bits. The end of a block has run = blockSize. Sixteen zeros are a run of 15 and a value of
	// 0.
	whole [1 << lookBits]int32
	// pairs is indexed by the next lookBits bits. An entry holds one or two coefficients, or the end of the block. See pair().
	pairs [1 << lookBits]uint64
	// tail is indexed by the next lookBits bits, for skipping the rest of a block. An entry is ended<<15 | places<<8 | number of bits.
	// `places` counts the coefficients that are complete in these bits. `ended` is 1 if these bits contain the end of the block. An entry of 0
	// means that there is not even one complete coefficient.
	tail   [1 << lookBits]uint16
	limit  [17]int32 // for each length, the first value of 16 bits that is beyond the codes of this length
	offset [17]int32 // index of a symbol minus its code, for each length
	values [256]uint8
	ready  bool
}

// set builds the tables from a segment's data. Tables for DC coefficients do not need the tables `pairs` and `tail`.
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

// fill enters a code into the table h.fast.
func (h *huffman) fill(code uint32, length int, symbol uint8) {
	if length > lookBits {
		return
	}
	first := code << (lookBits - length)
	for i := range uint32(1) << (lookBits - length) {
		h.fast[first+i] = uint16(length)<<8 | uint16(symbol)
	}
}

// coefficient computes h.whole[look].
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

// pair computes h.pairs[look]. From the lowest bit on, an entry consists of four numbers of 8 bits and two values of 16 bits. The first
// number is the number of bits of the codes. The other numbers are distances in zigzag order: to the first value, to the second value,
// and to the next coefficient after them. A single coefficient is stored twice. 0 means that not even one coefficient is complete.
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

// tailEnds is the bit in an entry of tail that marks the end of the block.
const tailEnds = 1 << 15

// passed() computes h.tail[look].
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

// extend is the procedure EXTEND (F.2.2.1): it converts the bits of a value to a signed number.
func extend(v int32, size int) int32 {
	if v < 1<<(size-1) {
		return v - 1<<size + 1
	}
	return v
}
