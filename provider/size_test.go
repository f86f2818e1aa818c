package provider

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"dashboard/internal/budget"
)

// If a value does not fit into the memory, the previous value stays, and the sample gets an error. Memory that one provider frees can be
// used by another provider.
func TestValuesShareMemory(t *testing.T) {
	memory := &budget.Memory{Jobs: budget.NewBudget(1), Bodies: budget.NewBudget(1), Kept: budget.NewLedger(10_000)}
	m := NewManager(memory, func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	set := m.Begin()
	idle := runFunc(func(ctx context.Context, _ *Cell) error { <-ctx.Done(); return nil })
	a, b := set.Add("a", idle), set.Add("b", idle)
	m.Commit(set)
	text := func(n int) string { return strings.Repeat("x", n) }
	now := time.Now()
	a.Publish(text(6000), now)
	b.Publish(text(3000), now)
	b.Publish(text(5000), now)
	if s := b.Load(); !errors.Is(s.Err, budget.ErrTooLarge) || s.Value != text(3000) {
		t.Errorf("got %v with %.10v, want an error and the last value", s.Err, s.Value)
	}
	only := m.Begin()
	only.Add("b", idle)
	m.Commit(only)
	b.Publish(text(9000), now)
	if s := b.Load(); s.Err != nil || s.Value != text(9000) {
		t.Errorf("after the other is gone: %v", s.Err)
	}
	m.Commit(m.Begin())
	if n := memory.Kept.Used(); n != 0 {
		t.Errorf("%d bytes are counted without a provider", n)
	}
}

// The size of a mapping is its size in memory and not its size in JSON.
func TestSizeOfMappings(t *testing.T) {
	list := make([]any, 1000)
	for i := range list {
		list[i] = map[string]any{"": 0}
	}
	if n := SizeOf(list); n < 300_000 {
		t.Errorf("a thousand mappings: got %d bytes", n)
	}
}
