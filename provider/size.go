package provider

import (
	"dashboard/internal/budget"
	"dashboard/internal/extract"
)

// A Sized is a value that is not a mapping, a list or a text. Size returns the memory of the value, in bytes.
type Sized interface{ Size() int64 }

// SizeOf returns the estimated memory of a value, in bytes.
func SizeOf(v any) int64 {
	if s, ok := v.(Sized); ok {
		return s.Size()
	}
	return extract.Size(v)
}

// An account counts the memory of one cell's value in a ledger. The cell's mutex guards the account.
type account struct {
	ledger  *budget.Ledger // nil if no manager runs the cell
	bytes   int64
	refused bool // whether the latest published value did not fit
}

// charge replaces the memory of the previous value in the ledger by the memory of a new value.
func (a *account) charge(value any) error {
	if a.ledger == nil {
		return nil
	}
	size := SizeOf(value)
	err := a.ledger.Change(a.bytes, size)
	if a.refused = err != nil; err == nil {
		a.bytes = size
	}
	return err
}

// join() starts to count the cell's value in a ledger. A restored value that does not fit is dropped.
func (c *Cell) join(l *budget.Ledger) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.account.ledger != nil {
		return
	}
	c.account.ledger = l
	s := *c.Load()
	if err := c.account.charge(s.Value); err != nil {
		c.latest.Store(&Sample{Err: err, Interval: s.Interval, Seq: s.Seq})
	}
}

// leave() stops counting the cell's value.
func (c *Cell) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.account.ledger != nil {
		_ = c.account.ledger.Change(c.account.bytes, 0) // less memory always fits
	}
	c.account = account{}
}
