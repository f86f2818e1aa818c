package jpegtile

import "encoding/binary"

// Marker codes (T.81, table B.1), after their 0xFF.
const (
	markerSOF0 = 0xC0
	markerDHT  = 0xC4
	markerRST0 = 0xD0
	markerSOI  = 0xD8
	markerEOI  = 0xD9
	markerSOS  = 0xDA
	markerDQT  = 0xDB
	markerDRI  = 0xDD
	markerAPP0 = 0xE0
)

// Sampling factors of brightness in both directions. Color has 0x11 (T.81, B.2.2).
const (
	sampling420 = 0x22
	sampling444 = 0x11
)

// trailerBytes is the EOI marker.
const trailerBytes = 2

// segment appends a marker segment. Its length includes the two bytes of the length.
func segment(dst []byte, marker byte, payload ...byte) []byte {
	dst = append(dst, 0xFF, marker)
	dst = binary.BigEndian.AppendUint16(dst, uint16(2+len(payload)))
	return append(dst, payload...)
}

// header gives everything before the first coded byte, and where in it the height and the width are.
func header(l *Layout, o Options) (h []byte, sizeAt int) {
	h = []byte{0xFF, markerSOI}
	h = segment(h, markerAPP0, 'J', 'F', 'I', 'F', 0, 1, 2, 0, 0, 1, 0, 1, 0, 0)
	h = segment(h, markerDQT, append(quantPayload(0, &baseLuma, o), quantPayload(1, &baseChroma, o)...)...)
	sampling := byte(sampling444)
	if l.chroma == Chroma420 {
		sampling = sampling420
	}
	h = segment(h, markerSOF0, 8, 0, 0, 0, 0, 3, 1, sampling, 0, 2, 0x11, 1, 3, 0x11, 1)
	sizeAt = len(h) - sizeFromEnd
	var tables []byte
	for _, t := range []*huffmanSpec{&dcLuma, &acLuma, &dcChroma, &acChroma} {
		tables = append(tables, t.class<<4|t.id)
		tables = append(tables, t.counts[:]...)
		tables = append(tables, t.symbols...)
	}
	h = segment(h, markerDHT, tables...)
	h = segment(h, markerDRI, byte(l.interval>>8), byte(l.interval))
	h = segment(h, markerSOS, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0)
	setSize(h[sizeAt:], l.width, l.height)
	return h, sizeAt
}

// sizeFromEnd is the distance from the height in a frame header of three components to its end.
const sizeFromEnd = 14

// setSize writes height and width, each 16 bits.
func setSize(b []byte, width, height int) {
	binary.BigEndian.PutUint16(b, uint16(height))
	binary.BigEndian.PutUint16(b[2:], uint16(width))
}

// quantPayload is one table of a DQT segment, in coding order.
func quantPayload(id byte, base *[64]uint8, o Options) []byte {
	t := scaled(base, o.Quality)
	p := []byte{id}
	for _, n := range zigzag {
		p = append(p, t[n])
	}
	return p
}
