package kit

import (
	"slices"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/render"
)

// watched holds the state of the values that a widget requested when it was built. Values that the
// title line or inner widgets requested are not included.
type watched struct {
	Cells   []*provider.Cell
	stale   time.Time // time of the oldest outdated value, zero if no value is outdated
	Failed  time.Time // time of the earliest failure, if no value ever arrived and all sources fail. Otherwise zero
	class   fetch.Class
	source  string    // name of the source that fails, "" if it has no name
	next    time.Time // time of the next attempt of the failing source, zero if unknown
	waiting bool      // true if no source has sent a value or reported a failure yet
	calm    bool      // true if the last full update found nothing to show: no outdated value, no failure, and a value has arrived
}

// watching() calls `build` and records in w the cells that build requests.
func (b *Builder) watching(w *watched, build func()) {
	defer func(before *watched) { b.watch = before }(b.watch)
	b.watch = w
	build()
}

// Asks records a cell that the current widget requests.
func (b *Builder) Asks(c *provider.Cell) {
	if b.watch != nil && c != nil {
		b.watch.Cells = append(b.watch.Cells, c)
	}
}

// update updates the state and reports whether it changed.
func (w *watched) update(t render.Tick) bool {
	if len(w.Cells) == 0 || w.calm && w.fresh(t) {
		return false
	}
	before := *w
	w.stale, w.Failed, w.class, w.source, w.next = time.Time{}, time.Time{}, fetch.Unclassified, "", time.Time{}
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
	w.calm = w.stale.IsZero() && lost < len(w.Cells) && !w.waiting
	return !before.stale.Equal(w.stale) || !before.Failed.Equal(w.Failed) || before.class != w.class ||
		before.source != w.source || before.waiting != w.waiting
}

// fresh reports whether all cells have current values, as in most frames. Then a full update finds nothing to show.
func (w *watched) fresh(t render.Tick) bool {
	return !slices.ContainsFunc(w.Cells, func(c *provider.Cell) bool { s := c.Load(); return !s.Has() || IsStale(t, s) })
}

// fail records the failure of cell c, unless an earlier failure is recorded.
func (w *watched) fail(c *provider.Cell, s *provider.Sample) {
	if w.Failed.IsZero() || s.Failing.Before(w.Failed) {
		w.Failed, w.class, w.source, w.next = s.Failing, fetch.ClassOf(s.Err), c.FailedSource(), c.NextTry()
	}
}
