package kit

import (
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/render"
)

// watched holds the state of the values that a widget requested when it was built. Values requested by widgets inside it and by
// its title line are not included.
type watched struct {
	Cells  []*provider.Cell
	stale  time.Time // time of the oldest outdated value, or zero
	Failed time.Time // time since which there is no answer at all, zero if there are answers
	class  fetch.Class
	source string // name of the source that does not answer, "" if it has no name

	waiting bool // true if no value and no failure has arrived yet
}

// watching records the cells that build requests.
func (b *Builder) watching(w *watched, build func()) {
	before := b.watch
	b.watch = w
	build()
	b.watch = before
}

// Asks records a cell that a widget requests.
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

// fail records the failure of a cell, if it is the earliest failure.
func (w *watched) fail(c *provider.Cell, s *provider.Sample) {
	if w.Failed.IsZero() || s.Failing.Before(w.Failed) {
		w.Failed, w.class, w.source = s.Failing, fetch.ClassOf(s.Err), c.FailedSource()
	}
}
