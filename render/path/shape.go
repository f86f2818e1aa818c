package path

import (
	"image"
	"image/color"

	"dashboard/render/blend"
)

// Shape holds the pixels that an outline covers. Neighboring pixels with the same coverage are stored as one span. So a large shape takes
// little memory, and painting it is as fast as painting a rectangle. The zero value is empty. Fill replaces the content. Only one
// goroutine at a time may paint a Shape. Do not copy a Shape after Fill.
type Shape struct {
	box   image.Rectangle
	rows  []int32 // for each row, the end index of its spans
	spans []span
	cover []uint8 // coverage values of the spans that store one value for each pixel
}

// span is a run of pixels in a row.
type span struct {
	x, n uint16 // offset from the left side of the box, and number of pixels
	at   int32  // index of the first value in cover, or -1-level if all pixels have the same level
}

// A run of at least shortRun equal pixels is stored as a separate span. For shorter runs, single values take less memory. A run of empty
// pixels is left out if it has at least half of this length.
const shortRun = 8

// Bounds returns the box that contains every pixel of the shape, in the path's coordinates.
func (s *Shape) Bounds() image.Rectangle { return s.box }

func (s *Shape) reset(box image.Rectangle) {
	s.box, s.rows, s.spans, s.cover = box, s.rows[:0], s.spans[:0], s.cover[:0]
}

// begun reports whether the current row has spans already.
func (s *Shape) begun() bool {
	n := 0
	if len(s.rows) > 0 {
		n = int(s.rows[len(s.rows)-1])
	}
	return len(s.spans) > n
}

func (s *Shape) endRow() { s.rows = append(s.rows, int32(len(s.spans))) }

// open() returns the last span of the row if it ends at x and stores one value for each pixel. Otherwise it returns nil.
func (s *Shape) open(x int) *span {
	if !s.begun() {
		return nil
	}
	if l := &s.spans[len(s.spans)-1]; l.at >= 0 && int(l.x)+int(l.n) == x {
		return l
	}
	return nil
}

// cell adds the pixel at x with the given coverage.
func (s *Shape) cell(x int, level uint8) {
	l := s.open(x)
	if l == nil {
		if level == 0 {
			return
		}
		s.spans = append(s.spans, span{x: uint16(x), at: int32(len(s.cover))})
		l = &s.spans[len(s.spans)-1]
	}
	s.cover = append(s.cover, level)
	l.n++
}

// run adds the pixels from x to end-1, which all have the same coverage.
func (s *Shape) run(x, end int, level uint8) {
	if end-x < shortRun && (level != 0 || end-x < shortRun/2) {
		for ; x < end; x++ {
			s.cell(x, level)
		}
		return
	}
	if level != 0 {
		s.spans = append(s.spans, span{x: uint16(x), n: uint16(end - x), at: -1 - int32(level)})
	}
}

// row returns the spans of row y. Row 0 is the top row of the box.
func (s *Shape) row(y int) []span {
	from := int32(0)
	if y > 0 {
		from = s.rows[y-1]
	}
	return s.spans[from:s.rows[y]]
}

// Paint blends col (premultiplied) over the shape on dst, within `clip`. The path's (0,0) is at p.
func (s *Shape) Paint(dst *image.RGBA, clip image.Rectangle, p image.Point, col color.RGBA) {
	r := s.box.Add(p).Intersect(clip).Intersect(dst.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		s.paintRow(dst, r, p, y, col)
	}
}

// PaintRows does the same as Paint, with one color for each row. rows[0] is the color of the top row of Bounds. If the slice `rows` is
// shorter than Bounds, the other rows are not painted.
func (s *Shape) PaintRows(dst *image.RGBA, clip image.Rectangle, p image.Point, rows []color.RGBA) {
	top := s.box.Min.Y + p.Y
	r := s.box.Add(p).Intersect(clip).Intersect(dst.Rect)
	for y := r.Min.Y; y < min(r.Max.Y, top+len(rows)); y++ {
		s.paintRow(dst, r, p, y, rows[y-top])
	}
}

// paintRow paints row y of dst, within r.
func (s *Shape) paintRow(dst *image.RGBA, r image.Rectangle, p image.Point, y int, col color.RGBA) {
	left := s.box.Min.X + p.X
	line := dst.Pix[dst.PixOffset(r.Min.X, y):dst.PixOffset(r.Max.X, y)]
	for _, sp := range s.row(y - p.Y - s.box.Min.Y) {
		from := int(sp.x) + left - r.Min.X
		a, b := max(0, from), min(r.Dx(), from+int(sp.n))
		if a >= b {
			continue
		}
		part := line[4*a : 4*b]
		if sp.at < 0 {
			blend.Fill(part, fainter(col, uint8(-1-sp.at)))
			continue
		}
		skip := int(sp.at) + a - from
		blend.Cover(part, s.cover[skip:skip+b-a], col)
	}
}

// fainter() returns a premultiplied color multiplied by level/255.
func fainter(col color.RGBA, level uint8) color.RGBA {
	if level == 255 {
		return col
	}
	return color.RGBA{blend.Mul(col.R, level), blend.Mul(col.G, level), blend.Mul(col.B, level), blend.Mul(col.A, level)}
}
