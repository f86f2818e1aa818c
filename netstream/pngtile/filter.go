package pngtile

import (
	"bytes"
	"encoding/binary"
)

// Row filters (PNG, section 9.2).
const (
	filterNone  = 0
	filterSub   = 1
	filterUp    = 2
	filterPaeth = 4
)

// pixelBytes is the distance between a byte and the same channel of the pixel before it.
const pixelBytes = 3

// rowFilter turns RGBA rows into filtered RGB rows. Its buffers have eight bytes of slack at the end and
// a pixel of zeros at the front: wide loads and stores run over both.
type rowFilter struct {
	rgb [2][]byte // pixelBytes zeros, the row, slack
	cur int       // which of rgb is the row at hand
}

const slack = 8

func newRowFilter(width int) rowFilter {
	n := pixelBytes + pixelBytes*width + slack
	return rowFilter{rgb: [2][]byte{make([]byte, n), make([]byte, n)}}
}

// load takes an RGBA row in and makes the one before it the row above.
func (f *rowFilter) load(rgba []byte) {
	f.cur ^= 1
	dst := f.rgb[f.cur][pixelBytes:]
	for len(rgba) >= 8 {
		v := binary.LittleEndian.Uint64(rgba)
		binary.LittleEndian.PutUint64(dst, v&0xFFFFFF|v>>8&0xFFFFFF000000)
		rgba, dst = rgba[8:], dst[6:]
	}
	if len(rgba) > 0 {
		copy(dst, rgba[:3])
		dst = dst[3:]
	}
	clear(dst)
}

// apply writes the row at hand to dst, filtered; dst is the row's bytes without the filter's number and has slack behind it.
func (f *rowFilter) apply(filter byte, dst []byte, width int) {
	n := pixelBytes * width
	row, above := f.rgb[f.cur], f.rgb[f.cur^1]
	switch filter {
	case filterNone:
		copy(dst[:n], row[pixelBytes:])
	case filterSub:
		subtract(dst[:n+slack], row[pixelBytes:], row, n)
	case filterUp:
		subtract(dst[:n+slack], row[pixelBytes:], above[pixelBytes:], n)
	case filterPaeth:
		paeth(dst[:n], row, above)
	}
}

// subtract writes a-b byte by byte, eight at a time; all have slack behind the n bytes.
func subtract(dst, a, b []byte, n int) {
	const high = 0x8080808080808080
	a, b, dst = a[:n+slack-1], b[:n+slack-1], dst[:n+slack-1]
	for i := 0; i < n; i += 8 {
		x := binary.LittleEndian.Uint64(a[i:])
		y := binary.LittleEndian.Uint64(b[i:])
		d := (x | high) - (y &^ high) ^ (x^^y)&high
		binary.LittleEndian.PutUint64(dst[i:], d)
	}
}

// paeth subtracts from each byte the one of its left, upper and upper left neighbour that is nearest to left + upper - upper left
// (PNG, section 9.4). row and above begin with the zeros left of the picture.
func paeth(dst, row, above []byte) {
	row = row[:len(dst)+pixelBytes]
	above = above[:len(dst)+pixelBytes]
	for i := range dst {
		a, b, c := int(row[i]), int(above[i+pixelBytes]), int(above[i])
		pa, pb := b-c, a-c
		pc := pa + pb
		pa, pb, pc = max(pa, -pa), max(pb, -pb), max(pc, -pc)
		p := a
		if pb < pa {
			p, pa = b, pb
		}
		if pc < pa {
			p = c
		}
		dst[i] = row[i+pixelBytes] - byte(p)
	}
}

// noisy is the share of pixel pairs, in sixteenths, that must differ from both neighbours before a row counts as
// photographic and gets the Paeth filter, whose arithmetic costs five times the others'.
const noisy = 8

// choose names the filter for a row given the one above it, nil for the first row of a band, both RGBA.
// same reports that they are equal.
func choose(row, above []byte) (filter byte, same bool) {
	if above == nil {
		return filterSub, false
	}
	if bytes.Equal(row, above) {
		return filterUp, true
	}
	pairs, left, up := 0, 0, 0
	above = above[:len(row)]
	for i := 8; i+8 <= len(row); i += 8 {
		v := binary.LittleEndian.Uint64(row[i:])
		left += differ(v, binary.LittleEndian.Uint64(row[i-4:]))
		up += differ(v, binary.LittleEndian.Uint64(above[i:]))
		pairs++
	}
	switch {
	case min(left, up)*16 > pairs*noisy:
		return filterPaeth, false
	case left < up:
		return filterSub, false
	}
	return filterUp, false
}

// differ is 1 if a and b do, without a branch.
func differ(a, b uint64) int {
	d := a ^ b
	return int((d | -d) >> 63)
}
