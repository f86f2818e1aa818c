// Package jpegtile is a baseline JPEG encoder whose restart intervals are independent tiles.
//
// # The idea
//
// A restart marker resets a JPEG decoder: the bit stream starts on a byte and the three DC predictions start at zero
// (ITU-T T.81, E.1.4 and F.1.1.5). Therefore the entropy-coded bytes between two markers depend only on the pixels they
// code. An [Encoder] keeps those bytes tile by tile. When a clock ticks, it encodes the tiles under the clock again and builds
// the file from old and new tiles. The result is byte for byte the same as a full encode of the same picture, and every JPEG
// decoder reads it.
//
// # Geometry
//
// A JPEG is coded in minimum coded units (MCUs), 16x16 pixels with 4:2:0 chroma and 8x8 with 4:4:4, from left to right
// and from top to bottom. A tile is a run of MCUs in that order. Every tile of a picture has the same number of them
// (only the last may be shorter), because the file names one restart interval. [Layout] picks a number that divides the
// MCU row if a good one exists. Otherwise a tile may continue at the start of the next row and consists of two pieces.
//
//	1920x1080, 4:2:0: 120 MCUs a row, 8 a tile, so 128x16 pixels, 15 tiles a row, 1,020 in all
//	1366x768, 4:2:0: 86 MCUs a row, 8 a tile, some tiles wrap
//
// The coded bytes of a tile do not contain its place, so tiles can be used separately. A delta ([Encoder.AppendDelta])
// is an ordinary JPEG, one tile wide, of the changed tiles stacked on one another. [Layout.AppendPieces] returns the
// place of each piece. With 4:2:0 a decoder that smooths chroma across rows (libjpeg's "fancy upsampling") mixes
// neighbors of the stack at tile edges. Decoders that repeat chroma samples, as image/jpeg does, give exactly the
// pixels of the full picture. 4:4:4 has no such difference.
//
// # Cost
//
// A tile costs about four bytes: the marker, the padding to a byte and the DC values that are no longer predicted. The Huffman
// tables, which are made for dashboards, save far more bytes. An MCU of one color, the usual case on a dashboard, is recognized
// before any arithmetic.
//
// # Reading
//
// [DecodeDelta] decodes only deltas, for screens that show them. It takes a quarter to a half of image/jpeg's time
// (BenchmarkDecodeDelta), because it knows the tables, recognizes flat blocks and does not multiply zeros. The pixels are the
// same as with image/jpeg.
package jpegtile
