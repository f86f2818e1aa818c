package pngtile

import (
	"fmt"
	"image"
)

// BandRows is the height of a band in pixels. The last one may be lower. With lower bands, a small change would code fewer rows.
// But each band costs about 90 bytes for its chunk, its flush and its codes, and cannot refer to shapes in other bands.
const BandRows = 32

// MaxSide is the greatest accepted width or height, more than the service needs.
const MaxSide = 32768

// Layout is the band geometry of pictures of one size. It is a small value and safe to copy.
type Layout struct{ width, height int }

// NewLayout gives the geometry of a picture of width x height pixels, each 1 to [MaxSide].
func NewLayout(width, height int) (Layout, error) {
	if width < 1 || height < 1 || width > MaxSide || height > MaxSide {
		return Layout{}, fmt.Errorf("pngtile: size %dx%d is not within 1..%d", width, height, MaxSide)
	}
	return Layout{width, height}, nil
}

// Bounds is the picture's rectangle, from (0, 0).
func (l *Layout) Bounds() image.Rectangle { return image.Rect(0, 0, l.width, l.height) }

// Bands is the number of bands, numbered from the top.
func (l *Layout) Bands() int { return (l.height + BandRows - 1) / BandRows }

// BandRect returns the rectangle of band i.
func (l *Layout) BandRect(i int) image.Rectangle {
	return image.Rect(0, i*BandRows, l.width, min((i+1)*BandRows, l.height))
}

// AppendBands appends the numbers of the bands that have a pixel in any of the rectangles, ascending, each once.
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

// A Piece is copied from From on in a delta to To in the picture.
type Piece struct {
	From image.Point
	To   image.Rectangle
}

// AppendPieces appends the places of a delta's bands, in order.
func (l *Layout) AppendPieces(dst []Piece, bands []int) []Piece {
	y := 0
	for _, i := range bands {
		to := l.BandRect(i)
		dst = append(dst, Piece{image.Pt(0, y), to})
		y += to.Dy()
	}
	return dst
}
