package jpegtile

import (
	"fmt"
	"image"
	"math"
)

// Chroma is the sampling of color. Brightness is always stored for every pixel.
type Chroma uint8

const (
	// Chroma420 stores one color for 2x2 pixels. Files are smaller, but colored text has blurred edges.
	Chroma420 Chroma = iota + 1
	// Chroma444 stores the color of every pixel.
	Chroma444
)

// String returns the name in configuration files, "420" or "444".
func (c Chroma) String() string {
	switch c {
	case Chroma420:
		return "420"
	case Chroma444:
		return "444"
	}
	return fmt.Sprintf("Chroma(%d)", uint8(c))
}

// MaxSide is the greatest width or height of a JPEG, which has 16 bits for each in its frame header (T.81, B.2.2).
const MaxSide = 65535

// intervalRange contains the minimum, the preferred and the maximum length of tiles, in MCUs. With short tiles, less is encoded around a
// small change. But each tile costs about four bytes. With tiles shorter than the minimum, these bytes are more than 5 % of the file of a
// simple dashboard.
type intervalRange struct{ min, want, max int }

var (
	interval420 = intervalRange{6, 8, 12}
	interval444 = intervalRange{12, 20, 30}
)

// Layout is the division of pictures of one size into tiles. It is a small value that may be copied.
type Layout struct {
	width, height int // in pixels
	chroma        Chroma
	mcu           int // side of an MCU in pixels, 8 or 16
	cols, rows    int // in MCUs
	interval      int // MCUs in a tile, at most cols
	tiles         int
}

// NewLayout returns the layout for pictures of width x height pixels, each from 1 to [MaxSide]. The result depends only on the arguments,
// so both ends of a connection compute the same layout.
func NewLayout(width, height int, chroma Chroma) (Layout, error) {
	if width < 1 || height < 1 || width > MaxSide || height > MaxSide {
		return Layout{}, fmt.Errorf("jpegtile: size %dx%d is not within 1..%d", width, height, MaxSide)
	}
	l := Layout{width: width, height: height, chroma: chroma}
	r := interval420
	switch chroma {
	case Chroma420:
		l.mcu = 16
	case Chroma444:
		l.mcu, r = 8, interval444
	default:
		return Layout{}, fmt.Errorf("jpegtile: unknown chroma sampling %v", chroma)
	}
	l.cols = (width + l.mcu - 1) / l.mcu
	l.rows = (height + l.mcu - 1) / l.mcu
	l.interval = r.choose(l.cols)
	l.tiles = (l.cols*l.rows + l.interval - 1) / l.interval
	return l, nil
}

// choose returns the number of MCUs in a tile. A row that is not longer than the maximum is one tile. Otherwise the result is a divisor
// of `cols` from the minimum to the maximum, as near as possible to the preferred length. If there is no such divisor, the result is the
// preferred length.
func (r intervalRange) choose(cols int) int {
	if cols <= r.max {
		return cols
	}
	best := 0
	for n := r.min; n <= r.max; n++ {
		if cols%n == 0 && (best == 0 || abs(n-r.want) < abs(best-r.want)) {
			best = n
		}
	}
	if best == 0 {
		return r.want
	}
	return best
}

func abs(n int) int { return max(n, -n) }

// Tiles returns the number of tiles. They are numbered from 0 on, in coding order.
func (l *Layout) Tiles() int { return l.tiles }

// Bounds returns the rectangle of the picture, which begins at (0, 0).
func (l *Layout) Bounds() image.Rectangle { return image.Rect(0, 0, l.width, l.height) }

// Chroma returns the chroma sampling of the layout.
func (l *Layout) Chroma() Chroma { return l.chroma }

// RowHeight returns the height of a row of tiles in pixels, 8 or 16.
func (l *Layout) RowHeight() int { return l.mcu }

// mcusIn returns the number of MCUs in tile i. The last tile may be shorter than the other tiles.
func (l *Layout) mcusIn(i int) int { return min(l.interval, l.cols*l.rows-i*l.interval) }

// TileRects returns the rectangle of tile i, clipped to the picture. A tile that continues at the start of the next row of MCUs has a
// second rectangle. For all other tiles, `second` is empty.
func (l *Layout) TileRects(i int) (first, second image.Rectangle) {
	start, n := i*l.interval, l.mcusIn(i)
	row, col := start/l.cols, start%l.cols
	head := min(n, l.cols-col)
	first = l.mcuRect(row, col, head)
	if n > head {
		second = l.mcuRect(row+1, 0, n-head)
	}
	return first, second
}

// mcuRect returns the rectangle of n MCUs from (row, col) on, clipped to the picture.
func (l *Layout) mcuRect(row, col, n int) image.Rectangle {
	return image.Rect(
		col*l.mcu, row*l.mcu,
		min((col+n)*l.mcu, l.width), min((row+1)*l.mcu, l.height))
}

// AppendTiles appends the numbers of all tiles that at least one of the rectangles touches, each once, in ascending order.
func (l *Layout) AppendTiles(dst []int, rects ...image.Rectangle) []int {
	own := len(dst)
	for row := range l.rows {
		next := row * l.cols / l.interval // the first tile in this row
		if n := len(dst); n > own {
			next = max(next, dst[n-1]+1)
		}
		dst = l.appendRow(dst, row, next, rects)
	}
	return dst
}

// appendRow appends tiles of one row of MCUs: the tiles from `next` on that a rectangle touches.
func (l *Layout) appendRow(dst []int, row, next int, rects []image.Rectangle) []int {
	end := ((row+1)*l.cols - 1) / l.interval
	for next <= end {
		first, last := l.nearest(row, next, rects)
		if first > last {
			break
		}
		for i := first; i <= last; i++ {
			dst = append(dst, i)
		}
		next = last + 1
	}
	return dst
}

// nearest() looks at one row of MCUs, from tile `next` on. It returns the first run of tiles that a rectangle touches. If there is no
// such tile, `first` is greater than `last`.
func (l *Layout) nearest(row, next int, rects []image.Rectangle) (first, last int) {
	first, last = math.MaxInt, -1
	strip := image.Rect(0, row*l.mcu, l.width, min((row+1)*l.mcu, l.height))
	for _, r := range rects {
		r = r.Intersect(strip)
		if r.Empty() {
			continue
		}
		lo := (row*l.cols + r.Min.X/l.mcu) / l.interval
		hi := (row*l.cols + (r.Max.X-1)/l.mcu) / l.interval
		if lo = max(lo, next); lo <= hi && lo < first {
			first, last = lo, hi
		}
	}
	return first, last
}
