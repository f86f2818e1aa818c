package pngtile

import "hash/adler32"

// adlerBase is the largest prime below 2^16 (RFC 1950, section 8.2).
const adlerBase = 65521

// adler is an Adler-32 checksum with the length it covers; the zero value is not the sum of nothing, sumOfNothing is.
type adler struct {
	sum uint32
	n   int
}

var sumOfNothing = adler{sum: 1}

// then gives the checksum of a's bytes followed by b's. With s1 and s2 the halves of a sum over n bytes d,
//
//	s1 = 1 + d[0] + ... + d[n-1]
//	s2 = n + n*d[0] + (n-1)*d[1] + ... + 1*d[n-1]
//
// so that behind a, b's s1 grows by s1(a)-1, and its s2 by n(b) times that and by s2(a).
func (a adler) then(b adler) adler {
	grow := a.sum&0xFFFF + adlerBase - 1
	s1 := (b.sum&0xFFFF + grow) % adlerBase
	s2 := (uint64(b.sum>>16) + uint64(grow)*uint64(b.n) + uint64(a.sum>>16)) % adlerBase
	return adler{uint32(s2)<<16 | s1, a.n + b.n}
}

// sumOf gives the checksum of p.
func sumOf(p []byte) adler { return adler{adler32.Checksum(p), len(p)} }
