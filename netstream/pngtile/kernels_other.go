//go:build !amd64 || purego

package pngtile

import "math/bits"

// sumOf returns the checksum of p. The sum is the same as the sum of hash/adler32.
func sumOf(p []byte) adler {
	if bits.UintSize == 32 { // 64-bit words are slow on this machine
		return sumBytes(p)
	}
	return sumWords(p)
}

// pack copies RGBA pixels to dst as bytes R, G, B. dst must have `slack` bytes after the pixels.
func pack(dst, rgba []byte) { packWords(dst, rgba) }
