package pngtile

import (
	"fmt"
	"image"
)

// BandRows is the height of a band in pixels. The last band may have fewer rows. If bands had fewer rows, less would be encoded after a
// small change. But each band costs about 90 bytes for its chunk, its flush and its codes. A band also cannot refer to shapes in other
// bands.
const BandRows = 32

// MaxSide is the greatest accepted width or height. It is more than the service needs.
const MaxSide = 32768

// Layout is the division of pictures of one size into bands. It is a small value that may be copied.
type Layout struct{ width, height int }

// NewLayout returns the layout for pictures of width x height pixels, each from 1 to [MaxSide].
func NewLayout(width, height int) (Layout, error) {
	if width < 1 || height < 1 || width > MaxSide || height > MaxSide {
		return Layout{}, fmt.Errorf("pngtile: size %dx%d is not within 1..%d", width, height, MaxSide)
	}
	return Layout{width, height}, nil
}

// Bounds returns the rectangle of the picture, which begins at (0, 0).
func (l *Layout) Bounds() image.Rectangle { return image.Rect(0, 0, l.width, l.height) }

// Bands returns the number of bands. They are numbered from 0 at the top.
func (l *Layout) Bands() int { return (l.height + BandRows - 1) / BandRows }

// BandRect returns the rectangle of band i.
func (l *Layout) BandRect(i int) image.Rectangle {
	return image.Rect(0, i*BandRows, l.width, min((i+1)*BandRows, l.height))
}

// AppendBands appends the numbers of all bands that a rectangle touches, each once, in ascending order.
func (l *Layout) AppendBands(dst []int, rects ...image.Rectangle) []int {
	for i := range l.Bands() {
		for _, r := range rects {
			if r.Overlaps(l.BandRect(i)) {
				dst = append(dst, i)
				break
			}
		}
	}
	return dst
}

// A Piece is a part of a delta. It begins at From in the delta, and is copied to To in the picture.
type Piece struct {
	From image.Point
	To   image.Rectangle
}

// AppendPieces appends the pieces of a delta that consists of the given bands, in this order.
func (l *Layout) AppendPieces(dst []Piece, bands []int) []Piece {
	y := 0
	for _, i := range bands {
		to := l.BandRect(i)
		dst = append(dst, Piece{image.Pt(0, y), to})
		y += to.Dy()
	}
	return dst
}
