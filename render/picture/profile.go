package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"iter"
)

// maxProfile bounds the bytes of a color profile. Profiles of phones and cameras consist of a matrix and curves, and have 400 to 4,000
// bytes. Larger profiles are for printers.
const maxProfile = 64 << 10

// profileOf returns the color profile of a picture file, or nil.
func profileOf(data []byte) []byte {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8")):
		return jpegProfile(data)
	case bytes.HasPrefix(data, []byte("\x89PNG")):
		return pngProfile(data)
	case bytes.HasPrefix(data, []byte("RIFF")) && len(data) > webpHeader:
		return webpProfile(data[webpHeader:])
	}
	return nil
}

// jpegSegments yields the marker and the body of each segment before the first scan (ITU-T T.81, annex B.1.1). The bodies share the memory
// of `data`. The iteration stops at a truncated or damaged segment.
func jpegSegments(data []byte) iter.Seq2[byte, []byte] {
	const startOfScan = 0xda
	return func(yield func(byte, []byte) bool) {
		for d := data[min(2, len(data)):]; len(d) >= 4 && d[0] == 0xff; {
			marker, n := d[1], int(binary.BigEndian.Uint16(d[2:]))
			if marker == 0xff { // fill byte
				d = d[1:]
				continue
			}
			if marker == startOfScan || n < 2 || n+2 > len(d) || !yield(marker, d[4:n+2]) {
				return
			}
			d = d[n+2:]
		}
	}
}

// jpegProfile returns the color profile in an APP2 segment (ICC.1:2022, annex B.4). It ignores a profile that is split into several
// segments, because that profile is larger than maxProfile.
func jpegProfile(data []byte) []byte {
	const app2 = 0xe2 // ITU-T T.81, table B.1
	for marker, body := range jpegSegments(data) {
		if p, ok := bytes.CutPrefix(body, []byte("ICC_PROFILE\x00\x01\x01")); ok && marker == app2 {
			return p
		}
	}
	return nil
}

// pngProfile returns the color profile in the iCCP chunk, which must come before the pixels (PNG third edition, 11.3.2.3).
func pngProfile(data []byte) []byte {
	const signature, around = 8, 12 // around: length, type and checksum of a chunk
	for d := data[min(signature, len(data)):]; len(d) >= around; {
		n := uint64(binary.BigEndian.Uint32(d))
		if n+around > uint64(len(d)) || string(d[4:8]) == "IDAT" {
			break
		}
		if string(d[4:8]) == "iCCP" {
			_, packed, _ := bytes.Cut(d[8:8+n], []byte{0})
			if len(packed) < 1 || packed[0] != 0 { // 0 is the only compression method
				return nil
			}
			return inflate(packed[1:])
		}
		d = d[n+around:]
	}
	return nil
}

// inflate decompresses data. It returns nil if the data is damaged or the result exceeds maxProfile bytes.
func inflate(packed []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(r, maxProfile+1))
	if err != nil || len(data) > maxProfile {
		return nil
	}
	return data
}

// webpProfile returns the color profile in the ICCP chunk (RFC 9649, section 2.7.1.4).
func webpProfile(d []byte) []byte {
	for id, payload, rest := riffChunk(d); id != ""; id, payload, rest = riffChunk(rest) {
		if id == "ICCP" && len(payload) <= maxProfile {
			return payload
		}
	}
	return nil
}
