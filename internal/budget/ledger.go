package budget

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// ErrTooLarge is wrapped by the error for a value that has no room.
var ErrTooLarge = errors.New("too large")

// A Ledger bounds bytes that stay. It never waits. Its methods may be called from any goroutine.
type Ledger struct {
	most int64
	used atomic.Int64
}

// NewLedger returns a ledger of n bytes.
func NewLedger(n int64) *Ledger { return &Ledger{most: n} }

// Change replaces a value of from bytes by one of to bytes. If that exceeds the ledger, Change changes nothing and returns an
// error that wraps [ErrTooLarge]. A value that shrinks always fits.
func (l *Ledger) Change(from, to int64) error {
	used := l.used.Add(to - from)
	if to <= from || used <= l.most {
		return nil
	}
	l.used.Add(from - to)
	return fmt.Errorf("%w: the value takes %s; %s of the %s for all values are free", ErrTooLarge, mib(to), mib(max(0, l.most-used+to)), mib(l.most))
}

// Add counts n more bytes, or fewer if n is below zero, and ignores the bound.
func (l *Ledger) Add(n int64) { l.used.Add(n) }

// Free returns the bytes that are left, which may be below zero after [Ledger.Add].
func (l *Ledger) Free() int64 { return l.most - l.used.Load() }

// Used returns the bytes in use.
func (l *Ledger) Used() int64 { return l.used.Load() }

// mib writes a number of bytes in MiB.
func mib(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
