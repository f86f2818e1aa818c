package jpegtile

// huffmanSpec is a Huffman table in the form of a DHT segment (T.81, B.2.4.2).
type huffmanSpec struct {
	class, id byte
	counts    [16]byte // number of codes of each length, 1 to 16 bits
	symbols   []byte   // symbols, in the order of their codes
}

// code is a Huffman code as bits<<5 | length.
type code uint32

func (c code) bits() uint64 { return uint64(c >> 5) }
func (c code) length() uint { return uint(c & 31) }

// codes() returns the code of each symbol (T.81, annex C).
func (s *huffmanSpec) codes() (t [256]code) {
	next, k := uint32(0), 0
	for i, n := range s.counts {
		for range n {
			t[s.symbols[k]] = code(next<<5 | uint32(i+1))
			next++
			k++
		}
		next <<= 1
	}
	return t
}

// roomy shifts each code to the left, to leave room for the value bits after the code. The lowest four bits of the symbol are the number of
// value bits. A code and its value bits have at most 16+11 bits, so they still fit in the type code.
func roomy(t [256]code) [256]code {
	for symbol, c := range t {
		size := uint(symbol & 15)
		if c != 0 {
			t[symbol] = code(c.bits()<<size<<5) | code(c.length()+size)
		}
	}
	return t
}

// Symbols for AC coefficients: number of zeros << 4 | number of value bits (T.81, F.1.2.2).
const (
	endOfBlock  = 0x00
	sixteenZero = 0xF0
)
