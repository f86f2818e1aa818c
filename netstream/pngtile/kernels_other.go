//go:build !amd64 || purego

package pngtile

import "math/bits"

// sumOf returns the checksum of p, as hash/adler32 does.
func sumOf(p []byte) adler {
	if bits.UintSize == 32 { // 64-bit words are slow there
		return sumBytes(p)
	}
	return sumWords(p)
}

// pack writes the RGB bytes of RGBA pixels to dst, which has slack behind them.
func pack(dst, rgba []byte) { packWords(dst, rgba) }
