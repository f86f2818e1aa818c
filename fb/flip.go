package fb

import "image"

// maxStale bounds the stored rectangles of the hidden page. More rectangles are joined into one.
const maxStale = 16

// A flipper manages the two pages of a memory that is twice as high as the screen. One page is visible, and the other page is painted.
type flipper struct {
	rows  [2]int            // first row of each page
	shown int               // index of the visible page
	stale []image.Rectangle // parts of the hidden page that are out of date
}

// newFlipper returns a flipper. It returns nil if the memory has no room for two pages, or if the visible window is not exactly one of the
// two pages.
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

// flipped() records that the pages were exchanged. `rs` are the parts that were painted before the exchange. These parts are out of date
// on the page that is now hidden.
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

// forget records that the whole hidden page is out of date.
func (f *flipper) forget(all image.Rectangle) {
	f.stale = append(f.stale[:0], all)
}
