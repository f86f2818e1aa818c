package fb

import "image"

// maxStale bounds the rectangles remembered for the other page. More are
// joined into one that holds them all.
const maxStale = 16

// A flipper knows the two pages of a memory that is twice as high as the screen. One page is shown while the other is
// written.
type flipper struct {
	rows  [2]int            // first row of each page
	shown int               // the one on the screen
	stale []image.Rectangle // of the frame: areas that the hidden page lacks
}

// newFlipper returns a flipper, or nil if the memory has no two pages.
func newFlipper(g Geometry) *flipper {
	f := &flipper{rows: [2]int{0, g.Height}, stale: make([]image.Rectangle, 0, maxStale)}
	if g.YOffset == g.Height {
		f.shown = 1
	}
	second := g
	second.YOffset = g.Height
	if g.VirtualHeight < 2*g.Height || f.shownRow() != g.YOffset || second.Validate() != nil {
		return nil
	}
	f.forget(image.Rectangle{Max: image.Pt(maxSide, maxSide)})
	return f
}

func (f *flipper) shownRow() int  { return f.rows[f.shown] }
func (f *flipper) hiddenRow() int { return f.rows[1-f.shown] }

// flipped notes that the hidden page, now whole, is shown, and that the other
// lacks rs.
func (f *flipper) flipped(rs []image.Rectangle) {
	f.shown = 1 - f.shown
	f.stale = f.stale[:0]
	if len(rs) <= maxStale {
		f.stale = append(f.stale, rs...)
		return
	}
	var all image.Rectangle
	for _, r := range rs {
		all = all.Union(r)
	}
	f.stale = append(f.stale, all)
}

// forget notes that the hidden page lacks everything.
func (f *flipper) forget(all image.Rectangle) {
	f.stale = append(f.stale[:0], all)
}
