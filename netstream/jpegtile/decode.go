package jpegtile

import (
	"bytes"
	"encoding/binary"
	"image"
	"sync"
)

// DecodeDelta decodes a picture that [Encoder.AppendDelta] has written. It gives the same pixels as image/jpeg, but takes a fraction of the
// time, because it does not process zero coefficients. For all other files and for broken files, `ok` is false. The caller can then use
// image/jpeg. The picture takes up to three bytes for each pixel, so the caller must first check its size with [image/jpeg.DecodeConfig].
func DecodeDelta(file []byte) (picture *image.YCbCr, ok bool) {
	t := decoding()
	chroma, ok := t.knows(file)
	if !ok {
		return nil, false
	}
	d := deltaReader{tables: t, mcu: 8, bits: bitReader{data: file[len(t.head):]}}
	ratio := image.YCbCrSubsampleRatio444
	if chroma == Chroma420 {
		d.mcu, ratio = 16, image.YCbCrSubsampleRatio420
	}
	height, width := int(binary.BigEndian.Uint16(file[t.sizeAt:])), int(binary.BigEndian.Uint16(file[t.sizeAt+2:]))
	interval := int(binary.BigEndian.Uint16(file[t.intervalAt:]))
	if width == 0 || height == 0 || width != interval*d.mcu || height%d.mcu != 0 {
		return nil, false
	}
	d.steps[0], d.steps[1] = quantSteps(file[t.stepsAt[0]:]), quantSteps(file[t.stepsAt[1]:])
	d.picture = image.NewYCbCr(image.Rect(0, 0, width, height), ratio)
	return d.picture, d.read()
}

// decodeTables holds the data that is common to all deltas.
type decodeTables struct {
	dc, ac     [2]lookup // tables for brightness and for color
	head       []byte    // header of a delta. The headers of two deltas differ only in the following parts
	stepsAt    [2]int    // offsets of the two quantization tables, 64 bytes each
	sizeAt     int       // offset of height and width, 4 bytes
	samplingAt int       // offset of the sampling factors of brightness
	intervalAt int       // offset of the number of MCUs in a tile, 2 bytes
}

// decoding returns the tables. They are computed once.
var decoding = sync.OnceValue(func() *decodeTables {
	t := &decodeTables{dc: [2]lookup{newLookup(&dcLuma), newLookup(&dcChroma)}, ac: [2]lookup{newLookup(&acLuma), newLookup(&acChroma)}}
	t.head, t.sizeAt = header(&Layout{chroma: Chroma444}, Options{Quality: DefaultQuality})
	const tableBytes = 1 + 64 // number of the table, and its 64 steps
	t.stepsAt[0] = bytes.Index(t.head, []byte{0xFF, markerDQT}) + 5
	t.stepsAt[1] = t.stepsAt[0] + tableBytes
	t.samplingAt = t.sizeAt + 6
	t.intervalAt = bytes.Index(t.head, []byte{0xFF, markerDRI}) + 4
	return t
})

// knows() reports whether a file begins with the header of a delta. It returns the file's chroma sampling.
func (t *decodeTables) knows(file []byte) (chroma Chroma, ok bool) {
	if len(file) < len(t.head) {
		return 0, false
	}
	at := 0
	for _, varies := range [...][2]int{{t.stepsAt[0], 64}, {t.stepsAt[1], 64}, {t.sizeAt, 4}, {t.samplingAt, 1}, {t.intervalAt, 2}, {len(t.head), 0}} {
		if !bytes.Equal(file[at:varies[0]], t.head[at:varies[0]]) {
			return 0, false
		}
		at = varies[0] + varies[1]
	}
	switch file[t.samplingAt] {
	case sampling420:
		return Chroma420, true
	case sampling444:
		return Chroma444, true
	}
	return 0, false
}

// quantSteps reads the steps of a quantization table.
func quantSteps(p []byte) (steps [64]int32) {
	for k := range steps {
		steps[k] = int32(p[k])
	}
	return steps
}

// A deltaReader reads the encoded tiles of a delta.
type deltaReader struct {
	tables  *decodeTables
	steps   [2][64]int32 // quantization steps of brightness and of color, in coding order
	mcu     int          // side of an MCU in pixels
	bits    bitReader
	picture *image.YCbCr
	before  [3]int32 // DC of the previous block of each component
	freqs   freqs
}

// read reads all tiles. Each tile is a row of MCUs. read returns false if the data is invalid.
func (d *deltaReader) read() bool {
	rows := d.picture.Rect.Dy() / d.mcu
	for row := range rows {
		d.before = [3]int32{}
		for x := 0; x < d.picture.Rect.Dx(); x += d.mcu {
			if !d.readMCU(x, row*d.mcu) {
				return false
			}
		}
		marker := restart(row)
		if row == rows-1 {
			marker = markerEOI
		}
		if !d.bits.passMarker(marker) {
			return false
		}
	}
	return len(d.bits.data) == d.bits.pos
}

// readMCU reads the MCU at the pixel (x, y): its blocks of brightness, and then one block for each color component.
func (d *deltaReader) readMCU(x, y int) bool {
	p := d.picture
	for dy := 0; dy < d.mcu; dy += 8 {
		for dx := 0; dx < d.mcu; dx += 8 {
			if !d.readBlock(0, p.Y[p.YOffset(x+dx, y+dy):], p.YStride) {
				return false
			}
		}
	}
	at := p.COffset(x, y)
	return d.readBlock(1, p.Cb[at:], p.CStride) && d.readBlock(2, p.Cr[at:], p.CStride)
}

// readBlock reads a block of a component into dst, which is a part of a plane.
func (d *deltaReader) readBlock(component int, dst []uint8, stride int) bool {
	table := min(component, 1)
	steps := &d.steps[table]
	diff, ok := d.bits.difference(&d.tables.dc[table])
	if !ok {
		return false
	}
	d.before[component] += diff
	dc := d.before[component] * steps[0]
	rows, ok := d.bits.coefficients(&d.tables.ac[table], steps, &d.freqs)
	switch {
	case !ok:
		return false
	case rows == 0:
		fillBlock(dst, stride, dc)
	default:
		d.freqs[0] += dc
		inverse(dst, stride, &d.freqs, rows|1)
		d.freqs = freqs{}
	}
	return true
}
