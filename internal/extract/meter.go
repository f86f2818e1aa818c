package extract

import (
	"cmp"
	"context"
	"time"

	"dashboard/internal/budget"
)

// Bounds of the memory of one document or one jq run, in estimated bytes.
const (
	// maxMemory is enough for a common document of 5 MiB. In memory, a list of coordinates is four times as large as its text, and a list
	// of measurements is three times as large. Objects with only one short key are fifty times as large.
	maxMemory = 48 << 20
	// maxMade is the memory that a program may use in addition to its document. The limit leaves a reserve, because the stack of an
	// endless recursion takes more memory than the run is charged for. While this stack grows, it also leaves garbage of five times its
	// size.
	maxMade = 24 << 20
	// maxKept is the maximum memory of a selected value. Each provider stores its value until the next value arrives.
	maxKept = 8 << 20
	// smallMemory is the memory that a run may use without waiting for other runs.
	smallMemory = 4 << 20
)

// A meter counts memory before it is allocated. Only one goroutine may use it. The owner calls done() at the end.
type meter struct {
	ctx    context.Context // if it ends, spend() stops waiting. It also contains the account
	err    error           // error of spend() if the meter waited for memory and got none: the error of ctx, or budget.ErrNoRoom
	jobs   *budget.Budget  // budget from which the meter has taken maxMemory, or nil
	spent  int64
	most   int64         // maximum of `spent`, or 0 for maxMemory
	waited time.Duration // time spent waiting
}

// spend counts n bytes. When the total exceeds smallMemory, spend waits until the service has room for a large job. It returns false if
// the limit is exceeded, the context has ended or no memory became free. All later calls then return false too. [meter.failure] returns
// the reason.
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

// failure() returns the reason why spend() returned false.
func (m *meter) failure() error {
	if m.err != nil {
		return m.err
	}
	return errMemory
}

// narrow() sets the memory that a program may use after its document was decoded: maxMade plus the memory of the document. After a large
// document the program may use less, because its own memory plus half of the memory of the document must fit in maxMemory.
func (m *meter) narrow() {
	m.most = min(maxMade+m.spent+m.spent/2, maxMemory)
	m.spent /= 2
}

// done() returns the memory to the budget. While the meter holds the memory, the caller must not wait for anything else. The caller may
// hold the memory while it decodes a document, and then for at most jqTime while a program runs.
func (m *meter) done() {
	if m.jobs != nil {
		m.jobs.Give(maxMemory)
		m.jobs = nil
	}
}
