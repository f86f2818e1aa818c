package pngtile

import (
	"encoding/binary"
	"slices"
)

// bitWriter packs bits into bytes, the lowest bit first (RFC 1951, 3.1.1).
type bitWriter struct {
	buf []byte
	acc uint64
	n   uint // less than 32 between two calls
}

// put writes the lowest n bits of v. n is at most 32.
func (w *bitWriter) put(v uint64, n uint) {
	w.acc |= v << w.n
	w.n += n
	if w.n >= 32 {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(w.acc))
		w.acc >>= 32
		w.n -= 32
	}
}

// flush writes an empty stored block, which ends at a byte boundary, like Z_FULL_FLUSH of zlib.
func (w *bitWriter) flush() {
	w.put(0, 3)
	w.put(0, -w.n&7)
	for ; w.n > 0; w.n -= 8 {
		w.buf = append(w.buf, byte(w.acc))
		w.acc >>= 8
	}
	w.buf = append(w.buf, 0, 0, 0xFF, 0xFF)
}

// block writes the collected tokens as a block with dynamic Huffman codes (RFC 1951, 3.2.7), and then forgets the tokens.
func (d *deflater) block() {
	d.literal.freq[endOfBlock] = 1
	d.literal.build(literalSymbols, maxCodeBits)
	d.dist.build(distanceSymbols, maxCodeBits)
	d.header()
	d.body()
	e := d.literal.code[endOfBlock]
	d.w.put(uint64(e), uint(d.literal.length[endOfBlock]))
	d.tokens = d.tokens[:0]
	clear(d.literal.freq[:])
	clear(d.dist.freq[:])
}

// lengthOrder is the order in which the code lengths of the code-length alphabet are written.
var lengthOrder = [lengthSymbols]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// extraOfRun lists the numbers of extra bits of the symbols 16, 17 and 18.
var extraOfRun = [3]uint{2, 3, 7}

func (d *deflater) header() {
	literals := trim(d.literal.length[:literalSymbols], 257)
	distances := trim(d.dist.length[:distanceSymbols], 1)
	d.runs = d.runs[:0]
	clear(d.lengths.freq[:])
	d.runLengths(literals)
	d.runLengths(distances)
	d.lengths.build(lengthSymbols, maxLengthBits)
	sent := lengthSymbols
	for sent > 4 && d.lengths.length[lengthOrder[sent-1]] == 0 {
		sent--
	}
	d.w.put(0b100, 3) // type of the block: not the last block, with dynamic codes
	d.w.put(uint64(len(literals)-257), 5)
	d.w.put(uint64(len(distances)-1), 5)
	d.w.put(uint64(sent-4), 4)
	for _, s := range lengthOrder[:sent] {
		d.w.put(uint64(d.lengths.length[s]), 3)
	}
	for _, r := range d.runs {
		s := r & 0xFF
		d.w.put(uint64(d.lengths.code[s]), uint(d.lengths.length[s]))
		if s >= 16 {
			d.w.put(uint64(r>>8), extraOfRun[s-16])
		}
	}
}

// trim removes zeros at the end of l, but keeps at least the given number of entries.
func trim(l []uint8, least int) []uint8 {
	for len(l) > least && l[len(l)-1] == 0 {
		l = l[:len(l)-1]
	}
	return l
}

// runLengths encodes code lengths as runs. Symbol 16 repeats the previous length 3 to 6 times, 17 means 3 to 10 zeros, and 18 means 11 to
// 138 zeros.
func (d *deflater) runLengths(l []uint8) {
	for i := 0; i < len(l); {
		v, n := l[i], 1
		for i+n < len(l) && l[i+n] == v {
			n++
		}
		i += n
		if v != 0 {
			d.run(uint16(v), 0)
			n--
		}
		for n >= 3 {
			var k int
			switch {
			case v != 0:
				k = min(n, 6)
				d.run(16, k-3)
			case n > 10:
				k = min(n, 138)
				d.run(18, k-11)
			default:
				k = n
				d.run(17, k-3)
			}
			n -= k
		}
		for range n {
			d.run(uint16(v), 0)
		}
	}
}

func (d *deflater) run(symbol uint16, extra int) {
	d.runs = append(d.runs, symbol|uint16(extra)<<8)
	d.lengths.freq[symbol]++
}

// body writes the tokens. For each token, it stores eight bytes, but advances only by the bytes that are complete.
func (d *deflater) body() {
	literals, lengths := d.bits()
	at := len(d.w.buf)
	buf := slices.Grow(d.w.buf, d.bytes())
	buf = buf[:cap(buf)]
	acc, n := d.w.acc, d.w.n
	for _, t := range d.tokens {
		if t < matchFlag {
			l := literals[t&0xFF]
			acc |= uint64(l&0xFFFFFF) << n
			n += uint(l >> 24)
		} else {
			l := lengths[t>>16&0xFF]
			acc |= uint64(l&0xFFFFFF) << n
			n += uint(l >> 24)
			v, k := d.distance(uint(t & 0xFFFF))
			acc |= v << n
			n += k
		}
		binary.LittleEndian.PutUint64(buf[at:], acc)
		at += int(n >> 3)
		acc >>= n &^ 7
		n &= 7
	}
	d.w = bitWriter{buf[:at], acc, n}
}

// bits() returns the code of each literal, and of each length with the index length-3. Bits 0 to 19 of an entry contain the code with its
// extra bits. From bit 24 on it contains the number of bits.
func (d *deflater) bits() (literals, lengths *[256]uint32) {
	h := &d.literal
	for s := range d.bytesOf {
		d.bytesOf[s] = uint32(h.code[s]) | uint32(h.length[s])<<24
	}
	for i := range d.matchesOf {
		s := lengthCode[i]
		extra, n := lengthExtra(s), uint(h.length[s])
		d.matchesOf[i] = uint32(h.code[s]) | uint32(i)&(1<<extra-1)<<n | uint32(n+extra)<<24
	}
	return &d.bytesOf, &d.matchesOf
}

// distance returns the code of a distance with its extra bits, and the number of these bits, at most 28. `less` is the distance minus one.
func (d *deflater) distance(less uint) (bits uint64, n uint) {
	c := distanceCode(int(less) + 1)
	extra, n := distanceExtra(c), uint(d.dist.length[c])
	return uint64(d.dist.code[c]) | uint64(less&(1<<extra-1))<<n, n + extra
}

// bytes() returns an upper bound of the bytes that body() stores.
func (d *deflater) bytes() int {
	n := uint32(0)
	for s, f := range d.literal.freq {
		n += f * uint32(d.literal.length[s])
		if s > endOfBlock {
			n += f * uint32(lengthExtra(uint16(s)))
		}
	}
	for s, f := range d.dist.freq[:distanceSymbols] {
		n += f * uint32(uint(d.dist.length[s])+distanceExtra(s))
	}
	return int(n/8) + 16 // one more store of eight bytes may extend beyond the end
}
