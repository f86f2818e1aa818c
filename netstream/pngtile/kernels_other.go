//go:build !amd64 || purego

package pngtile

import "math/bits"

// sumOf gives the checksum of p, which is that of hash/adler32.
func sumOf(p []byte) adler {
	if bits.UintSize == 32 { // where words of 64 bits are slow
		return sumBytes(p)
	}
	return sumWords(p)
}

// pack writes the RGB bytes of RGBA pixels to dst, which has slack behind them.
func pack(dst, rgba []byte) { packWords(dst, rgba) }
