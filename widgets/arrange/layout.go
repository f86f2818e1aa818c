package arrange

import (
	"image"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// span is a range of pixels along one axis.
type span struct{ at, size int }

// Spans divides a length, in px, by ratios. Each size is rounded down to whole pixels, and each position is the sum of the
// previous sizes. The remainder at the end stays empty.
func Spans(length int, ratios []float64) []span {
	sum := 0.0
	for _, r := range ratios {
		sum += r
	}
	all, at := make([]span, len(ratios)), 0
	for i, r := range ratios {
		all[i] = span{at, int(float64(length) * (r / sum))}
		at += all[i].size
	}
	return all
}

// equal() returns n equal ratios.
func equal(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = 1
	}
	return all
}

// RowRect returns the rectangle of a row with the given width, in px. s is the vertical position of the row in the column.
func RowRect(width int, s span) image.Rectangle { return image.Rect(0, s.at, width, s.at+s.size) }

// Reach implements kit.Holder.
func (w *layout) Reach(p image.Point, each func(render.Widget, image.Point) bool) bool {
	return kit.ReachAll(p, w.children, each)
}
