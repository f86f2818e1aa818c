package netstream

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errHead reports that a picture's size cannot be read.
var errHead = errors.New("no JPEG or PNG that can be read")

// DecodeBytes estimates from the header how much memory image/jpeg or image/png take to decode a file, the picture
// included. The file is not trusted. A progressive JPEG takes five times as much as a baseline JPEG of the same size,
// and an interlaced PNG of 16 bits four times as much as a plain one.
func DecodeBytes(file []byte) (int64, error) {
	if bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")) {
		return pngBytes(file)
	}
	return jpegBytes(file)
}

// mostSide is the longest side, in pixels, of a picture whose bytes are counted. It is the limit of JPEG too.
const mostSide = 1<<16 - 1

// pngBytes reads IHDR, which is the first chunk (PNG, section 11.2.2).
func pngBytes(file []byte) (int64, error) {
	const head = 8 + 8 // signature, and length and type of the chunk
	if len(file) < head+13 {
		return 0, errHead
	}
	ihdr := file[head:]
	w, h := int64(binary.BigEndian.Uint32(ihdr)), int64(binary.BigEndian.Uint32(ihdr[4:]))
	if w > mostSide || h > mostSide {
		return 0, errHead
	}
	n := w * h
	const deep, interlaced = 16, 1
	if ihdr[8] == deep {
		n *= 2
	}
	if ihdr[12] == interlaced {
		n *= 2 // each pass is first decoded as a separate picture
	}
	return 4 * n, nil
}

// JPEG markers, ITU T.81 table B.1.
const (
	markerSOF0  = 0xc0
	markerSOF2  = 0xc2 // progressive
	markerRST0  = 0xd0
	markerRST7  = 0xd7
	markerSOI   = 0xd8
	markerEOI   = 0xd9
	markerSOS   = 0xda
	markerAPP14 = 0xee // marker of Adobe. It can define other components than luminance and chroma
)

// jpegBytes looks for the frame header, which comes before the first scan (T.81, sections B.2.1 and B.2.2).
func jpegBytes(file []byte) (int64, error) {
	converted := false
	for len(file) >= 4 {
		marker := file[1]
		switch {
		case file[0] != 0xff:
			return 0, errHead
		case marker == 0xff: // fill
			file = file[1:]
			continue
		case marker == markerSOI || marker >= markerRST0 && marker <= markerRST7:
			file = file[2:]
			continue
		case marker == markerEOI || marker == markerSOS:
			return 0, errHead
		}
		length := 2 + int(binary.BigEndian.Uint16(file[2:]))
		if length > len(file) || length < 4 {
			return 0, errHead
		}
		if marker >= markerSOF0 && marker <= markerSOF2 {
			return frameBytes(file[4:length], marker == markerSOF2, converted)
		}
		converted = converted || marker == markerAPP14
		file = file[length:]
	}
	return 0, errHead
}

// frameBytes returns the memory that a frame with this header needs. Each component consists of whole blocks. A progressive frame
// also keeps its coefficients until the end.
func frameBytes(sof []byte, progressive, converted bool) (int64, error) {
	if len(sof) < 6 || len(sof) < 6+3*int(sof[5]) || sof[5] == 0 {
		return 0, errHead
	}
	h, w := int64(binary.BigEndian.Uint16(sof[1:])), int64(binary.BigEndian.Uint16(sof[3:]))
	n := int(sof[5])
	var wide, high, units int64 // in blocks
	for i := range n {
		x, y := int64(sof[7+3*i]>>4), int64(sof[7+3*i]&15)
		wide, high, units = max(wide, x), max(high, y), units+x*y
	}
	if wide == 0 || high == 0 {
		return 0, errHead
	}
	const block = 8
	if n == 1 {
		wide, high, units = 1, 1, 1 // a single component is not interleaved, T.81 section A.2.2
	}
	samples := ((w + wide*block - 1) / (wide * block)) * ((h + high*block - 1) / (high * block)) * units * block * block
	bytes := samples
	if progressive {
		bytes += 4 * samples // a coefficient is an int32
	}
	if n > 3 || converted || n == 3 && sof[6] == 'R' {
		bytes += 4 * w * h // memory of another picture, in RGB or CMYK
	}
	return bytes, nil
}
