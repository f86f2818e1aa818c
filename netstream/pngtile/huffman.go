package pngtile

import (
	"math/bits"
	"slices"
)

// Sizes of the alphabets of deflate (RFC 1951, 3.2.5 and 3.2.7).
const (
	literalSymbols  = 286
	distanceSymbols = 30
	lengthSymbols   = 19
	endOfBlock      = 256
	maxCodeBits     = 15
	maxLengthBits   = 7
)

// huffman is a Huffman code for up to literalSymbols symbols. The same huffman is used again for each block.
type huffman struct {
	freq   [literalSymbols]uint32
	length [literalSymbols]uint8
	code   [literalSymbols]uint16 // codes with their bits in reverse order, because deflate writes the highest bit first

	// working memory of build
	order  [literalSymbols]uint64
	weight [2 * literalSymbols]uint64
	parent [2 * literalSymbols]uint16
}

// build computes the code for the frequencies of the first n symbols. No code is longer than `limit` bits.
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

// assign computes the code lengths with Huffman's algorithm. It uses two queues: the leaves, sorted by weight, and the inner nodes, which
// are created in the order of their weights.
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
	// From here on, weight contains the depths of the nodes. The root comes first.
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

// shorten corrects the numbers of codes of each length. It is necessary because codes that were too long now have the maximum length, for
// which there are too few bit patterns. In each step, a shorter code gets one bit longer, and one of the longest codes becomes its
// neighbor in the tree. Then shorten assigns the lengths: the rarest symbols get the longest codes.
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

// number computes the codes from their lengths (RFC 1951, 3.2.2).
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
