// Package pngtile is a PNG encoder whose bands of rows are independent of each other.
//
// # The idea
//
// A PNG holds one zlib stream. A deflate encoder may end a block on a byte boundary with an empty stored block and forget its
// window (zlib calls it a full flush); what follows then refers to nothing before it. A band here is 32 rows between
// two such places, and the first row of a band is filtered without the row above it. So a band's bytes
// depend on its own pixels alone, an [Encoder] keeps them, each band as an IDAT chunk with its CRC, and a change
// costs the bands under it. The checksum over the whole stream, Adler-32, is put together from the bands' own.
//
// The result is an ordinary PNG of 8-bit RGB, and byte for byte the one a full encode gives. The same bands stacked
// without the others are a PNG too: a delta ([Encoder.AppendDelta]).
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
// Dashboards are flat: the row filter is chosen by counting pixels that equal their neighbour, a row equal to the one
// above it costs a comparison and is one long match, and the matcher looks for runs first, for the row above second and for
// one earlier place third. Codes are Huffman's for each band.
package pngtile
