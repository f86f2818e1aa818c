//go:build linux

package setup

import (
	"runtime"
	"testing"
	"time"

	"dashboard/appliance/setup/flow"
)

// A phone may look up thousands of names while the card is written. Each look-up is recorded, but only one waits.
func TestManyLookups(t *testing.T) {
	const many = 10_000
	s := &service{m: flow.New(flow.Options{Clock: func() time.Duration { return time.Hour }})}
	s.mu.Lock()
	before := runtime.NumGoroutine()
	for range many {
		s.addressed()
	}
	if n := runtime.NumGoroutine() - before; n > many/2 {
		t.Errorf("%d goroutines wait", n)
	}
	s.mu.Unlock()
	for s.asked.Load() { // the waiting report takes the lock
		runtime.Gosched()
	}
}
