// Package pngtile is a PNG encoder whose bands of rows are independent of each other.
//
// # The idea
//
// A PNG holds one zlib stream. A deflate encoder may end a block on a byte boundary with an empty stored block and
// forget its window (zlib calls it a full flush). The following bytes then do not refer to bytes before that place. A band is 32
// rows between two such places, and the first row of a band is filtered without the row above it. So the bytes of a band depend
// only on its own pixels. An [Encoder] keeps each band as an IDAT chunk with its CRC, and encodes only changed bands again. The
// checksum over the whole stream, Adler-32, is combined from the bands' checksums.
//
// The result is an ordinary PNG of 8-bit RGB, byte for byte the same as a full encode. Some bands below each other are also a
// PNG: a delta ([Encoder.AppendDelta]).
//
// # Layout of the file
//
//	signature, IHDR
//	IDAT  2 bytes: the zlib header
//	IDAT  band 0 ... one for each band
//	IDAT  6 bytes: the last, empty block and the Adler-32
//	IEND
//
// # Compression
//
// Dashboards are flat. The row filter is chosen by counting pixels that equal their neighbor. A row equal to the one
// above it costs a comparison and is one long match. The matcher looks for runs first, for the row above second, and
// for one earlier place third. Each band has its own Huffman codes.
package pngtile
