// Package jpegtile is a baseline JPEG encoder whose restart intervals are independent tiles.
//
// # The idea
//
// A restart marker resets a JPEG decoder: the bits start at a byte boundary, and the three DC predictions start at zero (ITU-T T.81,
// E.1.4 and F.1.1.5). Therefore the entropy-coded bytes between two markers depend only on the pixels that they encode. An [Encoder]
// keeps these bytes for each tile. When a clock ticks, it encodes the tiles under the clock again and builds the file from old and new
// tiles. The result has the same bytes as a full encode of the same picture, and every JPEG decoder reads it.
//
// # Geometry
//
// A JPEG is coded in minimum coded units (MCUs), 16x16 pixels with 4:2:0 chroma and 8x8 with 4:4:4, from left to right and from top to
// bottom. A tile is a run of MCUs in that order. All tiles of a picture have the same number of MCUs, because a file has only one restart
// interval. Only the last tile may be shorter. If possible, [Layout] chooses a number that divides the number of MCUs in a row. Otherwise
// a tile may continue at the start of the next row, so that it consists of two pieces.
//
//	1920x1080, 4:2:0: 120 MCUs in a row, 8 in a tile, so 128x16 pixels, 15 tiles in a row, 1,020 in all
//	1366x768, 4:2:0: 86 MCUs in a row, 8 in a tile, some tiles continue in the next row
//
// The coded bytes of a tile do not contain its position, so tiles can be used separately. A delta ([Encoder.AppendDelta]) is an ordinary
// JPEG, one tile wide. It consists of the changed tiles, one below the other. [Layout.AppendPieces] returns the position of each piece.
// With 4:2:0, a decoder that smooths chroma across rows (libjpeg's "fancy upsampling") mixes the pixels of tiles that are neighbors in
// the delta. Decoders that repeat chroma samples, as image/jpeg does, give exactly the pixels of the full picture. 4:4:4 has no such
// difference.
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
