package kit

import (
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/render"
)

// watched is the state of a widget's values: all values that it requested when it was built, except for those requested
// by the widgets inside it and by its title line.
type watched struct {
	Cells  []*provider.Cell
	stale  time.Time // the time of the oldest stale value; else zero
	Failed time.Time // since when there is no answer at all; else zero
	class  fetch.Class
	source string // name of the source that gives no answer, "" for one without a name

	waiting bool // no value and no failure came yet
}

// watching records the cells that build asks for.
func (b *Builder) watching(w *watched, build func()) {
	before := b.watch
	b.watch = w
	build()
	b.watch = before
}

// Asks notes a cell that a widget asks for.
func (b *Builder) Asks(c *provider.Cell) {
	if b.watch != nil && c != nil {
		b.watch.Cells = append(b.watch.Cells, c)
	}
}

// update reports whether anything changed.
func (w *watched) update(t render.Tick) bool {
	if len(w.Cells) == 0 {
		return false
	}
	before := *w
	w.stale, w.Failed, w.class, w.source = time.Time{}, time.Time{}, fetch.Unclassified, ""
	lost, empty := 0, 0
	for _, c := range w.Cells {
		s := c.Load()
		if IsStale(t, s) && (w.stale.IsZero() || s.At.Before(w.stale)) {
			w.stale = s.At
		}
		switch {
		case s.Has():
		case s.Err == nil:
			empty++
		default:
			lost++
			w.fail(c, s)
		}
	}
	if lost < len(w.Cells) {
		w.Failed, w.class, w.source = time.Time{}, fetch.Unclassified, ""
	}
	w.waiting = empty == len(w.Cells)
	return !before.stale.Equal(w.stale) || !before.Failed.Equal(w.Failed) || before.class != w.class ||
		before.source != w.source || before.waiting != w.waiting
}

// fail records the failure of a cell, if it is the first of the failures.
func (w *watched) fail(c *provider.Cell, s *provider.Sample) {
	if w.Failed.IsZero() || s.Failing.Before(w.Failed) {
		w.Failed, w.class, w.source = s.Failing, fetch.ClassOf(s.Err), c.FailedSource()
	}
}
