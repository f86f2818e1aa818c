package scaledjpeg

import (
	"encoding/binary"
	"fmt"
	"image"
)

// Marker bytes (table B.1).
const (
	sof0, sof1, sof2 = 0xc0, 0xc1, 0xc2
	dht, dac         = 0xc4, 0xcc
	rst0, rst7       = 0xd0, 0xd7
	soi, eoi, sos    = 0xd8, 0xd9, 0xda
	dqt, dri         = 0xdb, 0xdd
	app14            = 0xee
)

// zigzag maps the position in zigzag order to the index in the block, counted row by row (figure A.6).
var zigzag = [blockSize]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// marker returns the next marker. Like other decoders, it skips any bytes before the marker.
func (d *Decoder) marker() (byte, error) {
	for i := 0; i+1 < len(d.data); i++ {
		if m := d.data[i+1]; d.data[i] == 0xff && m != 0 && m != 0xff && (m < rst0 || m > rst7) {
			d.data = d.data[i+2:]
			return m, nil
		}
	}
	return 0, fmt.Errorf("%w: cut short", ErrBroken)
}

// headers() reads segments until it has read the marker of a scan or of the end of the image.
func (d *Decoder) headers() error {
	for {
		m, err := d.marker()
		if err != nil {
			return err
		}
		switch m {
		case sos:
			return nil
		case eoi:
			return errEnd
		}
		s, err := d.segment()
		if err == nil {
			err = d.header(m, s)
		}
		if err != nil {
			return err
		}
	}
}

var errEnd = fmt.Errorf("%w: end of the image", ErrBroken)

func (d *Decoder) header(m byte, s []byte) error {
	switch {
	case m == sof0 || m == sof1 || m == sof2:
		d.progressive = m == sof2
		return d.frame(s)
	case m == dht:
		return d.huffmanTables(s)
	case m == dqt:
		return d.quantTables(s)
	case m == dri && len(s) >= 2:
		d.restart = int(binary.BigEndian.Uint16(s))
	case m == app14 && len(s) >= 12 && string(s[:5]) == "Adobe":
		d.adobe, d.rgb = true, s[11] == 0
	case m > sof2 && m <= 0xcf && m != dac && m != 0xc8:
		return fmt.Errorf("%w: frame %#x", ErrUnsupported, m)
	case m == dac:
		return fmt.Errorf("%w: arithmetic coding", ErrUnsupported)
	}
	return nil
}

// frame reads a frame header (B.2.2).
func (d *Decoder) frame(s []byte) error {
	if d.comps != nil {
		return fmt.Errorf("%w: two frames", ErrBroken)
	}
	if len(s) < 6 || len(s) < 6+3*int(s[5]) {
		return fmt.Errorf("%w: frame header", ErrBroken)
	}
	count := int(s[5])
	d.size = image.Pt(int(binary.BigEndian.Uint16(s[3:])), int(binary.BigEndian.Uint16(s[1:])))
	switch {
	case s[0] != 8, count != 1 && count != maxComponents:
		return fmt.Errorf("%w: %d components of %d bits", ErrUnsupported, count, s[0])
	case d.size.X < 1 || d.size.Y < 1:
		return fmt.Errorf("%w: empty picture, %dx%d pixels", ErrBroken, d.size.X, d.size.Y)
	}
	comps := make([]component, count)
	d.hMax, d.vMax = 1, 1
	for i := range comps {
		p := s[6+3*i:]
		c := component{id: int(p[0]), h: int(p[1] >> 4), v: int(p[1] & 15), tq: int(p[2])}
		if c.h < 1 || c.v < 1 || c.h > maxSampling || c.v > maxSampling || c.tq > 3 {
			return fmt.Errorf("%w: component %d", ErrBroken, i)
		}
		if count == 1 { // in a file with one component, a unit is a single block (A.2.2)
			c.h, c.v = 1, 1
		}
		d.hMax, d.vMax = max(d.hMax, c.h), max(d.vMax, c.v)
		comps[i] = c
	}
	if !d.adobe && count == 3 && comps[0].id == 'R' && comps[1].id == 'G' && comps[2].id == 'B' {
		d.rgb = true
	}
	d.layout(comps)
	return nil
}

// layout computes the numbers of blocks and units (A.1.1, A.2).
func (d *Decoder) layout(comps []component) {
	up := func(a, b int) int { return (a + b - 1) / b }
	d.unitsX, d.unitsY = up(d.size.X, 8*d.hMax), up(d.size.Y, 8*d.vMax)
	for i := range comps {
		c := &comps[i]
		c.across = up(up(d.size.X*c.h, d.hMax), 8)
		c.down = up(up(d.size.Y*c.v, d.vMax), 8)
		c.stride, c.lines = d.unitsX*c.h, d.unitsY*c.v
	}
	d.comps = comps
}

// quantTables reads a segment with quantization tables (B.2.4.1).
func (d *Decoder) quantTables(s []byte) error {
	for len(s) > 0 {
		wide, id := s[0]>>4, s[0]&15
		bytes := blockSize * (1 + int(wide))
		if id > 3 || wide > 1 || len(s) < 1+bytes {
			return fmt.Errorf("%w: quantization table", ErrBroken)
		}
		for k := range blockSize {
			if wide == 1 {
				d.quants[id][k] = int32(binary.BigEndian.Uint16(s[1+2*k:]))
			} else {
				d.quants[id][k] = int32(s[1+k])
			}
		}
		s = s[1+bytes:]
	}
	return nil
}

// huffmanTables reads a segment with Huffman tables (B.2.4.2).
func (d *Decoder) huffmanTables(s []byte) error {
	for len(s) > 0 {
		if len(s) < 17 || s[0]>>4 > 1 || s[0]&15 > 3 {
			return fmt.Errorf("%w: Huffman table", ErrBroken)
		}
		n := 0
		for _, c := range s[1:17] {
			n += int(c)
		}
		if n > 256 || len(s) < 17+n {
			return fmt.Errorf("%w: Huffman table", ErrBroken)
		}
		h := &d.tables[s[0]>>4][s[0]&15]
		if err := h.set(s[1:17], s[17:17+n], s[0]>>4 == 1); err != nil {
			return err
		}
		s = s[17+n:]
	}
	return nil
}
