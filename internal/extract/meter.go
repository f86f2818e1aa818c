package extract

import "time"

// Bounds of what one document or one jq run may make of memory, in estimated bytes.
const (
	// maxMemory is enough for 8 MiB of any common document: a list of coordinates becomes four times as large, a list of
	// measurements three times. Objects of one short key each would become fifty times as large.
	maxMemory = 64 << 20
	// smallMemory is what is made at once, whatever else is under way.
	smallMemory = 4 << 20
)

// large is held by whoever makes more than smallMemory: one at a time in the whole process. Its holder waits for nothing
// else, and no longer than decoding and jqTime.
var large = make(chan struct{}, 1)

// A meter counts memory before it is made. It belongs to one goroutine; done ends it.
type meter struct {
	spent  int64
	holds  bool          // the turn of the large
	waited time.Duration // for it
}

// spend takes n bytes off the budget and waits for the turn of the large where it comes to that. It returns false, from then on
// always, when there is not so much left.
func (m *meter) spend(n int64) bool {
	if n < 0 || n > maxMemory-m.spent {
		m.spent = maxMemory + 1
		return false
	}
	m.spent += n
	if m.spent > smallMemory && !m.holds {
		start := time.Now()
		large <- struct{}{}
		m.holds, m.waited = true, m.waited+time.Since(start)
	}
	return true
}

// renew begins a new budget and keeps the turn.
func (m *meter) renew() { m.spent = 0 }

// done gives the turn to the next.
func (m *meter) done() {
	if m.holds {
		<-large
		m.holds = false
	}
}
