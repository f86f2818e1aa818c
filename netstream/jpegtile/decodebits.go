package jpegtile

// lookBits is the length of the longest code that one table lookup decodes. Longer codes are rare, and occur only in noise.
const lookBits = 9

// A lookup finds the symbol of a Huffman code.
type lookup struct {
	quick  [1 << lookBits]uint16 // indexed by the next bits: length<<8 | symbol, or 0 for a longer or invalid code
	longer map[uint32]uint8      // symbols of longer codes. The key is 1<<length | code
}

func newLookup(s *huffmanSpec) lookup {
	l := lookup{longer: map[uint32]uint8{}}
	for symbol, c := range s.codes() {
		n := c.length()
		switch {
		case c == 0:
		case n > lookBits:
			l.longer[1<<n|uint32(c.bits())] = uint8(symbol)
		default:
			first := c.bits() << (lookBits - n)
			for i := range uint64(1) << (lookBits - n) {
				l.quick[first+i] = uint16(n)<<8 | uint16(symbol)
			}
		}
	}
	return l
}

// longestCode is the maximum length of a code in bits (T.81, annex C). longestValue is the maximum number of bits after a symbol.
const (
	longestCode  = 16
	longestValue = 15
)

// A bitReader reads the encoded bytes of a file.
type bitReader struct {
	data []byte
	pos  int
	acc  uint64 // the next bits, starting at the highest bit
	n    uint   // number of bits in acc, including zeros that were added after the data
	made uint   // number of the zeros in acc that were added after the data
}

// fill loads bits until at least 57 are available. A byte 0xFF begins a marker unless a zero follows (T.81, B.1.1.5). At a marker, fill
// stops reading and adds zeros.
func (r *bitReader) fill() {
	for r.n <= 56 {
		b := byte(0)
		switch {
		case r.pos == len(r.data) || r.data[r.pos] == 0xFF && (r.pos+1 == len(r.data) || r.data[r.pos+1] != 0):
			r.made += 8
		case r.data[r.pos] == 0xFF:
			b = 0xFF
			r.pos += 2
		default:
			b = r.data[r.pos]
			r.pos++
		}
		r.acc |= uint64(b) << (56 - r.n)
		r.n += 8
	}
}

// passMarker skips the given marker. It returns false if another marker comes next, or if a byte or more of data is left before the
// marker.
func (r *bitReader) passMarker(marker byte) bool {
	r.fill()
	if r.n < r.made || r.n-r.made >= 8 || r.pos+2 > len(r.data) || r.data[r.pos] != 0xFF || r.data[r.pos+1] != marker {
		return false
	}
	r.pos, r.acc, r.n, r.made = r.pos+2, 0, 0, 0
	return true
}

// symbol reads a code and returns its symbol. The caller must call fill() first. `ok` is false if there is no such code.
func (r *bitReader) symbol(l *lookup) (symbol uint8, ok bool) {
	if q := l.quick[r.acc>>(64-lookBits)]; q != 0 {
		r.skip(uint(q >> 8))
		return uint8(q), true
	}
	for n := uint(lookBits + 1); n <= longestCode; n++ {
		if symbol, ok := l.longer[1<<n|uint32(r.acc>>(64-n))]; ok {
			r.skip(n)
			return symbol, true
		}
	}
	return 0, false
}

// value reads the bits after a symbol and returns the value. If the first bit is 0, the value is negative, and the bits are the lowest
// bits of the value minus 1 (T.81, F.2.2.1).
func (r *bitReader) value(size uint) int32 {
	v := int32(r.acc >> 32 >> (32 - size))
	r.skip(size)
	if v < int32(1)<<size>>1 {
		v -= 1<<size - 1
	}
	return v
}

func (r *bitReader) skip(n uint) {
	r.acc <<= n & 63
	r.n -= n
}

// difference reads the DC of a block, minus the DC of the previous block.
func (r *bitReader) difference(l *lookup) (v int32, ok bool) {
	r.fill()
	size, ok := r.symbol(l)
	if !ok || size > longestValue {
		return 0, false
	}
	return r.value(uint(size)), true
}

// coefficients() reads the AC coefficients of a block, multiplies them by their steps and stores them in f. f must contain only zeros. Bit
// y of `rows` is set if row y of f contains a coefficient. `ok` is false for data that the encoder never writes.
func (r *bitReader) coefficients(l *lookup, steps *[64]int32, f *freqs) (rows uint8, ok bool) {
	for k := uint(1); k < 64; k++ {
		if r.n < longestCode+longestValue {
			r.fill()
		}
		symbol, ok := r.symbol(l)
		size := uint(symbol & 15)
		switch {
		case !ok:
			return 0, false
		case symbol == endOfBlock:
			return rows, true
		case size == 0 && symbol != sixteenZero:
			return 0, false
		}
		if k += uint(symbol >> 4); k > 63 {
			return 0, false
		}
		if size > 0 {
			at := zigzag[k]
			f[at] = r.value(size) * steps[k]
			rows |= 1 << (at >> 3)
		}
	}
	return rows, true
}
