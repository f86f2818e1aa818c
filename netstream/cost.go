package netstream

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errHead is returned if the size of a picture cannot be read.
var errHead = errors.New("no JPEG or PNG that can be read")

// DecodeBytes estimates how much memory image/jpeg or image/png need to decode a file, including the picture. It reads only the header and
// does not trust the file. A progressive JPEG needs five times as much as a baseline JPEG of the same size. An interlaced PNG with 16 bits
// needs four times as much as a simple PNG.
func DecodeBytes(file []byte) (int64, error) {
	if bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")) {
		return pngBytes(file)
	}
	return jpegBytes(file)
}

// mostSide is the longest side of a picture that DecodeBytes accepts, in pixels. JPEG has the same limit.
const mostSide = 1<<16 - 1

// pngBytes reads the header of a PNG: IHDR, the first chunk (PNG, section 11.2.2).
func pngBytes(file []byte) (int64, error) {
	const head = 8 + 8 // signature, and the chunk's length and type
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
		n *= 2 // each interlaced pass is first decoded as a separate picture
	}
	return 4 * n, nil
}

// Marker bytes of JPEG (ITU T.81, table B.1).
const (
	markerSOF0  = 0xc0
	markerSOF2  = 0xc2 // frame header of a progressive JPEG
	markerRST0  = 0xd0
	markerRST7  = 0xd7
	markerSOI   = 0xd8
	markerEOI   = 0xd9
	markerSOS   = 0xda
	markerAPP14 = 0xee // Adobe's segment, which may declare other components than luminance and chroma
)

// jpegBytes finds the frame header, which comes before the first scan (T.81, sections B.2.1 and B.2.2).
func jpegBytes(file []byte) (int64, error) {
	converted := false
	for len(file) >= 4 {
		marker := file[1]
		switch {
		case file[0] != 0xff:
			return 0, errHead
		case marker == 0xff: // fill byte
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

// frameBytes returns the memory for a frame with the header `sof`. Each component consists of whole blocks. For a progressive frame, the
// decoder also keeps all coefficients until the end.
func frameBytes(sof []byte, progressive, converted bool) (int64, error) {
	if len(sof) < 6 || len(sof) < 6+3*int(sof[5]) || sof[5] == 0 {
		return 0, errHead
	}
	h, w := int64(binary.BigEndian.Uint16(sof[1:])), int64(binary.BigEndian.Uint16(sof[3:]))
	n := int(sof[5])
	var wide, high, units int64 // largest sampling factors, and the number of blocks of all components in an MCU
	for i := range n {
		x, y := int64(sof[7+3*i]>>4), int64(sof[7+3*i]&15)
		wide, high, units = max(wide, x), max(high, y), units+x*y
	}
	if wide == 0 || high == 0 {
		return 0, errHead
	}
	const block = 8
	if n == 1 {
		wide, high, units = 1, 1, 1 // a single component is not interleaved (T.81, section A.2.2)
	}
	samples := ((w + wide*block - 1) / (wide * block)) * ((h + high*block - 1) / (high * block)) * units * block * block
	bytes := samples
	if progressive {
		bytes += 4 * samples // coefficients, each an int32
	}
	if n > 3 || converted || n == 3 && sof[6] == 'R' {
		bytes += 4 * w * h // the picture after conversion to RGB or CMYK
	}
	return bytes, nil
}
