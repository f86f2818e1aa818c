package jpegtile

import "encoding/binary"

// bitWriter packs codes into bytes, most significant bit first, with a zero after every 0xFF (T.81, F.1.2.3).
// The caller provides a buffer of sufficient size.
type bitWriter struct {
	buf []byte
	pos int
	acc uint64 // its low n bits are not written yet
	n   uint   // less than 32 between calls
}

// put writes the low n bits of code. n is at most 32 and the rest of code is zero.
func (w *bitWriter) put(code uint64, n uint) {
	w.acc = w.acc<<n | code
	w.n += n
	if w.n >= 32 {
		w.n -= 32
		w.pos = emit(w.buf, w.pos, uint32(w.acc>>w.n))
	}
}

// emit writes four bytes at pos and returns the next position.
func emit(buf []byte, pos int, v uint32) int {
	if z := ^v; (z-0x01010101)&^z&0x80808080 == 0 { // no byte of v is 0xFF
		binary.BigEndian.PutUint32(buf[pos:], v)
		return pos + 4
	}
	for shift := 24; shift >= 0; shift -= 8 {
		pos = emitByte(buf, pos, byte(v>>shift))
	}
	return pos
}

func emitByte(buf []byte, pos int, b byte) int {
	buf[pos] = b
	pos++
	if b == 0xFF {
		buf[pos] = 0
		pos++
	}
	return pos
}

// finish pads with ones to a whole byte (T.81, F.1.2.3), writes everything out and returns the bytes since reset. The writer is a
// copy, so the caller's writer keeps the state before the padding.
func (w *bitWriter) finish() []byte {
	if pad := -w.n & 7; pad != 0 {
		w.acc = w.acc<<pad | (1<<pad - 1)
		w.n += pad
	}
	for w.n > 0 {
		w.n -= 8
		w.pos = emitByte(w.buf, w.pos, byte(w.acc>>w.n))
	}
	return w.buf[:w.pos]
}

func (w *bitWriter) reset() { w.pos, w.acc, w.n = 0, 0, 0 }
