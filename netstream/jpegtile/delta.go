package jpegtile

import (
	"fmt"
	"image"
	"slices"
)

// A Piece is a part of a delta. It begins at From in the delta, and is copied to To in the picture.
type Piece struct {
	From image.Point
	To   image.Rectangle
}

// MaxDelta returns the greatest number of tiles in a delta. Each tile lies below the previous tile, and a JPEG has at most [MaxSide]
// rows.
func (l *Layout) MaxDelta() int { return MaxSide / l.mcu }

// DeltaSize returns the width and height of a delta with n tiles, in pixels.
func (l *Layout) DeltaSize(n int) (width, height int) { return l.interval * l.mcu, n * l.mcu }

// AppendPieces appends the pieces of a delta that consists of the given tiles, in this order. A tile that continues in the next row of
// MCUs has two pieces.
func (l *Layout) AppendPieces(dst []Piece, tiles []int) []Piece {
	for k, i := range tiles {
		first, second := l.TileRects(i)
		dst = append(dst, Piece{image.Pt(0, k*l.mcu), first})
		if !second.Empty() {
			wrap := (l.cols - i*l.interval%l.cols) * l.mcu
			dst = append(dst, Piece{image.Pt(wrap, k*l.mcu), second})
		}
	}
	return dst
}

// AppendDelta appends a JPEG that consists of the given tiles, one below the other in the given order. There must be at least one tile and
// at most [Layout.MaxDelta]. AppendDelta uses the stored bytes of the tiles and encodes no pixels.
func (e *Encoder) AppendDelta(dst []byte, tiles []int) ([]byte, error) {
	if len(tiles) == 0 || len(tiles) > e.MaxDelta() {
		return dst, fmt.Errorf("jpegtile: a delta of %d tiles is not within 1..%d", len(tiles), e.MaxDelta())
	}
	dst = slices.Grow(dst, e.deltaBytes(tiles))
	width, height := e.DeltaSize(len(tiles))
	at := len(dst) + e.sizeAt
	dst = append(dst, e.head...)
	setSize(dst[at:], width, height)
	for k, i := range tiles {
		if k > 0 {
			dst = append(dst, 0xFF, restart(k-1))
		}
		if e.mcusIn(i) < e.interval {
			dst = append(dst, e.lastWhole...)
			continue
		}
		dst = e.tiles.appendTo(dst, i)
	}
	return append(dst, 0xFF, markerEOI), nil
}

// deltaBytes returns the length of a delta that consists of the given tiles.
func (e *Encoder) deltaBytes(tiles []int) int {
	n := len(e.head) + 2*(len(tiles)-1) + trailerBytes
	for _, i := range tiles {
		if e.mcusIn(i) < e.interval {
			n += len(e.lastWhole)
			continue
		}
		n += int(e.tiles.size[i])
	}
	return n
}
