package pngtile

import "encoding/binary"

// The encoder uses only the filters None and Sub (PNG, section 9.2). Up and Paeth would give worse matches or take more time. Up would
// also make a band depend on the band above it.
const (
	filterNone = 0
	filterSub  = 1
)

// pixelBytes is the distance between a byte and the same channel of the previous pixel.
const pixelBytes = 3

// slack is the number of bytes behind a row that an eight-byte load or store may touch.
const slack = 8

// packWords is the portable version of pack().
func packWords(dst, rgba []byte) {
	for len(rgba) >= 8 {
		v := binary.LittleEndian.Uint64(rgba)
		binary.LittleEndian.PutUint64(dst, v&0xFFFFFF|v>>8&0xFFFFFF000000)
		rgba, dst = rgba[8:], dst[6:]
	}
	if len(rgba) > 0 {
		copy(dst, rgba[:3])
	}
}

// subtractLeft writes the n differences between each byte of `row` and the same channel of the previous pixel. `row` must have pixelBytes
// zeros at its start and `slack` bytes at its end. dst must have `slack` bytes at its end.
func subtractLeft(dst, row []byte, n int) {
	const high = 0x8080808080808080
	dst, row = dst[:n+slack], row[:pixelBytes+n+slack]
	for i := 0; i < n; i += 8 {
		x := binary.LittleEndian.Uint64(row[i+pixelBytes:])
		y := binary.LittleEndian.Uint64(row[i:])
		d := (x | high) - (y &^ high) ^ (x^^y)&high // eight differences at once
		binary.LittleEndian.PutUint64(dst[i:], d)
	}
}

// noisy is a threshold in sixteenths of the compared pairs of pixels. A row looks like a photograph if two counts exceed this threshold:
// the pairs that differ from the pair to the left, and the pairs that differ from the pair above. Such a row is encoded as differences.
// All other rows stay unfiltered, because equal pixels and repeated glyphs become matches. On a dashboard this saves a sixth of the
// bytes, compared with always choosing the better of Sub and Up.
const noisy = 10

// sampleStep is the distance in bytes between two compared pairs of pixels.
const sampleStep = 64

// choose returns the filter for an RGBA row. `above` is the row above it, or nil for the first row of a band.
func choose(row, above []byte) byte {
	pairs, left, up := 0, 0, 0
	if above == nil {
		above = row[:0]
	}
	for i := 8; i+8 <= len(row); i += sampleStep {
		v := binary.LittleEndian.Uint64(row[i:])
		left += differ(v, binary.LittleEndian.Uint64(row[i-4:]))
		if i+8 <= len(above) {
			up += differ(v, binary.LittleEndian.Uint64(above[i:]))
		}
		pairs++
	}
	if left*16 <= pairs*noisy || len(above) > 0 && up*16 <= pairs*noisy {
		return filterNone
	}
	return filterSub
}

// differ returns 1 if a and b differ, otherwise 0. It has no branch.
func differ(a, b uint64) int {
	d := a ^ b
	return int((d | -d) >> 63)
}
