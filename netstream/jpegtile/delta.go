package jpegtile

import (
	"fmt"
	"image"
	"slices"
)

// A Piece is copied from From on in a delta to To in the picture.
type Piece struct {
	From image.Point
	To   image.Rectangle
}

// MaxDelta returns the greatest number of tiles of a delta. Tiles are stacked, and a JPEG has at most [MaxSide] rows.
func (l *Layout) MaxDelta() int { return MaxSide / l.mcu }

// DeltaSize gives width and height in pixels of a delta of n tiles.
func (l *Layout) DeltaSize(n int) (width, height int) { return l.interval * l.mcu, n * l.mcu }

// AppendPieces appends the places of the parts of a delta with the given tiles, in order. A tile that wraps at the right edge has
// two parts.
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

// AppendDelta appends a JPEG that consists of the cached bytes of the given tiles, one below the other in the given order. There
// must be at least one and at most [Layout.MaxDelta] tiles. No pixel is encoded again.
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

// deltaBytes is the length of a delta.
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
