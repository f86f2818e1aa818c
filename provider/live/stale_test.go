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
