package provider

import (
	"dashboard/internal/budget"
	"dashboard/internal/extract"
)

// A Sized is a value that does not consist of mappings, lists and texts. It returns the memory that it takes, in bytes.
type Sized interface{ Size() int64 }

// SizeOf returns the estimated memory of a value in bytes.
func SizeOf(v any) int64 {
	if s, ok := v.(Sized); ok {
		return s.Size()
	}
	return extract.Size(v)
}

// An account is the part of a ledger that one cell uses. The cell's mutex guards it.
type account struct {
	ledger *budget.Ledger // nil for a cell that no manager runs
	bytes  int64
}

// charge counts a value in place of the previous one.
func (a *account) charge(value any) error {
	if a.ledger == nil {
		return nil
	}
	size := SizeOf(value)
	if err := a.ledger.Change(a.bytes, size); err != nil {
		return err
	}
	a.bytes = size
	return nil
}

// join counts the cell's value in a ledger from now on. A restored value that does not fit is dropped.
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

// leave stops counting the cell's value.
func (c *Cell) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.account.ledger != nil {
		_ = c.account.ledger.Change(c.account.bytes, 0) // this always fits
	}
	c.account = account{}
}
