package extract

import (
	"cmp"
	"context"
	"time"

	"dashboard/internal/budget"
)

// Bounds of the memory of one document or one jq run, in estimated bytes.
const (
	// maxMemory is enough for 5 MiB of any common document: a list of coordinates becomes four times as large, a list of
	// measurements three times. Objects of one short key each would become fifty times as large.
	maxMemory = 48 << 20
	// maxMade is the memory that a program may use in addition to its document. The stack of an endless recursion takes more than
	// its charge, and leaves five times as much garbage while it grows.
	maxMade = 24 << 20
	// maxKept is the memory that a picked value may take. Each provider keeps its value until the next one comes.
	maxKept = 8 << 20
	// smallMemory is the size of a result that is made without waiting for other runs.
	smallMemory = 4 << 20
)

// A meter counts memory before it is allocated. It belongs to one goroutine. done ends it.
type meter struct {
	ctx    context.Context // ends waiting; carries the account
	err    error           // error of ctx, if ctx ended while the meter waited
	jobs   *budget.Budget  // the budget that holds maxMemory; nil before that
	spent  int64
	most   int64         // bound of spent; 0 is maxMemory
	waited time.Duration // time spent waiting
}

// spend counts n bytes. From smallMemory on it waits until the service has room for a large job. Once the bound is exceeded or the
// context has ended, it returns false from then on. [meter.failure] returns the reason.
func (m *meter) spend(n int64) bool {
	if n < 0 || n > cmp.Or(m.most, maxMemory)-m.spent {
		m.spent = maxMemory + 1
		return false
	}
	m.spent += n
	if m.spent <= smallMemory || m.jobs != nil {
		return true
	}
	start, jobs := time.Now(), budget.Of(m.ctx).Jobs
	if m.err = jobs.Take(m.ctx, maxMemory); m.err != nil {
		m.spent = maxMemory + 1
		return false
	}
	m.jobs, m.waited = jobs, m.waited+time.Since(start)
	return true
}

// failure returns the reason why spend returned false.
func (m *meter) failure() error {
	if m.err != nil {
		return m.err
	}
	return errMemory
}

// narrow sets the memory that a program may still use: as much as its document took, and maxMade more. The bound is at most
// maxMemory, so a large document leaves less for its program.
func (m *meter) narrow() {
	m.most = min(maxMade+m.spent+m.spent/2, maxMemory)
	m.spent /= 2
}

// done returns the held memory to the budget. The caller waits for nothing else while it holds memory, and holds it no longer than
// decoding and jqTime.
func (m *meter) done() {
	if m.jobs != nil {
		m.jobs.Give(maxMemory)
		m.jobs = nil
	}
}
