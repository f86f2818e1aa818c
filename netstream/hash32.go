package netstream

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// wideWords reports that a register holds 64 bits. Machines without such registers have other hashes, which is no
// problem because nothing compares the tags of two machines (docs/dev/decisions/row-hash.md).
const wideWords = bits.UintSize == 64

// alphaMask is combined with a factor. It keeps opaque pixels, whose alpha is 255, from making the factor zero. ARM can use it as
// part of an instruction.
const alphaMask = 0x5a00_0000

// mix takes the next two words x and y and adds their 64-bit product to the sum. The key that is added to a factor depends on every
// earlier word. It is rotated, so that upper bits move down, and multiplied by five, so that lower bits move up. So a changed word,
// or a word at another place, changes the key and all following products.
func mix(sum uint64, key, x, y uint32) (uint64, uint32) {
	x, y = x+key, y^alphaMask
	key = y ^ bits.RotateLeft32(x, 13)
	return sum + uint64(x)*uint64(y), key + key<<2
}

// hashRest takes the remaining bytes, fewer than two words, and the total length.
func hashRest(sum uint64, key uint32, p []byte, n int) uint64 {
	var last [8]byte
	copy(last[:], p)
	sum, key = mix(sum, key, binary.LittleEndian.Uint32(last[:]), binary.LittleEndian.Uint32(last[4:]))
	return fold(fold(sum^key1, uint64(key)<<32^key0)+uint64(n), (sum^key2)+uint64(key))
}

// hashPlain is hash for machines with 32-bit registers, byte by byte.
func hashPlain(p []byte) uint64 {
	n := len(p)
	sum, key := uint64(key2), uint32(key0>>32)
	for ; len(p) >= 8; p = p[8:] {
		sum, key = mix(sum, key, binary.LittleEndian.Uint32(p), binary.LittleEndian.Uint32(p[4:]))
	}
	return hashRest(sum, key, p, n)
}

// hash32 is the fast version of hashPlain for little-endian machines. On ARM the compiler does not merge byte loads, so
// a row that begins at a whole word is read in words.
func hash32(p []byte) uint64 {
	if uintptr(unsafe.Pointer(unsafe.SliceData(p)))%4 != 0 {
		return hashPlain(p)
	}
	sum, key := uint64(key2), uint32(key0>>32)
	turns := unsafe.Slice((*[8]uint32)(unsafe.Pointer(unsafe.SliceData(p))), len(p)/32)
	for i := range turns {
		w := &turns[i]
		sum, key = mix(sum, key, w[0], w[1])
		sum, key = mix(sum, key, w[2], w[3])
		sum, key = mix(sum, key, w[4], w[5])
		sum, key = mix(sum, key, w[6], w[7])
	}
	n := len(p)
	for p = p[n&^(32-1):]; len(p) >= 8; p = p[8:] {
		sum, key = mix(sum, key, binary.LittleEndian.Uint32(p), binary.LittleEndian.Uint32(p[4:]))
	}
	return hashRest(sum, key, p, n)
}
