package netstream

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// wideWords is true if this machine has 64-bit registers. Machines with 32-bit registers compute different hashes. That is no problem,
// because tags of different machines are never compared (docs/dev/decisions/row-hash.md).
const wideWords = bits.UintSize == 64

// alphaMask is XORed with one factor of each product. For opaque pixels, whose alpha is 255, this factor is never zero. On ARM, this
// constant fits in an instruction.
const alphaMask = 0x5a00_0000

// mix adds the product (x + key) * (y ^ alphaMask) to the sum. x and y are the next two words, and the key depends on all earlier words.
// mix also computes the next key: it rotates the first factor, XORs it with the second factor, and multiplies the result by five. The
// rotation moves high bits down, and the multiplication moves low bits up. So if a word is changed or moved, the key and all following
// products change.
func mix(sum uint64, key, x, y uint32) (uint64, uint32) {
	x, y = x+key, y^alphaMask
	key = y ^ bits.RotateLeft32(x, 13)
	return sum + uint64(x)*uint64(y), key + key<<2
}

// hashRest adds the remaining bytes of p, less than two words, and the total length n.
func hashRest(sum uint64, key uint32, p []byte, n int) uint64 {
	var last [8]byte
	copy(last[:], p)
	sum, key = mix(sum, key, binary.LittleEndian.Uint32(last[:]), binary.LittleEndian.Uint32(last[4:]))
	return fold(fold(sum^key1, uint64(key)<<32^key0)+uint64(n), (sum^key2)+uint64(key))
}

// hashPlain does the work of hash() for machines with 32-bit registers. It reads single bytes.
func hashPlain(p []byte) uint64 {
	n := len(p)
	sum, key := uint64(key2), uint32(key0>>32)
	for ; len(p) >= 8; p = p[8:] {
		sum, key = mix(sum, key, binary.LittleEndian.Uint32(p), binary.LittleEndian.Uint32(p[4:]))
	}
	return hashRest(sum, key, p, n)
}

// hash32 is a fast version of hashPlain for little-endian machines. On ARM the compiler does not merge byte loads, so hash32 reads an
// aligned row word by word.
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
