package pngtile

import (
	"encoding/binary"
	"hash/crc32"
)

// A chunk is its length, its type, its data and a CRC over type and data (PNG, section 5.3).
const (
	chunkHead = 8
	chunkTail = 4
)

// headBytes is the length of everything before the first band: signature, IHDR and the IDAT chunk of the zlib header.
const headBytes = 8 + chunkHead + 13 + chunkTail + chunkHead + 2 + chunkTail

// tailBytes is the length of everything after the last band: an IDAT chunk with the last block and the checksum, and IEND.
const tailBytes = chunkHead + 2 + 4 + chunkTail + chunkHead + chunkTail

// beginChunk appends the head of a chunk. endChunk sets its length.
func beginChunk(dst []byte, kind string) []byte {
	dst = append(dst, 0, 0, 0, 0)
	return append(dst, kind...)
}

// endChunk completes the chunk that begins at start.
func endChunk(dst []byte, start int) []byte {
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-chunkHead))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+4:]))
}

// appendHead appends everything before the first band.
func appendHead(dst []byte, width, height int) []byte {
	dst = append(dst, "\x89PNG\r\n\x1a\n"...)
	start := len(dst)
	dst = beginChunk(dst, "IHDR")
	dst = binary.BigEndian.AppendUint32(dst, uint32(width))
	dst = binary.BigEndian.AppendUint32(dst, uint32(height))
	dst = append(dst, 8, 2, 0, 0, 0) // 8 bits, RGB, deflate, the five filters, not interlaced
	dst = endChunk(dst, start)
	start = len(dst)
	dst = beginChunk(dst, "IDAT")
	dst = append(dst, 0x78, 0x01) // RFC 1950: deflate, 32 kB window, fastest
	return endChunk(dst, start)
}

// appendTail appends everything after the last band.
func appendTail(dst []byte, a adler) []byte {
	start := len(dst)
	dst = beginChunk(dst, "IDAT")
	dst = append(dst, 0x03, 0x00) // the last block: fixed codes and only an end symbol
	dst = binary.BigEndian.AppendUint32(dst, a.sum)
	dst = endChunk(dst, start)
	start = len(dst)
	dst = beginChunk(dst, "IEND")
	return endChunk(dst, start)
}
