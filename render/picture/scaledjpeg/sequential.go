package scaledjpeg

import (
	"encoding/binary"
	"fmt"
)

// decodeRow reads the coefficients of the next row of units of a sequential file.
func (d *Decoder) decodeRow() error {
	var all [maxComponents]*component
	for i := range d.comps {
		all[i] = &d.comps[i]
		clear(all[i].coefs)
	}
	comps, nn := all[:len(d.comps)], d.n*d.n
	for x := range d.unitsX {
		if err := d.nextUnit(comps); err != nil {
			return err
		}
		for _, c := range comps {
			for y := range c.v {
				at := (y*c.pitch() + x*c.h) * nn
				for range c.h {
					d.sequential(c, (*[beyond]int16)(c.coefs[at:]))
					at += nn
				}
			}
		}
	}
	if d.bits.ended() {
		return fmt.Errorf("%w: cut short", ErrBroken)
	}
	return nil
}

// difference reads the DC coefficient of a block, which is stored as the difference from the previous block (F.2.2.1).
func (d *Decoder) difference(c *component) int32 {
	b := &d.bits
	if b.n < 32 {
		b.fill()
	}
	if w := c.dc.whole[b.acc>>(64-lookBits)]; w != 0 {
		b.skip(uint(w & 0xff))
		c.prediction += w >> 16
		return c.prediction
	}
	size := uint(b.symbol(c.dc) & 15)
	if size > 0 {
		c.prediction += extend(b.get(size), int(size))
	}
	return c.prediction
}

// sequential reads the coefficients of one block (F.2.2.2), and skips the coefficients that are not needed.
func (d *Decoder) sequential(c *component, out *[beyond]int16) {
	out[0] = int16(d.difference(c))
	b, h := &d.bits, c.ac
	acc, n, k := b.acc, b.n, uint(1)
	for last := uint(d.lastPlace); k <= last; {
		if n < 32 {
			if w := b.ahead(); marked(w) {
				b.acc, b.n = acc, n
				b.fillSlowly()
				acc, n = b.acc, b.n
			} else {
				acc |= w >> (n & 63)
				b.pos += int((63 - n) / 8)
				n |= 56
			}
		}
		w := h.pairs[acc>>(64-lookBits)]
		if w == 0 {
			b.acc, b.n = acc, n
			w = b.longCoefficient(h)
			acc, n = b.acc, b.n
		}
		acc <<= w & 63
		n -= uint(w & 63)
		out[d.place[uint8(k+uint(w>>8))]%beyond] = int16(w >> 32)
		out[d.place[uint8(k+uint(w>>16))]%beyond] = int16(w >> 48)
		k += uint(w >> 24 & 0xff)
	}
	b.acc, b.n = acc, n
	if k < blockSize {
		d.passTail(h, k)
	}
}

// ahead() returns the next eight bytes of the data. Near the end of the data it returns bytes 0xff for the missing bytes.
func (b *bitReader) ahead() uint64 {
	if b.pos+8 > len(b.data) {
		return ^uint64(0)
	}
	return binary.BigEndian.Uint64(b.data[b.pos:])
}

// longCoefficient reads a coefficient whose code and value have more than lookBits bits. It returns an entry like the entries of pairs,
// but with 0 as the number of bits. At least 16 bits must be loaded.
func (b *bitReader) longCoefficient(h *huffman) uint64 {
	symbol := b.symbol(h)
	run, size := uint64(symbol>>4), uint(symbol&15)
	if size > 0 {
		v := uint64(uint16(extend(b.get(size), int(size))))
		return v<<48 | v<<32 | (run+1)<<24 | run<<16 | run<<8
	}
	if run != 15 {
		run = blockSize
	}
	return (run+1)<<24 | run<<16 | run<<8
}

// passTail skips the rest of a block, starting at coefficient k.
func (d *Decoder) passTail(h *huffman, k uint) {
	b := &d.bits
	for k < blockSize {
		if b.n < 32 {
			b.fill()
		}
		t := h.tail[b.acc>>(64-lookBits)]
		places := uint(t>>8) & 0x7f
		if t != 0 && (k+places < blockSize || k+places == blockSize && t&tailEnds == 0) {
			b.skip(uint(t & 0xff))
			if k += places; t&tailEnds != 0 {
				return
			}
			continue
		}
		w := h.whole[b.acc>>(64-lookBits)]
		if w == 0 {
			k += uint(b.longCoefficient(h) >> 24 & 0xff)
			continue
		}
		b.skip(uint(w & 0xff))
		k += uint(w>>8&0x7f) + 1
	}
}
