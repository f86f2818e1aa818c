package provider

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/budget"
)

// After a provider has run for steadyAfter, the pauses begin with the first pause again.
func TestSteadyRunStartsPausesAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(budget.New(), func() {}, quiet())
		defer m.Close()
		var starts, ends []time.Time
		s := m.Begin()
		s.Add("k", runFunc(func(ctx context.Context, _ *Cell) error {
			starts = append(starts, time.Now())
			if len(starts) == 8 {
				Sleep(ctx, steadyAfter)
			}
			ends = append(ends, time.Now())
			return errors.New("fell over")
		}))
		m.Commit(s)
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		if pause := starts[7].Sub(ends[6]); pause < 20*time.Second {
			t.Errorf("after seven failures: got a pause of %v, want it grown", pause)
		}
		if pause := starts[8].Sub(ends[7]); pause > 2*restartFirst {
			t.Errorf("after a steady run: got a pause of %v, want the first again", pause)
		}
	})
}

// If a definition is removed and added again while its old goroutine is still ending, the new goroutine waits for the old goroutine. A
// provider whose definition was removed is stopped.
func TestOneGoroutineOfADefinition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewManager(budget.New(), func() {}, quiet())
		defer time.Sleep(time.Minute) // waits in fake time until the last request has ended
		defer m.Close()
		var running, most atomic.Int32
		var told atomic.Bool
		slow := runFunc(func(ctx context.Context, _ *Cell) error {
			most.Store(max(most.Load(), running.Add(1)))
			<-ctx.Done()
			told.Store(true)
			time.Sleep(time.Minute) // simulates a request that does not end at once
			running.Add(-1)
			return nil
		})
		first := m.Begin()
		first.Add("k", slow)
		m.Commit(first)
		synctest.Wait()
		m.Commit(m.Begin())
		synctest.Wait()
		if !told.Load() {
			t.Error("what is gone was not told to stop")
		}
		m.Commit(first)
		synctest.Wait()
		if running.Load() != 1 {
			t.Errorf("%d run while the former ends, want 1", running.Load())
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if most.Load() != 1 || running.Load() != 1 {
			t.Errorf("at most %d ran, %d run now, want 1 and 1", most.Load(), running.Load())
		}
	})
}
