package extract

import (
	"time"

	"dashboard/internal/budget"
)

// Bounds of what one document or one jq run may make of memory, in estimated bytes.
const (
	// maxMemory is enough for 5 MiB of any common document: a list of coordinates becomes four times as large, a list of
	// measurements three times. Objects of one short key each would become fifty times as large.
	maxMemory = 48 << 20
	// maxKept is what a picked value may take: it is kept until the next one comes, for each provider.
	maxKept = 8 << 20
	// smallMemory is what is made at once, whatever else is under way.
	smallMemory = 4 << 20
)

// A meter counts memory before it is made. It belongs to one goroutine; done ends it.
type meter struct {
	spent  int64
	holds  bool          // maxMemory of the budget of the process
	waited time.Duration // for it
}

// spend takes n bytes off the budget; from smallMemory on it waits until the process has room for a large job. It returns false, from then on
// always, when there is not so much left.
func (m *meter) spend(n int64) bool {
	if n < 0 || n > maxMemory-m.spent {
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

// renew gives back a half of what was spent, and keeps what is held: a program makes less of a large document than of a
// small one.
func (m *meter) renew() { m.spent /= 2 }

// done gives back what is held. Who holds it waits for nothing else, and holds it no longer than decoding and jqTime.
func (m *meter) done() {
	if m.holds {
		budget.Process.Give(maxMemory)
		m.holds = false
	}
}
