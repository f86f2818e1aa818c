package live

import (
	"testing"
	"testing/synctest"
	"time"
)

// A result that combines a source with a long interval and a source with a short interval becomes stale when the first of its sources
// becomes stale, and not before.
func TestStaleWithTheFirstSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall(t, "weather", "door")
		both := w.program("[.weather, .door]")
		w.start()
		now := time.Now()
		w.cells["weather"].Promise(15 * time.Minute)
		w.cells["door"].Promise(30 * time.Second)
		w.publish("weather", 1, now.Add(-10*time.Minute))
		w.publish("door", 2, now)
		s := both.Load()
		if s.Stale(now) || s.Stale(now.Add(89*time.Second)) || !s.Stale(now.Add(91*time.Second)) {
			t.Errorf("got %+v, want a result that is stale 90 s from now", s)
		}
	})
}

// A result with a new, shorter interval is never stale while it is computed again, although the result before is older than this interval.
func TestNotStaleWhileItIsComputed(t *testing.T) {
	for range 200 {
		w := newWall(t, "weather", "door")
		both := w.program("[.weather, .door]")
		now := time.Now()
		w.cells["weather"].Promise(24 * time.Hour)
		w.cells["door"].Promise(time.Minute)
		w.cells["weather"].Publish(1, now.Add(-time.Hour))
		w.pass(t.Context(), now)
		w.cells["door"].Publish(2, now)
		w.pass(t.Context(), now)
		w.cells["weather"].Publish(3, now)
		done := make(chan struct{})
		go func() { defer close(done); w.pass(t.Context(), now) }()
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
			}
			if s := both.Load(); s.Stale(now) {
				<-done
				t.Fatalf("the result of %v with the interval %v is stale", s.At, s.Interval)
			}
		}
		if s := both.Load(); s.Interval != time.Minute {
			t.Fatalf("got the interval %v", s.Interval)
		}
	}
}
