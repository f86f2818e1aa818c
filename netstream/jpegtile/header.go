package jpegtile

import "encoding/binary"

// Second bytes of markers, after 0xFF (T.81, table B.1).
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

// Sampling factors of brightness, horizontal and vertical. The sampling factors of the color components are always 0x11 (T.81, B.2.2).
const (
	sampling420 = 0x22
	sampling444 = 0x11
)

// trailerBytes is the length of the marker at the end of a file (EOI).
const trailerBytes = 2

// segment appends a marker segment to dst. The length field of a segment includes its own two bytes.
func segment(dst []byte, marker byte, payload ...byte) []byte {
	dst = append(dst, 0xFF, marker)
	dst = binary.BigEndian.AppendUint16(dst, uint16(2+len(payload)))
	return append(dst, payload...)
}

// header returns everything before the first encoded byte. `sizeAt` is the offset of height and width in h.
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

// sizeFromEnd is the distance in bytes from the height to the end of a frame header with three components.
const sizeFromEnd = 14

// setSize writes height and width to b, 16 bits each.
func setSize(b []byte, width, height int) {
	binary.BigEndian.PutUint16(b, uint16(height))
	binary.BigEndian.PutUint16(b[2:], uint16(width))
}

// quantPayload returns a quantization table for a DQT segment, in coding order.
func quantPayload(id byte, base *[64]uint8, o Options) []byte {
	t := scaled(base, o.Quality)
	p := []byte{id}
	for _, n := range zigzag {
		p = append(p, t[n])
	}
	return p
}
