// Package pngtile is a PNG encoder whose bands of rows are independent of each other.
//
// # The idea
//
// A PNG holds one zlib stream. A deflate encoder may end a block on a byte boundary with an empty stored block and forget its window
// (zlib calls this a full flush). The bytes after a full flush then do not refer to the bytes before it. A band is the data of 32 rows
// between two full flushes. The first row of a band is filtered without the row above it. So the bytes of a band depend only on the
// pixels of the band. An [Encoder] keeps each band as an IDAT chunk with its CRC, and encodes a band again only if the band has changed.
// The checksum of the whole stream, Adler-32, is computed from the checksums of the bands.
//
// The result is an ordinary PNG of 8-bit RGB, with the same bytes as a full encode. Several bands, one below the other, can also form a
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
// Dashboards consist mainly of areas of one color. To choose the filter of a row, the encoder counts the pixels that equal their
// neighbor. A row that equals the row above it costs only a comparison and becomes one long match. The matcher first looks for runs, then
// in the row above, and then at one earlier position. Each band has its own Huffman codes.
package pngtile
