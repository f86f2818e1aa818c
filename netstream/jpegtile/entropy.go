package jpegtile

import "math/bits"

// component holds the codes of a component's Huffman tables, shifted to leave room for the value bits.
type component struct {
	dc, ac [256]code
	flat   code // code of a block that has the same DC as the previous block, and no other coefficients
}

func newComponent(dc, ac *huffmanSpec) *component {
	c := &component{dc: roomy(dc.codes()), ac: roomy(ac.codes())}
	end := c.ac[endOfBlock]
	same := c.dc[0]
	c.flat = code(uint32(same.bits()<<end.length()|end.bits())<<5 | uint32(same.length()+end.length()))
	return c
}

// valueBits returns the number of value bits for v, and these bits. For a negative v, the value bits are the lowest bits of v-1 (T.81,
// F.1.2.1.1).
func valueBits(v int32) (size uint, low uint64) {
	sign := v >> 31
	size = uint(bits.Len32(uint32((v ^ sign) - sign)))
	return size, uint64(uint32(v+sign)) & (1<<size - 1)
}

// flatBlock writes the code of a block that has only a DC. `diff` is this DC minus the DC of the previous block.
func (c *component) flatBlock(w *bitWriter, diff int32) {
	if diff == 0 {
		w.put(c.flat.bits(), c.flat.length())
		return
	}
	c.codeDC(w, diff)
	w.put(c.ac[endOfBlock].bits(), c.ac[endOfBlock].length())
}

func (c *component) codeDC(w *bitWriter, diff int32) {
	size, low := valueBits(diff)
	h := c.dc[size]
	w.put(h.bits()|low, h.length())
}

// codeBlock writes the code of a block. Bit s of `mask` is set if the coefficient at spot s is not zero. `diff` is the DC minus the DC of
// the previous block. codeBlock copies the writer's fields to local variables, because the compiler then keeps them in registers.
func (c *component) codeBlock(w *bitWriter, b *block, mask uint64, diff int32) {
	todo := inCodingOrder(mask) &^ 1
	if todo == 0 {
		c.flatBlock(w, diff)
		return
	}
	c.codeDC(w, diff)
	buf, pos, acc, n := w.buf, w.pos, w.acc, w.n
	last := 0
	for ; todo != 0; todo &= todo - 1 {
		k := bits.TrailingZeros64(todo)
		run := k - last - 1
		last = k
		for ; run > 15; run -= 16 {
			h := c.ac[sixteenZero]
			acc, n = acc<<h.length()|h.bits(), n+h.length()
			if n >= 32 {
				n -= 32
				pos = emit(buf, pos, uint32(acc>>n))
			}
		}
		size, low := valueBits(int32(b[spotOf[k&63]&63]))
		h := c.ac[uint8(run<<4)|uint8(size)]
		acc, n = acc<<(h.length()&63)|h.bits()|low, n+h.length()
		if n >= 32 {
			n -= 32
			pos = emit(buf, pos, uint32(acc>>(n&63)))
		}
	}
	if last != 63 {
		h := c.ac[endOfBlock]
		acc, n = acc<<h.length()|h.bits(), n+h.length()
		if n >= 32 {
			n -= 32
			pos = emit(buf, pos, uint32(acc>>n))
		}
	}
	w.pos, w.acc, w.n = pos, acc, n
}
