package budget

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// ErrTooLarge means that a value does not fit into a ledger. The errors of [Ledger.Change] wrap it.
var ErrTooLarge = errors.New("too large")

// A Ledger limits the bytes of stored values. It never waits. Its methods may be called from any goroutine.
type Ledger struct {
	most int64
	used atomic.Int64
}

// NewLedger returns a ledger of n bytes.
func NewLedger(n int64) *Ledger { return &Ledger{most: n} }

// Change replaces a stored value by another value. `from` and `to` are their sizes in bytes. If the ledger has no room, Change changes
// nothing and returns an error that wraps [ErrTooLarge]. A smaller value always fits.
func (l *Ledger) Change(from, to int64) error {
	used := l.used.Add(to - from)
	if to <= from || used <= l.most {
		return nil
	}
	l.used.Add(from - to)
	return fmt.Errorf("%w: the value takes %s; %s of the %s for all values are free", ErrTooLarge, mib(to), mib(max(0, l.most-used+to)), mib(l.most))
}

// Add counts n more bytes, even if they exceed the limit. A negative n counts fewer bytes.
func (l *Ledger) Add(n int64) { l.used.Add(n) }

// Free returns the number of bytes that are left. It may be negative after [Ledger.Add].
func (l *Ledger) Free() int64 { return l.most - l.used.Load() }

// Used returns the bytes in use.
func (l *Ledger) Used() int64 { return l.used.Load() }

// mib() writes a number of bytes in MiB.
func mib(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
