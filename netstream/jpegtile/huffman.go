package jpegtile

// huffmanSpec is a Huffman table as a DHT segment holds it (T.81, B.2.4.2).
type huffmanSpec struct {
	class, id byte
	counts    [16]byte // codes of each length, 1 to 16 bits
	symbols   []byte   // symbols in order of growing code
}

// code is a Huffman code in the form that put needs: bits<<5 | length.
type code uint32

func (c code) bits() uint64 { return uint64(c >> 5) }
func (c code) length() uint { return uint(c & 31) }

// codes assigns the codes of a table by symbol (T.81, annex C).
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

// roomy returns the codes with room after them for the value bits that follow. The low four bits of a symbol are the number of
// these bits. Together they have at most 16+11 bits, so they still fit in a code.
func roomy(t [256]code) [256]code {
	for symbol, c := range t {
		size := uint(symbol & 15)
		if c != 0 {
			t[symbol] = code(c.bits()<<size<<5) | code(c.length()+size)
		}
	}
	return t
}

// Symbols of AC coding (T.81, F.1.2.2): run of zeros << 4 | size of the following value.
const (
	endOfBlock  = 0x00
	sixteenZero = 0xF0
)
