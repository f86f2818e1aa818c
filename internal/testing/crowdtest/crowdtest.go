// Package crowdtest has a full memory, in which values are refused.
package crowdtest

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
	"dashboard/provider"
)

// most is the size of the memory in bytes. Tests use smaller values.
const most = 100_000

// Run runs a provider whose values are refused until the caller calls `free`. If p is nil, the test publishes the values itself.
func Run(t *testing.T, p provider.Provider) (cell *provider.Cell, free func()) {
	t.Helper()
	memory := &budget.Memory{Jobs: budget.NewBudget(1), Bodies: budget.NewBudget(1 << 20), Kept: budget.NewLedger(most)}
	m := provider.NewManager(memory, func() {}, slog.New(slog.DiscardHandler))
	t.Cleanup(m.Close)
	if p == nil {
		p = idle{}
	}
	set := m.Begin()
	other := set.Add("other", idle{})
	m.Commit(set)
	other.Publish(strings.Repeat("x", most-int(provider.SizeOf(""))), time.Now())
	if n := memory.Kept.Free(); n != 0 {
		t.Fatalf("%d bytes are free", n)
	}
	return set.Add("source", p), func() { other.Publish("", time.Now()) }
}

// Check reports an error if a cell does not have the error of a refused value.
func Check(t *testing.T, cell *provider.Cell) {
	t.Helper()
	if s := cell.Load(); !errors.Is(s.Err, budget.ErrTooLarge) {
		t.Errorf("without room: got %v, %v", s.Value, s.Err)
	}
}

// Unchanged runs a provider that publishes the value of its input `in`. An unchanged input must not confirm a refused value. The provider
// must publish the value again until there is room, although the input does not change.
func Unchanged(t *testing.T, p provider.Provider, in *provider.Cell) {
	t.Helper()
	cell, free := Run(t, p)
	in.Publish("a value", time.Now())
	for range 2 {
		synctest.Wait()
		Check(t, cell)
		time.Sleep(time.Minute) // takes no real time
		in.Confirm(time.Now())
	}
	free()
	time.Sleep(provider.RefusedAgain)
	synctest.Wait()
	if s := cell.Load(); s.Err != nil || s.Value != "a value" {
		t.Errorf("with room: got %v, %v", s.Value, s.Err)
	}
}

// An idle provider publishes nothing.
type idle struct{}

// Run implements provider.Provider.
func (idle) Run(ctx context.Context, _ *provider.Cell) error { <-ctx.Done(); return nil }
