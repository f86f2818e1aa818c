package extract

import (
	"cmp"
	"time"

	"dashboard/internal/budget"
)

// Bounds of what one document or one jq run may make of memory, in estimated bytes.
const (
	// maxMemory is enough for 5 MiB of any common document: a list of coordinates becomes four times as large, a list of
	// measurements three times. Objects of one short key each would become fifty times as large.
	maxMemory = 48 << 20
	// maxMade is what a program may make beside what its document took: the stack of one that calls itself for ever takes
	// more than it is charged for, and leaves five times as much behind while it grows.
	maxMade = 24 << 20
	// maxKept is what a picked value may take: it is kept until the next one comes, for each provider.
	maxKept = 8 << 20
	// smallMemory is what is made at once, whatever else is under way.
	smallMemory = 4 << 20
)

// A meter counts memory before it is made. It belongs to one goroutine; done ends it.
type meter struct {
	spent  int64
	most   int64         // of spent; 0 is maxMemory
	holds  bool          // maxMemory of the budget of the process
	waited time.Duration // for it
}

// spend takes n bytes off the budget; from smallMemory on it waits until the process has room for a large job. It returns false, from then on
// always, when there is not so much left.
func (m *meter) spend(n int64) bool {
	if n < 0 || n > cmp.Or(m.most, maxMemory)-m.spent {
		m.spent = maxMemory + 1
		return false
	}
	m.spent += n
	if m.spent > smallMemory && !m.holds {
		start := time.Now()
		budget.Process.Take(maxMemory)
		m.holds, m.waited = true, m.waited+time.Since(start)
	}
	return true
}

// narrow leaves what a program may make: as much as its document took and maxMade more, and never more than is left with a half of
// the document given back, for a program makes less of a large document than of a small one.
func (m *meter) narrow() {
	m.most = min(maxMade+m.spent+m.spent/2, maxMemory)
	m.spent /= 2
}

// done gives back what is held. Who holds it waits for nothing else, and holds it no longer than decoding and jqTime.
func (m *meter) done() {
	if m.holds {
		budget.Process.Give(maxMemory)
		m.holds = false
	}
}
