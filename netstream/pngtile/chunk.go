package pngtile

import (
	"encoding/binary"
	"hash/crc32"
)

// A chunk consists of its length, its type, its data, and a CRC of type and data (PNG, section 5.3).
const (
	chunkHead = 8
	chunkTail = 4
)

// headBytes is the length of everything before the first band: the signature, IHDR, and an IDAT chunk with the zlib header.
const headBytes = 8 + chunkHead + 13 + chunkTail + chunkHead + 2 + chunkTail

// tailBytes is the length of everything after the last band: an IDAT chunk with the last block and the checksum, and IEND.
const tailBytes = chunkHead + 2 + 4 + chunkTail + chunkHead + chunkTail

// beginChunk appends the head of a chunk to dst. endChunk sets the length in the head.
func beginChunk(dst []byte, kind string) []byte {
	dst = append(dst, 0, 0, 0, 0)
	return append(dst, kind...)
}

// endChunk completes the chunk that begins at dst[start]: it sets the length and appends the CRC.
func endChunk(dst []byte, start int) []byte {
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-chunkHead))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+4:]))
}

// appendHead appends everything before the first band to dst.
func appendHead(dst []byte, width, height int) []byte {
	dst = append(dst, "\x89PNG\r\n\x1a\n"...)
	start := len(dst)
	dst = beginChunk(dst, "IHDR")
	dst = binary.BigEndian.AppendUint32(dst, uint32(width))
	dst = binary.BigEndian.AppendUint32(dst, uint32(height))
	dst = append(dst, 8, 2, 0, 0, 0) // 8 bits, RGB, deflate, adaptive filters, not interlaced
	dst = endChunk(dst, start)
	start = len(dst)
	dst = beginChunk(dst, "IDAT")
	dst = append(dst, 0x78, 0x01) // zlib header (RFC 1950): deflate, window of 32 kB, fastest level
	return endChunk(dst, start)
}

// appendTail appends everything after the last band to dst.
func appendTail(dst []byte, a adler) []byte {
	start := len(dst)
	dst = beginChunk(dst, "IDAT")
	dst = append(dst, 0x03, 0x00) // the last block: fixed codes, and only the end symbol
	dst = binary.BigEndian.AppendUint32(dst, a.sum)
	dst = endChunk(dst, start)
	start = len(dst)
	dst = beginChunk(dst, "IEND")
	return endChunk(dst, start)
}
