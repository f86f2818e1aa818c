package pngtile

import (
	"math/bits"
	"slices"
)

// Sizes of the deflate alphabets (RFC 1951, 3.2.5 and 3.2.7).
const (
	literalSymbols  = 286
	distanceSymbols = 30
	lengthSymbols   = 19
	endOfBlock      = 256
	maxCodeBits     = 15
	maxLengthBits   = 7
)

// huffman is a code for up to literalSymbols symbols. It is reused for each block.
type huffman struct {
	freq   [literalSymbols]uint32
	length [literalSymbols]uint8
	code   [literalSymbols]uint16 // bits in reverse, because deflate sends codes from the top

	// scratch of build
	order  [literalSymbols]uint64
	weight [2 * literalSymbols]uint64
	parent [2 * literalSymbols]uint16
}

// build computes the code for the frequencies of the first n symbols, no code longer than limit bits.
func (h *huffman) build(n, limit int) {
	clear(h.length[:])
	used := h.order[:0]
	for s, f := range h.freq[:n] {
		if f > 0 {
			used = append(used, uint64(f)<<16|uint64(s))
		}
	}
	slices.Sort(used)
	switch len(used) {
	case 0:
	case 1:
		h.length[used[0]&0xFFFF] = 1
	default:
		h.assign(used, limit)
	}
	h.number(n)
}

// assign finds code lengths by Huffman's algorithm with two queues: leaves in order of weight, and inner nodes, which
// are created in order of weight.
func (h *huffman) assign(used []uint64, limit int) {
	leaves := len(used)
	for i, u := range used {
		h.weight[i] = u >> 16
	}
	leaf, inner := 0, leaves
	for node := leaves; node < 2*leaves-1; node++ {
		h.weight[node] = 0
		for range 2 {
			at := leaf
			if leaf == leaves || inner < node && h.weight[inner] < h.weight[leaf] {
				at = inner
				inner++
			} else {
				leaf++
			}
			h.weight[node] += h.weight[at]
			h.parent[at] = uint16(node)
		}
	}
	// From here on, weight contains the depths of the nodes, from the root downwards.
	h.weight[2*leaves-2] = 0
	var count [64]int
	for node := 2*leaves - 3; node >= 0; node-- {
		h.weight[node] = h.weight[h.parent[node]] + 1
		if node < leaves {
			count[min(int(h.weight[node]), limit)]++
		}
	}
	h.shorten(used, &count, limit)
}

// shorten makes the number of codes of each length valid after long ones were cut to the limit. Each step pairs one of
// the longest codes with a shorter one that is lengthened. The rarest symbols get the longest codes.
func (h *huffman) shorten(used []uint64, count *[64]int, limit int) {
	room := 1 << limit
	for n := 1; n <= limit; n++ {
		room -= count[n] << (limit - n)
	}
	for ; room < 0; room++ {
		n := limit - 1
		for count[n] == 0 {
			n--
		}
		count[n]--
		count[n+1] += 2
		count[limit]--
	}
	i := 0
	for n := limit; n > 0; n-- {
		for range count[n] {
			h.length[used[i]&0xFFFF] = uint8(n)
			i++
		}
	}
}

// number assigns the codes their values (RFC 1951, 3.2.2).
func (h *huffman) number(n int) {
	var next [maxCodeBits + 2]uint16
	for _, l := range h.length[:n] {
		if l > 0 {
			next[l+1]++
		}
	}
	for l := 2; l < len(next); l++ {
		next[l] = (next[l-1] + next[l]) << 1
	}
	for s, l := range h.length[:n] {
		if l > 0 {
			h.code[s] = bits.Reverse16(next[l]) >> (16 - l)
			next[l]++
		}
	}
}
