package jpegtile

import "encoding/binary"

// bitWriter packs codes into bytes, the most significant bit first. After each byte 0xFF it writes a zero byte (T.81, F.1.2.3). The caller
// must provide a large enough buffer.
type bitWriter struct {
	buf []byte
	pos int
	acc uint64 // the lowest n bits are not yet in the buffer
	n   uint   // less than 32 between two calls
}

// put writes the lowest n bits of code. n is at most 32. The other bits of code must be zero.
func (w *bitWriter) put(code uint64, n uint) {
	w.acc = w.acc<<n | code
	w.n += n
	if w.n >= 32 {
		w.n -= 32
		w.pos = emit(w.buf, w.pos, uint32(w.acc>>w.n))
	}
}

// emit writes the four bytes of v to buf[pos:], with a zero after each 0xFF. It returns the next position.
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

// finish fills the last byte with ones (T.81, F.1.2.3), and returns all bytes since the last reset. It changes the writer. To continue to
// write after the last bit, the caller must restore a copy of the writer.
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
